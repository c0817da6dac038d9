// SPDX-License-Identifier: Apache-2.0
//
// Builds BTF blobs for tests, type by type, without libbpf: the reader under test must not be
// checked with its own parts.
//
// Thread-safety: none. Failure: none.

#ifndef LAYERED_DAEMON_SCHEDULER_TEST_BTF_H_
#define LAYERED_DAEMON_SCHEDULER_TEST_BTF_H_

#include <linux/btf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace layered {

class BtfBuilder {
 public:
  // A type of this kind whose trailer is `trailer` words.
  BtfBuilder& Add(unsigned kind, const std::string& name, unsigned vlen = 0,
                  const std::vector<uint32_t>& trailer = {}) {
    Word(Name(name));
    Word((kind << 24) | vlen);
    Word(0);
    for (uint32_t word : trailer) Word(word);
    return *this;
  }

  BtfBuilder& AddStruct(const std::string& name, const std::vector<std::string>& members) {
    std::vector<uint32_t> trailer;
    for (const std::string& member : members) {
      trailer.insert(trailer.end(), {Name(member), 0, 0});
    }
    return Add(BTF_KIND_STRUCT, name, static_cast<unsigned>(members.size()), trailer);
  }

  std::vector<std::byte> Blob() const {
    btf_header header{};
    header.magic = BTF_MAGIC;
    header.version = 1;
    header.hdr_len = sizeof(header);
    header.type_len = static_cast<uint32_t>(types_.size() * sizeof(uint32_t));
    header.str_off = header.type_len;
    header.str_len = static_cast<uint32_t>(strings_.size());
    std::vector<std::byte> blob(sizeof(header) + header.type_len + header.str_len);
    std::memcpy(blob.data(), &header, sizeof(header));
    std::memcpy(blob.data() + sizeof(header), types_.data(), header.type_len);
    std::memcpy(blob.data() + sizeof(header) + header.type_len, strings_.data(), strings_.size());
    return blob;
  }

 private:
  void Word(uint32_t word) { types_.push_back(word); }
  uint32_t Name(const std::string& name) {
    const auto offset = static_cast<uint32_t>(strings_.size());
    strings_ += name + '\0';
    return offset;
  }

  std::vector<uint32_t> types_;
  std::string strings_ = std::string(1, '\0');
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_TEST_BTF_H_
