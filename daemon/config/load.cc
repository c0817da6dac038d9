// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/load.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "daemon/base/unique_fd.h"
#include "daemon/config/json_tree.h"
#include "daemon/config/tree_to_proto.h"
#include "daemon/config/validate.h"
#include "daemon/config/violation.h"

namespace layered {
namespace {

constexpr char kForm[] =
    "the form is {\"layers\": [{\"name\": \"default\", \"match\": [\"all\"]}]}";

// A text that is nothing but faults is not worth more.
constexpr size_t kMaxFaultBytes = 1 << 19;

std::string ErrorText(int error) {
  char buffer[128];
  return strerror_r(error, buffer, sizeof buffer);  // GNU's form
}

absl::Status FileFault(absl::StatusCode code, const std::string& path,
                       const std::string& description, const std::string& hint = "") {
  return ToStatus(code, {{"", path + ": " + description, hint, 0, 0}});
}

absl::StatusOr<std::string> ReadRegularFile(const std::string& path) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  if (path.empty()) return FileFault(kInvalid, "''", "the path of the file is empty");
  // Not blocking: opening a pipe without a writer would wait for one.
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.valid()) {
    const int error = errno;
    if (error == ENOENT) {
      return FileFault(absl::StatusCode::kNotFound, path, "there is no such file");
    }
    return FileFault(kInvalid, path, "cannot be opened: " + ErrorText(error));
  }
  struct stat info {};
  if (fstat(file.get(), &info) != 0) {
    return FileFault(kInvalid, path, "cannot be examined: " + ErrorText(errno));
  }
  if (S_ISDIR(info.st_mode)) {
    return FileFault(kInvalid, path, "is a directory", "name a file in it");
  }
  if (!S_ISREG(info.st_mode)) return FileFault(kInvalid, path, "is not a regular file");
  if (info.st_size > static_cast<off_t>(kMaxJsonBytes)) {
    return FileFault(kInvalid, path,
                     "has " + std::to_string(info.st_size) + " bytes, the limit is " +
                         std::to_string(kMaxJsonBytes));
  }

  std::string text;
  char buffer[65536];
  // One byte more than allowed, if the file grows meanwhile: the parser then refuses it.
  while (text.size() <= kMaxJsonBytes) {
    const ssize_t got = read(file.get(), buffer, sizeof buffer);
    if (got == 0) break;
    if (got > 0) {
      text.append(buffer, static_cast<size_t>(got));
    } else if (errno != EINTR) {
      return FileFault(kInvalid, path, "cannot be read: " + ErrorText(errno));
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<v1::LayerSet> ParseLayerSet(const std::string& text) {
  Violations violations;
  const std::optional<JsonTree> tree = ParseJson(text, &violations);
  if (!tree.has_value()) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) violations[0].hint = kForm;
    return ToStatus(violations);
  }
  if (tree->root.kind != JsonKind::kObject) {
    violations.push_back({"", "expected an object, found " + Describe(tree->root.kind), kForm,
                          tree->root.position.line, tree->root.position.column});
    return ToStatus(violations);
  }
  v1::LayerSet set;
  TreeMap map;
  TreeToProto(*tree, &set, &violations, &map);
  for (Violation& violation : ValidateLayerSet(set, map.faulty)) {
    const TextPosition at = FindPosition(map, violation.field);
    violation.line = at.line;
    violation.column = at.column;
    violations.push_back(std::move(violation));
  }
  // In the order of the text, whichever step found them.
  std::stable_sort(violations.begin(), violations.end(), [](const auto& a, const auto& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  if (!violations.empty()) return ToStatus(Bounded(violations, kMaxFaultBytes));
  return set;
}

absl::StatusOr<v1::LayerSet> LoadLayerSetFile(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadRegularFile(path);
  if (!text.ok()) return text.status();
  absl::StatusOr<v1::LayerSet> set = ParseLayerSet(*text);
  if (set.ok()) return set;
  absl::Status status(set.status().code(), path + ": " + std::string(set.status().message()));
  set.status().ForEachPayload(
      [&](absl::string_view url, const absl::Cord& payload) { status.SetPayload(url, payload); });
  return status;
}

v1::LayerSet DefaultLayerSet() {
  v1::LayerSet set;
  v1::Layer* layer = set.add_layers();
  layer->set_name("default");
  layer->set_kind(v1::LAYER_KIND_OPEN);
  layer->add_match()->add_terms()->mutable_all();
  return set;
}

}  // namespace layered
