// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/kernel_btf.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "daemon/base/errno_status.h"
#include "daemon/base/unique_fd.h"

namespace layered {
namespace {

// Bytes that follow a btf_type of this kind; nothing if the kind is unknown.
std::optional<size_t> TrailerSize(unsigned kind, size_t vlen) {
  constexpr unsigned kEnum64 = 19;  // newer than Debian 12's header
  switch (kind) {
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG:
      return 0;
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
      return 4;
    case BTF_KIND_ARRAY:
      return sizeof(btf_array);
    case BTF_KIND_ENUM:
    case BTF_KIND_FUNC_PROTO:
      return vlen * 8;
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_DATASEC:
    case kEnum64:
      return vlen * 12;
    default:
      return std::nullopt;
  }
}

}  // namespace

KernelBtf::KernelBtf(Blob blob, std::vector<Wanted> wanted)
    : blob_(std::move(blob)), wanted_(std::move(wanted)), found_(wanted_.size(), nullptr) {}

KernelBtf::Blob KernelBtf::Own(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {.owner = owner, .bytes = *owner};
}

absl::StatusOr<KernelBtf::Blob> KernelBtf::ReadBlob(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus("open " + path, errno);
  struct stat st {};
  if (fstat(fd.get(), &st) != 0) return ErrnoStatus("stat " + path, errno);
  const auto size = static_cast<size_t>(st.st_size);
  // Most kernels let us map it, which spares 1,300 reads of a page each.
  void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (mapped != MAP_FAILED) {
    return Blob{.owner = std::shared_ptr<const void>(
                    mapped, [size](const void* data) { munmap(const_cast<void*>(data), size); }),
                .bytes = {static_cast<const std::byte*>(mapped), size}};
  }
  std::vector<std::byte> bytes(size);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd.get(), bytes.data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return Own(std::move(bytes));
}

absl::StatusOr<KernelBtf> KernelBtf::Read(const std::string& path, std::vector<Wanted> wanted) {
  absl::StatusOr<Blob> blob = ReadBlob(path);
  if (!blob.ok()) return blob.status();
  return ParseBlob(*std::move(blob), std::move(wanted));
}

absl::StatusOr<KernelBtf> KernelBtf::Parse(std::vector<std::byte> blob,
                                           std::vector<Wanted> wanted) {
  return ParseBlob(Own(std::move(blob)), std::move(wanted));
}

absl::StatusOr<KernelBtf> KernelBtf::ParseBlob(Blob blob, std::vector<Wanted> wanted) {
  KernelBtf btf(std::move(blob), std::move(wanted));
  absl::Status status = btf.Walk();
  if (!status.ok()) return status;
  return btf;
}

absl::Status KernelBtf::Walk() {
  btf_header header{};
  const std::span<const std::byte> bytes = blob_.bytes;
  if (bytes.size() < sizeof(header)) return absl::InvalidArgumentError("BTF: too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  const size_t types = size_t{header.hdr_len} + header.type_off;
  const size_t strings = size_t{header.hdr_len} + header.str_off;
  if (header.magic != BTF_MAGIC || header.hdr_len < sizeof(header) ||
      types + header.type_len > bytes.size() || strings + header.str_len > bytes.size() ||
      types % alignof(btf_type) != 0) {
    return absl::InvalidArgumentError("BTF: bad header");
  }
  const char* base = reinterpret_cast<const char*>(bytes.data());
  strings_ = std::string_view(base + strings, header.str_len);

  const size_t end = types + header.type_len;
  for (size_t at = types; at + sizeof(btf_type) <= end;) {
    const auto* type = reinterpret_cast<const btf_type*>(base + at);
    const unsigned kind = BTF_INFO_KIND(type->info);
    const size_t vlen = BTF_INFO_VLEN(type->info);
    std::optional<size_t> trailer = TrailerSize(kind, vlen);
    if (!trailer) {
      return absl::UnimplementedError("BTF: unknown kind " + std::to_string(kind));
    }
    if (at + sizeof(btf_type) + *trailer > end) {
      return absl::InvalidArgumentError("BTF: a type runs over the end");
    }
    if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_FUNC || kind == BTF_KIND_TYPEDEF) {
      const std::string_view name = String(type->name_off);
      for (size_t i = 0; i < wanted_.size(); ++i) {
        if (wanted_[i].kind == kind && wanted_[i].name == name) found_[i] = type;
      }
    }
    at += sizeof(btf_type) + *trailer;
  }
  return absl::OkStatus();
}

std::string_view KernelBtf::String(size_t offset) const {
  if (offset >= strings_.size()) return {};
  const std::string_view rest = strings_.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

const btf_type* KernelBtf::Find(unsigned kind, std::string_view name) const {
  for (size_t i = 0; i < wanted_.size(); ++i) {
    if (wanted_[i].kind == kind && wanted_[i].name == name) return found_[i];
  }
  return nullptr;
}

bool KernelBtf::Has(unsigned kind, std::string_view name) const {
  return Find(kind, name) != nullptr;
}

bool KernelBtf::HasMember(std::string_view name, std::string_view member) const {
  const btf_type* type = Find(BTF_KIND_STRUCT, name);
  if (type == nullptr) return false;
  const auto* members = reinterpret_cast<const btf_member*>(type + 1);
  for (size_t i = 0; i < BTF_INFO_VLEN(type->info); ++i) {
    if (String(members[i].name_off) == member) return true;
  }
  return false;
}

}  // namespace layered
