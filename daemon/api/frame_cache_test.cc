// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/frame_cache.h"

#include <grpcpp/impl/codegen/proto_utils.h>
#include <gtest/gtest.h>

#include <string>

namespace layered::api {
namespace {

std::shared_ptr<v1::WatchResponse> Sample(uint64_t time_ns) {
  auto sample = std::make_shared<v1::WatchResponse>();
  sample->set_time_ns(time_ns);
  sample->set_interval_ns(1000);
  sample->add_layers()->set_name("web");
  return sample;
}

v1::WatchResponse Parse(grpc::ByteBuffer buffer) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(buffer.Dump(&slices).ok());
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  v1::WatchResponse message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  return message;
}

TEST(FrameCacheTest, WithoutChangesTheFrameIsTheSample) {
  FrameCache cache;
  const auto sample = Sample(5);
  const v1::WatchResponse parsed = Parse(ToBuffer(cache.Get(sample), {}));
  EXPECT_EQ(parsed.SerializeAsString(), sample->SerializeAsString());
}

TEST(FrameCacheTest, ChangesOverrideAndTheRestStays) {
  FrameCache cache;
  const Frame frame = cache.Get(Sample(5));
  const v1::WatchResponse parsed =
      Parse(ToBuffer(frame, {.gap = 3, .first = true, .interval_ns = 4000}));
  EXPECT_EQ(parsed.gap(), 3u);
  EXPECT_TRUE(parsed.first());
  EXPECT_EQ(parsed.interval_ns(), 4000u);
  EXPECT_EQ(parsed.time_ns(), 5u);
  ASSERT_EQ(parsed.layers_size(), 1);
  EXPECT_EQ(parsed.layers(0).name(), "web");
}

TEST(FrameCacheTest, OneSampleIsSerialisedOnce) {
  FrameCache cache;
  const auto sample = Sample(5);
  sample->mutable_layers(0)->set_name(std::string(100, 'x'));  // slices hold short texts inline
  const auto filtered = Sample(5);
  const Frame one = cache.Get(sample);
  cache.Get(filtered);
  const Frame two = cache.Get(sample);
  EXPECT_EQ(one.bytes.begin(), two.bytes.begin());  // the very same bytes
  EXPECT_NE(cache.Get(filtered).bytes.begin(), one.bytes.begin());
}

TEST(FrameCacheTest, ANewMomentForgetsTheOldSamples) {
  FrameCache cache;
  auto sample = Sample(5);
  cache.Get(sample);
  const std::weak_ptr<v1::WatchResponse> old = sample;
  sample.reset();
  EXPECT_FALSE(old.expired());  // kept: its address is the key
  cache.Get(Sample(6));
  EXPECT_TRUE(old.expired());
}

}  // namespace
}  // namespace layered::api
