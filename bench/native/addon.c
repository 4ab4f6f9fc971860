/* The N-API door of the C variants. `attach` first: it takes over a wasm engine's memory and where things lie in it. */
#include "engine.h"
#include <node_api.h>

Engine engine;
uint32_t engine_written;

/* Order of the numbers that `attach` gets; bench/support/memory-map.ts writes them. */
enum {
  AT_COUNTERS, AT_PROFILES, AT_SETTINGS, AT_HASH_KEYS, AT_EVENTS, AT_DESCRIPTORS, AT_PACKETS, AT_FRAMES, AT_ACTIONS,
  AT_ACCESS, AT_QPS, AT_QP_FLAGS, AT_FLOW_ENTRIES, AT_WINDOWS, AT_CUT_TIMES, AT_FLOWS, AT_ENDPOINTS, AT_QPN_TABLE,
  AT_ACK_EVENTS, AT_KEPT_HOPS, QP_CAPACITY, QPN_BUCKETS, WINDOW_STRIDE, PROFILE_BYTES, ACK_EVENT_BYTES, HOPS_PER_QP,
  MAP_LENGTH
};
/* Settings, src/abi/layout.ts. */
enum {
  SETTING_NP_MIN_TIME = 2,
  SETTING_FAST_CNP_ENABLED = 3,
  SETTING_DUPLICATE_WINDOW = 4,
  SETTING_LATE_POLICY = 10,
  SETTING_RATE_ACTIONS = 11,
  SETTING_ACCESS_RANGES = 12
};

static void lay_out(uint8_t *base, const uint32_t *map) {
  engine.base = base;
  engine.counters = (double *)(base + map[AT_COUNTERS]);
  engine.profiles = base + map[AT_PROFILES];
  engine.settings = (const double *)(base + map[AT_SETTINGS]);
  engine.hashKeys = (const uint64_t *)(base + map[AT_HASH_KEYS]);
  engine.events = (const Event *)(base + map[AT_EVENTS]);
  engine.descriptors = base + map[AT_DESCRIPTORS];
  engine.packets = base + map[AT_PACKETS];
  engine.frames = base + map[AT_FRAMES];
  engine.actions = (Action *)(base + map[AT_ACTIONS]);
  engine.ranges = base + map[AT_ACCESS];
  engine.qps = (QpState *)(base + map[AT_QPS]);
  engine.flags = base + map[AT_QP_FLAGS];
  engine.flowEntries = (uint32_t *)(base + map[AT_FLOW_ENTRIES]);
  engine.windows = (double *)(base + map[AT_WINDOWS]);
  engine.cutTimes = (double *)(base + map[AT_CUT_TIMES]);
  engine.flows = (const AddressTable *)(base + map[AT_FLOWS]);
  engine.endpoints = (const AddressTable *)(base + map[AT_ENDPOINTS]);
  engine.qpnTable = base + map[AT_QPN_TABLE];
  engine.ackEvents = base + map[AT_ACK_EVENTS];
  engine.keptHops = base + map[AT_KEPT_HOPS];
  engine.qpCapacity = map[QP_CAPACITY];
  engine.qpnBuckets = map[QPN_BUCKETS];
  engine.windowStride = map[WINDOW_STRIDE];
  engine.profileBytes = map[PROFILE_BYTES];
  engine.ackEventBytes = map[ACK_EVENT_BYTES];
  engine.hopsPerQp = map[HOPS_PER_QP];
  engine.npMinTimePs = engine.settings[SETTING_NP_MIN_TIME];
  engine.fastCnpEnabled = engine.settings[SETTING_FAST_CNP_ENABLED] != 0;
  engine.duplicateWindowPs = engine.settings[SETTING_DUPLICATE_WINDOW];
  engine.clampLate = engine.settings[SETTING_LATE_POLICY] != 0;
  engine.rateActions = engine.settings[SETTING_RATE_ACTIONS] != 0;
  engine.accessRanges = (uint32_t)engine.settings[SETTING_ACCESS_RANGES];
}

static napi_value attach(napi_env env, napi_callback_info info) {
  size_t argc = 2, length, words;
  napi_value args[2], buffer;
  napi_typedarray_type type;
  void *base, *map;
  napi_get_cb_info(env, info, &argc, args, NULL, NULL);
  napi_get_arraybuffer_info(env, args[0], &base, &length);
  napi_get_typedarray_info(env, args[1], &type, &words, &map, &buffer, NULL);
  if (type != napi_uint32_array || words != MAP_LENGTH) {
    napi_throw_range_error(env, NULL, "attach: the memory map has another length");
    return NULL;
  }
  lay_out(base, map);
  return NULL;
}

static uint32_t arguments(napi_env env, napi_callback_info info, uint32_t values[3]) {
  size_t argc = 3;
  napi_value args[3];
  napi_get_cb_info(env, info, &argc, args, NULL, NULL);
  for (size_t i = 0; i < argc && i < 3; i++) napi_get_value_uint32(env, args[i], values + i);
  return values[0];
}

static napi_value number(napi_env env, uint32_t value) {
  napi_value result;
  napi_create_uint32(env, value, &result);
  return result;
}

static napi_value apply_events(napi_env env, napi_callback_info info) {
  uint32_t values[3];
  return number(env, native_apply_events(arguments(env, info, values)));
}

static napi_value apply_events_prefetching(napi_env env, napi_callback_info info) {
  uint32_t values[3];
  return number(env, native_apply_events_prefetching(arguments(env, info, values)));
}

static napi_value apply_packets(napi_env env, napi_callback_info info) {
  uint32_t values[3];
  return number(env, native_apply_packets(arguments(env, info, values)));
}

static napi_value find_flows(napi_env env, napi_callback_info info) {
  uint32_t values[3];
  arguments(env, info, values);
  native_find_flows(engine.base + values[0], (uint32_t *)(engine.base + values[1]), values[2]);
  return NULL;
}

static napi_value find_flows_prefetching(napi_env env, napi_callback_info info) {
  uint32_t values[3];
  arguments(env, info, values);
  native_find_flows_prefetching(engine.base + values[0], (uint32_t *)(engine.base + values[1]), values[2]);
  return NULL;
}

static void export_function(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function);
  napi_set_named_property(env, exports, name, function);
}

NAPI_MODULE_INIT() {
  export_function(env, exports, "attach", attach);
  export_function(env, exports, "applyEvents", apply_events);
  export_function(env, exports, "applyEventsPrefetching", apply_events_prefetching);
  export_function(env, exports, "applyPackets", apply_packets);
  export_function(env, exports, "findFlows", find_flows);
  export_function(env, exports, "findFlowsPrefetching", find_flows_prefetching);
  return exports;
}
