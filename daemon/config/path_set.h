// SPDX-License-Identifier: Apache-2.0
//
// A set of field paths ("layers[2].weight") that knows which of them lie inside others.
//
// Thread-safety: as a standard container.

#ifndef LAYERED_DAEMON_CONFIG_PATH_SET_H_
#define LAYERED_DAEMON_CONFIG_PATH_SET_H_

#include <set>
#include <string>

namespace layered {

class PathSet {
 public:
  void Add(const std::string& path) { paths_.insert(path); }
  bool empty() const { return paths_.empty(); }

  // A member is `path` itself or encloses it.
  bool Covers(const std::string& path) const;

  // A member is `path` itself, encloses it, or lies inside it.
  bool Touches(const std::string& path) const;

 private:
  std::set<std::string> paths_;
};

// The path that encloses `path`: "a.b[1]" -> "a.b" -> "a" -> "".
std::string ParentPath(const std::string& path);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_PATH_SET_H_
