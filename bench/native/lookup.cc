// Lookups of the engine's flow keys in the hash tables that a C++ programmer would take: absl::flat_hash_map with
// Abseil's own hash where it is installed (WITH_ABSL), std::unordered_map with the engine's kind of hash.
#include <node_api.h>

#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#ifdef WITH_ABSL
#include "absl/container/flat_hash_map.h"
#endif

namespace {

constexpr uint32_t kNone = 0xffffffffu;

// 32 bytes, as `findFlows` takes them.
struct Record {
  uint64_t low, high;
  uint32_t endpoint, qpn;
  uint64_t unused;
};

struct Key {
  uint64_t low, high;
  uint64_t word;
  bool operator==(const Key &other) const { return low == other.low && high == other.high && word == other.word; }
#ifdef WITH_ABSL
  template <typename H>
  friend H AbslHashValue(H state, const Key &key) {
    return H::combine(std::move(state), key.low, key.high, key.word);
  }
#endif
};

inline Key KeyOf(const Record &record) {
  return {record.low, record.high, static_cast<uint64_t>(record.endpoint) << 24 | (record.qpn & 0xffffff)};
}

// Multilinear with fixed keys (Lemire and Kaser, 2014), finished as in assembly/table/hash.ts.
struct Multilinear {
  size_t operator()(const Key &key) const {
    uint64_t sum = 0x243f6a8885a308d3 + 0x13198a2e03707345 * (key.low & 0xffffffff) + 0xa4093822299f31d1 * (key.low >> 32) +
                   0x082efa98ec4e6c89 * (key.high & 0xffffffff) + 0x452821e638d01377 * (key.high >> 32) +
                   0xbe5466cf34e90c6d * (key.word & 0xffffff) + 0xc0ac29b7c97c50dd * (key.word >> 24);
    sum ^= sum >> 32;
    sum *= 0x9fb21c651e98df25;
    return sum ^ (sum >> 29);
  }
};

using StdTable = std::unordered_map<Key, uint32_t, Multilinear>;
StdTable std_table;
#ifdef WITH_ABSL
using AbslTable = absl::flat_hash_map<Key, uint32_t>;
AbslTable absl_table;
#endif
uint8_t *memory = nullptr;

template <typename Table>
void Fill(Table &table, const Record *keys, uint32_t n) {
  Table fresh;
  fresh.reserve(n);
  for (uint32_t i = 0; i < n; i++) fresh.emplace(KeyOf(keys[i]), i);
  table.swap(fresh);
}

template <typename Table>
void Find(const Table &table, const Record *keys, uint32_t *results, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const auto found = table.find(KeyOf(keys[i]));
    results[i] = found == table.end() ? kNone : found->second;
  }
}

uint32_t Number(napi_env env, napi_value value) {
  uint32_t number = 0;
  napi_get_value_uint32(env, value, &number);
  return number;
}

napi_value Attach(napi_env env, napi_callback_info info) {
  size_t argc = 1, length;
  napi_value args[1];
  void *base;
  napi_get_cb_info(env, info, &argc, args, nullptr, nullptr);
  napi_get_arraybuffer_info(env, args[0], &base, &length);
  memory = static_cast<uint8_t *>(base);
  return nullptr;
}

// fill(keys, n)
napi_value FillTables(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value args[2];
  napi_get_cb_info(env, info, &argc, args, nullptr, nullptr);
  const auto *keys = reinterpret_cast<const Record *>(memory + Number(env, args[0]));
  const uint32_t n = Number(env, args[1]);
  Fill(std_table, keys, n);
#ifdef WITH_ABSL
  Fill(absl_table, keys, n);
#endif
  return nullptr;
}

// find(table, keys, results, n)
napi_value FindIn(napi_env env, napi_callback_info info) {
  size_t argc = 4, length = 0;
  napi_value args[4];
  char name[32] = "";
  napi_get_cb_info(env, info, &argc, args, nullptr, nullptr);
  napi_get_value_string_utf8(env, args[0], name, sizeof name, &length);
  const auto *keys = reinterpret_cast<const Record *>(memory + Number(env, args[1]));
  auto *results = reinterpret_cast<uint32_t *>(memory + Number(env, args[2]));
  const uint32_t n = Number(env, args[3]);
#ifdef WITH_ABSL
  if (!std::strcmp(name, "absl::flat_hash_map")) {
    Find(absl_table, keys, results, n);
    return nullptr;
  }
#endif
  Find(std_table, keys, results, n);
  return nullptr;
}

void Export(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function);
  napi_set_named_property(env, exports, name, function);
}

napi_value TableNames(napi_env env) {
  napi_value names, name;
  uint32_t count = 0;
  napi_create_array(env, &names);
#ifdef WITH_ABSL
  napi_create_string_utf8(env, "absl::flat_hash_map", NAPI_AUTO_LENGTH, &name);
  napi_set_element(env, names, count++, name);
#endif
  napi_create_string_utf8(env, "std::unordered_map", NAPI_AUTO_LENGTH, &name);
  napi_set_element(env, names, count++, name);
  return names;
}

}  // namespace

NAPI_MODULE_INIT() {
  Export(env, exports, "attach", Attach);
  Export(env, exports, "fill", FillTables);
  Export(env, exports, "find", FindIn);
  napi_set_named_property(env, exports, "tables", TableNames(env));
  return exports;
}
