// SPDX-License-Identifier: Apache-2.0
//
// Layers in words: what is shown where the proto leaves a field out is the default in force.
//
// Thread-safety: pure functions.

#ifndef LAYERED_CLIENT_CTL_LAYER_TEXT_H_
#define LAYERED_CLIENT_CTL_LAYER_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "layered/v1/layer.pb.h"

namespace layered::ctl {

std::string SliceText(const v1::Layer& layer);
std::string KindText(v1::LayerKind kind);

// One expression per block.
std::vector<std::string> BlockTexts(const v1::Layer& layer);

// Several lines: every field with its value in force.
std::string DescribeLayer(const v1::Layer& layer);

// "weight 100 -> 300, slice 5ms -> 1ms"; empty if nothing differs.
std::string DescribeChange(const v1::Layer& before, const v1::Layer& after);

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_LAYER_TEXT_H_
