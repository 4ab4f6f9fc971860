/*
 * The simulator: the kernel's memory is laid out as the plan says, then flows join it in the order of their starts, as
 * src/sim/run/open-simulation.ts has it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "engine.h"
#include "sim_module.h"
#include "sim_plan.h"

#define SIM_MAGIC 0x52434353u
#define BUDGET 0x40000000u
#define FIRST_SOURCE_PORT 10000u
#define SOURCE_PORTS (65536u - FIRST_SOURCE_PORT)
#define HASH_FACTOR 0x9e3779b1u

/* A flow that the kernel does not have yet. */
struct waiting {
  double start_ps;
  uint32_t flow;
};

/* How many flows a pair of hosts has had; pair 0 = free. */
struct pair_count {
  uint64_t pair;
  uint32_t count;
};

struct roce_sim {
  _Atomic uint32_t magic;
  _Atomic uint32_t busy;
  /* In a call that runs the kernel, maybe in its callback. */
  bool running;
  bool faulted;
  bool is_idle;
  bool is_over;
  uint8_t *plan_bytes;
  struct sim_plan plan;
  double now_ps;
  double last_start_ps;
  uint32_t flows;
  uint32_t *sent_by;
  struct pair_count *pairs;
  uint32_t pair_mask;
  /* A heap by (start, number). */
  struct waiting *waiting;
  uint32_t waiting_count;
  Z_sim_instance_t module;
};

static bool is_time(double time_ps) {
  return time_ps >= 0 && time_ps <= ABI_TIME_MAX_PS && floor(time_ps) == time_ps;
}

static uint8_t *sim_at(const roce_sim *sim, uint32_t address) {
  return sim->module.w2c_memory.data + address;
}

static uint32_t sim_u32(const roce_sim *sim, uint32_t address) {
  uint32_t value;
  memcpy(&value, sim_at(sim, address), sizeof value);
  return value;
}

static double sim_f64(const roce_sim *sim, uint32_t address) {
  double value;
  memcpy(&value, sim_at(sim, address), sizeof value);
  return value;
}

static void set_u32(roce_sim *sim, uint32_t address, uint32_t value) {
  memcpy(sim_at(sim, address), &value, sizeof value);
}

static void set_f64(roce_sim *sim, uint32_t address, double value) {
  memcpy(sim_at(sim, address), &value, sizeof value);
}

static uint32_t region(roce_sim *sim, uint32_t number) {
  return Z_simZ_simRegion(&sim->module, number);
}

static uint32_t flow_at(roce_sim *sim, uint32_t flow) {
  return region(sim, SIM_ABI_SIM_FLOWS) + flow * SIM_ABI_FLOW_BYTES;
}

static double total(roce_sim *sim, uint32_t number) {
  return sim_f64(sim, region(sim, SIM_ABI_SIM_TOTALS) + 8 * number);
}

/* ---- Open and close */

static void release(roce_sim *sim) {
  Z_sim_free(&sim->module);
  free(sim->plan_bytes);
  free(sim->sent_by);
  free(sim->pairs);
  free(sim->waiting);
  sim->plan_bytes = NULL;
}

static bool allocate_open(roce_sim *sim) {
  uint32_t flows = sim->plan.reserved_flows;
  uint32_t slots = 2;
  while (slots <= 2 * (uint64_t)flows && slots < 0x80000000u) slots *= 2;
  sim->pair_mask = slots - 1;
  sim->sent_by = calloc(sim->plan.host_count + 1, sizeof *sim->sent_by);
  sim->pairs = flows ? calloc(slots, sizeof *sim->pairs) : NULL;
  sim->waiting = flows ? calloc(flows, sizeof *sim->waiting) : NULL;
  return sim->sent_by && (!flows || (sim->pairs && sim->waiting));
}

/* Copies the part of a run of memory that is in [from, to). */
static void copy_part(roce_sim *sim, uint32_t address, uint32_t bytes, const uint8_t *data, uint32_t from, uint32_t to) {
  uint32_t begin = address > from ? address : from;
  uint32_t end = address + bytes < to ? address + bytes : to;
  if (begin < end) memcpy(sim_at(sim, begin), data + (begin - address), end - begin);
}

/* The plan's memory between two addresses; false where the kernel's does not reach that far. */
static bool copy_memory(roce_sim *sim, uint32_t from, uint32_t to) {
  const uint8_t *at = sim->plan.runs, *data;
  uint32_t address, bytes;
  while (sim_plan_run(&sim->plan, &at, &address, &bytes, &data)) {
    if (from == 0 && (uint64_t)address + bytes > sim->module.w2c_memory.size) return false;
    copy_part(sim, address, bytes, data, from, to);
  }
  return true;
}

/* The sizes are laid out first; then memory is what the plan has, and the engine takes its settings over. */
static roce_status start_kernel(roce_sim *sim) {
  Z_sim_instantiate(&sim->module);
  copy_memory(sim, ABI_CAPACITY_ADDRESS, ABI_SETTINGS_ADDRESS);
  if (!Z_simZ_initialise(&sim->module)) return fail(NULL, ROCE_CAPACITY, "the system rejects the memory for the plan's network");
  if (!copy_memory(sim, 0, UINT32_MAX)) return fail(NULL, ROCE_INVALID_ARGUMENT, "the plan's memory is larger than its network");
  Z_simZ_configure(&sim->module);
  Z_simZ_simStart(&sim->module);
  return ROCE_OK;
}

roce_status roce_sim_open(const uint8_t *bytes, size_t length, roce_sim **out) {
  struct sim_plan checked;
  if (!out || !bytes) return fail(NULL, ROCE_INVALID_ARGUMENT, "roce_sim_open needs a plan and a place for the simulation");
  *out = NULL;
  roce_status status = sim_plan_read(bytes, length, &checked);
  if (status) return status;
  roce_sim *sim = calloc(1, sizeof *sim);
  if (!sim) return fail(NULL, ROCE_CAPACITY, "no memory for a simulation");
  sim->plan_bytes = malloc(length);
  if (sim->plan_bytes) {
    memcpy(sim->plan_bytes, bytes, length);
    status = sim_plan_read(sim->plan_bytes, length, &sim->plan);
  }
  if (!sim->plan_bytes || !allocate_open(sim)) status = fail(NULL, ROCE_CAPACITY, "no memory for a simulation");
  if (!status) {
    WITH_TRAPS(release(sim); free(sim); return fail(NULL, ROCE_CAPACITY, "the kernel rejects the plan, or the system its memory"))
    status = start_kernel(sim);
    END_TRAPS
  }
  if (status) {
    release(sim);
    free(sim);
    return status;
  }
  sim->is_idle = sim->plan.reserved_flows > 0;
  sim->flows = sim->plan.flow_count;
  atomic_store(&sim->magic, SIM_MAGIC);
  *out = sim;
  return ROCE_OK;
}

static uint8_t *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = NULL;
  if (!file) return NULL;
  if (!fseek(file, 0, SEEK_END)) {
    long end = ftell(file);
    if (end > 0 && !fseek(file, 0, SEEK_SET) && (bytes = malloc((size_t)end)) != NULL) *length = fread(bytes, 1, (size_t)end, file);
  }
  fclose(file);
  return bytes;
}

roce_status roce_sim_open_file(const char *path, roce_sim **sim) {
  size_t length = 0;
  if (!path) return fail(NULL, ROCE_INVALID_ARGUMENT, "path is NULL");
  uint8_t *bytes = read_file(path, &length);
  if (!bytes) return fail(NULL, ROCE_INVALID_ARGUMENT, "%.200s can't be read", path);
  roce_status status = roce_sim_open(bytes, length, sim);
  free(bytes);
  return status;
}

static roce_status sim_enter(roce_sim *sim) {
  if (!sim) return fail(NULL, ROCE_INVALID_ARGUMENT, "the simulation is NULL");
  if (atomic_load_explicit(&sim->magic, memory_order_relaxed) != SIM_MAGIC) return fail(NULL, ROCE_CLOSED, "the simulation has been closed");
  if (atomic_exchange_explicit(&sim->busy, 1, memory_order_acquire)) return fail(NULL, ROCE_BUSY, "another thread is using this simulation");
  if (!sim->faulted) return ROCE_OK;
  atomic_store_explicit(&sim->busy, 0, memory_order_release);
  return fail(NULL, ROCE_FAULT, "the simulation stopped at an internal error");
}

static roce_status sim_leave(roce_sim *sim, roce_status status) {
  atomic_store_explicit(&sim->busy, 0, memory_order_release);
  return status;
}

/* For calls that a callback may not make. */
static roce_status sim_enter_running(roce_sim *sim) {
  roce_status status = sim_enter(sim);
  if (status || !sim->running) return status;
  return sim_leave(sim, fail(NULL, ROCE_BUSY, "a callback can send flows, not run the simulation"));
}

roce_status roce_sim_close(roce_sim *sim) {
  if (!sim) return ROCE_OK;
  roce_status status = sim_enter_running(sim);
  if (status) return status;
  atomic_store(&sim->magic, 0);
  release(sim);
  handle_bury(sim);
  return ROCE_OK;
}

static bool is_live(const roce_sim *sim) {
  return sim && atomic_load_explicit(&sim->magic, memory_order_relaxed) == SIM_MAGIC;
}

const char *roce_sim_host_name(const roce_sim *sim, uint32_t host) {
  return is_live(sim) && host < sim->plan.host_count ? sim_plan_host_name(&sim->plan, host) : NULL;
}

const char *roce_sim_algorithm_name(const roce_sim *sim, uint32_t algorithm) {
  return is_live(sim) && algorithm < sim->plan.algorithm_count ? sim_plan_algorithm_name(&sim->plan, algorithm) : NULL;
}

uint32_t roce_sim_find_host(const roce_sim *sim, const char *name) {
  if (!is_live(sim) || !name) return ROCE_NONE;
  for (uint32_t host = 0; host < sim->plan.host_count; host++) {
    if (!strcmp(sim_plan_host_name(&sim->plan, host), name)) return host;
  }
  return ROCE_NONE;
}

double roce_sim_now(const roce_sim *sim) {
  return is_live(sim) ? sim->now_ps : (double)NAN;
}

/* ---- Flows that are added */

static bool is_before(struct waiting a, struct waiting b) {
  return a.start_ps < b.start_ps || (a.start_ps == b.start_ps && a.flow < b.flow);
}

static void push_waiting(roce_sim *sim, struct waiting item) {
  uint32_t at = sim->waiting_count++;
  for (; at > 0 && is_before(item, sim->waiting[(at - 1) / 2]); at = (at - 1) / 2) sim->waiting[at] = sim->waiting[(at - 1) / 2];
  sim->waiting[at] = item;
}

static struct waiting pop_waiting(roce_sim *sim) {
  struct waiting first = sim->waiting[0], last = sim->waiting[--sim->waiting_count];
  uint32_t at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= sim->waiting_count) break;
    if (child + 1 < sim->waiting_count && is_before(sim->waiting[child + 1], sim->waiting[child])) child++;
    if (!is_before(sim->waiting[child], last)) break;
    sim->waiting[at] = sim->waiting[child];
    at = child;
  }
  sim->waiting[at] = last;
  return first;
}

/* UDP source port of the next flow of two nodes: 10,000 and how many there were. */
static uint32_t next_source_port(roce_sim *sim, uint32_t from, uint32_t to) {
  uint64_t pair = ((uint64_t)from << 32 | to) + 1;
  uint32_t slot = (uint32_t)(pair * HASH_FACTOR >> 7) & sim->pair_mask;
  while (sim->pairs[slot].pair && sim->pairs[slot].pair != pair) slot = (slot + 1) & sim->pair_mask;
  sim->pairs[slot].pair = pair;
  return FIRST_SOURCE_PORT + sim->pairs[slot].count++ % SOURCE_PORTS;
}

static roce_status check_flow(const roce_sim *sim, const roce_sim_flow *flow) {
  const struct sim_plan *plan = &sim->plan;
  if (!flow) return fail(NULL, ROCE_INVALID_ARGUMENT, "flow is NULL");
  if (!plan->reserved_flows) return fail(NULL, ROCE_UNSUPPORTED, "the plan has its own flows: make it with openNativePlan");
  if (flow->from >= plan->host_count || flow->to >= plan->host_count || flow->from == flow->to)
    return fail(NULL, ROCE_INVALID_ARGUMENT, "from and to must be two hosts below %u, not %u and %u", plan->host_count, flow->from, flow->to);
  if (!(flow->size_bytes >= 1 && floor(flow->size_bytes) == flow->size_bytes && flow->size_bytes <= ABI_TIME_MAX_PS))
    return fail(NULL, ROCE_INVALID_ARGUMENT, "size_bytes must be whole, from 1, but is %.17g", flow->size_bytes);
  if (flow->algorithm >= plan->algorithm_count)
    return fail(NULL, ROCE_INVALID_ARGUMENT, "algorithm must be below %u, but is %u", plan->algorithm_count, flow->algorithm);
  if (flow->traffic_class > 7) return fail(NULL, ROCE_INVALID_ARGUMENT, "traffic_class must be 0 to 7, but is %u", flow->traffic_class);
  if (!(flow->start_ps < 0) && !(is_time(flow->start_ps) && flow->start_ps >= sim->now_ps))
    return fail(NULL, ROCE_INVALID_ARGUMENT, "start_ps must be whole, from %.0f, but is %.17g", sim->now_ps, flow->start_ps);
  if (sim->flows >= plan->reserved_flows) return fail(NULL, ROCE_CAPACITY, "the plan has room for %u flows", plan->reserved_flows);
  if (sim->sent_by[flow->from] >= plan->flows_per_host) return fail(NULL, ROCE_CAPACITY, "the plan has room for %u flows of a host", plan->flows_per_host);
  if (flow->size_bytes > plan->flow_bytes) return fail(NULL, ROCE_CAPACITY, "the plan's flows have at most %.0f bytes", plan->flow_bytes);
  return ROCE_OK;
}

/* Writes fd00::n, the address of a node. */
static void put_node_address(roce_sim *sim, uint32_t node) {
  uint8_t address[16] = {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (uint8_t)(node >> 24), (uint8_t)(node >> 16), (uint8_t)(node >> 8), (uint8_t)node};
  memcpy(sim_at(sim, ABI_ADDRESS_ARGUMENT), address, sizeof address);
}

/* Settings that the transport has put into a reserved record stay: they are the same for all flows. */
static void write_flow(roce_sim *sim, uint32_t number, const roce_sim_flow *flow, double start_ps) {
  uint32_t parameter_set;
  const uint8_t *record = sim_plan_template(&sim->plan, flow->from, flow->algorithm, &parameter_set);
  struct sim_host from = sim_plan_host(&sim->plan, flow->from), to = sim_plan_host(&sim->plan, flow->to);
  uint32_t at = flow_at(sim, number);
  uint32_t ports = next_source_port(sim, from.node, to.node) << 16;
  memcpy(sim_at(sim, at), record, SIM_ABI_FLOW_BYTES);
  set_u32(sim, at + SIM_ABI_FLOW_DESTINATION, to.node);
  set_u32(sim, at + SIM_ABI_FLOW_RESPONSE_PORT, to.response_port);
  set_u32(sim, at + SIM_ABI_FLOW_UDP_PORTS, ports | (sim_u32(sim, at + SIM_ABI_FLOW_UDP_PORTS) & 0xffff));
  set_u32(sim, at + SIM_ABI_FLOW_QP, number);
  set_f64(sim, at + SIM_ABI_FLOW_SIZE_BYTES, flow->size_bytes);
  set_f64(sim, at + SIM_ABI_FLOW_START_PS, start_ps);
  set_f64(sim, at + SIM_ABI_FLOW_CNP_INTERVAL_PS, to.cnp_interval_ps);
  if (flow->traffic_class) {
    set_u32(sim, at + SIM_ABI_FLOW_DATA_CLASS, flow->traffic_class);
    set_u32(sim, at + SIM_ABI_FLOW_ACK_CLASS, flow->traffic_class);
  }
  put_node_address(sim, to.node);
  Z_simZ_openQp(&sim->module, from.node, number + 1, number + 1, parameter_set);
}

roce_status roce_sim_send(roce_sim *sim, const roce_sim_flow *flow, uint32_t *number) {
  roce_status status = sim_enter(sim);
  if (status) return status;
  status = check_flow(sim, flow);
  if (status) return sim_leave(sim, status);
  double start_ps = flow->start_ps < 0 ? sim->now_ps : flow->start_ps;
  uint32_t index = sim->flows++;
  write_flow(sim, index, flow, start_ps);
  sim->sent_by[flow->from]++;
  push_waiting(sim, (struct waiting){start_ps, index});
  if (start_ps > sim->last_start_ps) sim->last_start_ps = start_ps;
  if (number) *number = index;
  return sim_leave(sim, ROCE_OK);
}

/* Flows that start before a time join the kernel: none can come before them any more. */
static void join_before(roce_sim *sim, double time_ps) {
  uint32_t starts = region(sim, SIM_ABI_SIM_STARTS);
  uint32_t present = sim_u32(sim, starts);
  uint32_t count = 0;
  while (sim->waiting_count && sim->waiting[0].start_ps < time_ps)
    set_u32(sim, starts + 4 + 4 * (present + count++), pop_waiting(sim).flow);
  if (!count) return;
  Z_simZ_simAddStarts(&sim->module, count);
  sim->is_idle = false;
}

/* ---- The run */

static double end_of(const roce_sim *sim) {
  return sim->plan.ends_after_ps > 0 ? sim->last_start_ps + sim->plan.ends_after_ps : sim->plan.end_ps;
}

static double first_start(const roce_sim *sim) {
  return sim->waiting_count ? sim->waiting[0].start_ps : ROCE_INFINITY;
}

static bool take_done(roce_sim *sim, roce_sim_completion *completion) {
  uint32_t flow = sim->plan.reserved_flows ? Z_simZ_simTakeDone(&sim->module) : ROCE_NONE;
  completion->flow = flow;
  if (flow == ROCE_NONE) return false;
  uint32_t at = flow_at(sim, flow);
  completion->finish_ps = sim_f64(sim, at + SIM_ABI_FLOW_FINISH_PS);
  completion->completion_ps = completion->finish_ps - sim_f64(sim, at + SIM_ABI_FLOW_START_PS);
  return true;
}

/* One slice: up to the next start, the next end of a flow, or `until_ps`. */
static roce_status run_slice(roce_sim *sim, double until_ps, bool *goes_on, roce_sim_completion *completion) {
  double open_until = first_start(sim) + 1;
  join_before(sim, open_until < until_ps ? open_until : until_ps);
  completion->flow = ROCE_NONE;
  *goes_on = false;
  if (sim->is_idle || sim->is_over) return ROCE_OK;
  double stop_ps = fmin(fmin(until_ps, first_start(sim)), end_of(sim));
  uint32_t end = Z_simZ_simRun(&sim->module, stop_ps, BUDGET);
  if (end == SIM_ABI_RUN_NO_MEMORY) return fail(NULL, ROCE_CAPACITY, "there is no memory for another packet in flight");
  if (end == SIM_ABI_RUN_NO_RECORD) return fail(NULL, ROCE_CAPACITY, "more messages run at a time than the plan has records for");
  if (end == SIM_ABI_RUN_IDLE) sim->is_idle = true;
  if (end == SIM_ABI_RUN_DEADLOCK) sim->is_over = true;
  if (end == SIM_ABI_RUN_REACHED && stop_ps == end_of(sim)) sim->is_over = true;
  take_done(sim, completion);
  *goes_on = !sim->is_over && !(end == SIM_ABI_RUN_REACHED && stop_ps == until_ps) && (!sim->is_idle || sim->waiting_count);
  return ROCE_OK;
}

/* The same with traps caught. */
static roce_status guarded_slice(roce_sim *sim, double until_ps, bool *goes_on, roce_sim_completion *completion) {
  roce_status status;
  WITH_TRAPS(sim->faulted = true; return fail(NULL, ROCE_FAULT, "the simulation stopped at an internal error"))
  status = run_slice(sim, until_ps, goes_on, completion);
  END_TRAPS
  return status;
}

static roce_status check_until(const roce_sim *sim, double until_ps) {
  if (is_time(until_ps) && until_ps >= sim->now_ps) return ROCE_OK;
  return fail(NULL, ROCE_INVALID_ARGUMENT, "until_ps must be whole, from %.0f, but is %.17g", sim->now_ps, until_ps);
}

/* A callback may send flows: it is called outside of the simulation. */
static void call_back(roce_sim *sim, roce_sim_on_done *on_done, void *context, const roce_sim_completion *completion) {
  sim_leave(sim, ROCE_OK);
  on_done(context, completion);
  (void)atomic_exchange_explicit(&sim->busy, 1, memory_order_acquire);
}

roce_status roce_sim_advance(roce_sim *sim, double until_ps, roce_sim_on_done *on_done, void *context) {
  roce_sim_completion completion = {0};
  bool goes_on = true;
  roce_status status = sim_enter_running(sim);
  if (status) return status;
  status = check_until(sim, until_ps);
  sim->running = true;
  while (!status && goes_on) {
    status = guarded_slice(sim, until_ps, &goes_on, &completion);
    if (status || completion.flow == ROCE_NONE) continue;
    sim->now_ps = completion.finish_ps;
    if (on_done) call_back(sim, on_done, context, &completion);
    goes_on = goes_on || sim->waiting_count > 0;
  }
  sim->running = false;
  if (!status) sim->now_ps = until_ps;
  return sim_leave(sim, status);
}

roce_status roce_sim_next(roce_sim *sim, double until_ps, roce_sim_completion *completion) {
  bool goes_on = true;
  roce_status status = sim_enter_running(sim);
  if (status) return status;
  status = completion ? check_until(sim, until_ps) : fail(NULL, ROCE_INVALID_ARGUMENT, "completion is NULL");
  while (!status && goes_on) {
    status = guarded_slice(sim, until_ps, &goes_on, completion);
    if (!status && completion->flow != ROCE_NONE) break;
  }
  if (!status) sim->now_ps = completion->flow == ROCE_NONE ? (until_ps < ABI_TIME_MAX_PS ? until_ps : sim->now_ps) : completion->finish_ps;
  return sim_leave(sim, status);
}

roce_status roce_sim_run(roce_sim *sim) {
  roce_sim_completion completion = {0};
  bool goes_on = true;
  roce_status status = sim_enter_running(sim);
  if (status) return status;
  while (!status && goes_on) status = guarded_slice(sim, ABI_TIME_MAX_PS, &goes_on, &completion);
  if (!status) sim->now_ps = fmax(sim->now_ps, Z_simZ_simNow(&sim->module));
  return sim_leave(sim, status);
}

/* ---- What it has counted */

roce_status roce_sim_flow_get(roce_sim *sim, uint32_t flow, roce_sim_flow_state *state) {
  roce_status status = sim_enter(sim);
  if (status) return status;
  if (!state || flow >= sim->flows)
    return sim_leave(sim, fail(NULL, ROCE_INVALID_ARGUMENT, "flow must be below %u, and state not NULL", sim->flows));
  uint32_t at = flow_at(sim, flow);
  uint32_t flags = sim_u32(sim, at + SIM_ABI_FLOW_FLAGS);
  bool is_done = (flags & SIM_ABI_FLOW_DONE) && !(flags & SIM_ABI_FLOW_FAILED);
  *state = (roce_sim_flow_state){
    .size_bytes = sim_f64(sim, at + SIM_ABI_FLOW_SIZE_BYTES),
    .start_ps = sim_f64(sim, at + SIM_ABI_FLOW_START_PS),
    .finish_ps = is_done ? sim_f64(sim, at + SIM_ABI_FLOW_FINISH_PS) : (double)NAN,
    .delivered_bytes = sim_f64(sim, at + SIM_ABI_FLOW_DELIVERED),
    .retransmitted_packets = sim_f64(sim, at + SIM_ABI_FLOW_RETRANSMITTED),
    .timeouts = sim_f64(sim, at + SIM_ABI_FLOW_TIMEOUTS),
    .rate_bps = Z_simZ_simRate(&sim->module, flow, Z_simZ_simNow(&sim->module)),
    .cnps = sim_u32(sim, at + SIM_ABI_FLOW_CNPS),
    .fast_cnps = sim_u32(sim, at + SIM_ABI_FLOW_FAST_CNPS),
    .is_done = is_done,
    .has_failed = (flags & SIM_ABI_FLOW_FAILED) != 0,
  };
  return sim_leave(sim, ROCE_OK);
}

roce_status roce_sim_totals_get(roce_sim *sim, roce_sim_totals *totals) {
  roce_status status = sim_enter(sim);
  if (status) return status;
  if (!totals) return sim_leave(sim, fail(NULL, ROCE_INVALID_ARGUMENT, "totals is NULL"));
  double dropped = 0;
  for (uint32_t kind = SIM_ABI_TOTAL_DROPS; kind < SIM_ABI_TOTAL_KINDS; kind++) dropped += total(sim, kind);
  *totals = (roce_sim_totals){
    .time_ps = Z_simZ_simNow(&sim->module),
    .events = total(sim, SIM_ABI_TOTAL_EVENTS),
    .packet_hops = total(sim, SIM_ABI_TOTAL_HOPS),
    .flows_done = total(sim, SIM_ABI_TOTAL_FLOWS_DONE),
    .delivered_bytes = total(sim, SIM_ABI_TOTAL_DELIVERED),
    .packets_dropped = dropped,
    .timeouts = total(sim, SIM_ABI_TOTAL_TIMEOUTS),
    .flows = sim->flows,
  };
  return sim_leave(sim, ROCE_OK);
}

static void mix_field(struct fingerprint *lanes, const roce_sim *sim, uint32_t at, uint32_t bytes) {
  for (uint32_t word = 0; word < bytes; word += 4) fingerprint_mix(lanes, sim_u32(sim, at + word));
}

roce_status roce_sim_hash(roce_sim *sim, char hash[ROCE_HASH_CHARS]) {
  static const struct {
    uint32_t offset, bytes;
  } FLOW[] = {{SIM_ABI_FLOW_FLAGS, 4},    {SIM_ABI_FLOW_FINISH_PS, 8}, {SIM_ABI_FLOW_DELIVERED, 8}, {SIM_ABI_FLOW_RETRANSMITTED, 8},
              {SIM_ABI_FLOW_TIMEOUTS, 8}, {SIM_ABI_FLOW_CNPS, 4},   {SIM_ABI_FLOW_FAST_CNPS, 4}},
    PORT[] = {{SIM_ABI_PORT_TX_PACKETS, 8}, {SIM_ABI_PORT_TX_BYTES, 8}, {SIM_ABI_PORT_MARKS, 8}, {SIM_ABI_PORT_DROPS, 8}};
  struct fingerprint lanes = FINGERPRINT_INIT;
  roce_status status = sim_enter(sim);
  if (status) return status;
  if (!hash) return sim_leave(sim, fail(NULL, ROCE_INVALID_ARGUMENT, "hash is NULL"));
  for (uint32_t flow = 0; flow < sim->flows; flow++) {
    for (unsigned field = 0; field < sizeof FLOW / sizeof *FLOW; field++)
      mix_field(&lanes, sim, flow_at(sim, flow) + FLOW[field].offset, FLOW[field].bytes);
  }
  for (uint32_t port = 0; port < sim->plan.port_count; port++) {
    uint32_t at = region(sim, SIM_ABI_SIM_PORTS) + port * SIM_ABI_PORT_BYTES;
    for (unsigned field = 0; field < sizeof PORT / sizeof *PORT; field++) mix_field(&lanes, sim, at + PORT[field].offset, PORT[field].bytes);
  }
  mix_field(&lanes, sim, region(sim, SIM_ABI_SIM_TOTALS), SIM_ABI_TOTAL_COUNT * 8);
  fingerprint_write(&lanes, hash);
  return sim_leave(sim, ROCE_OK);
}
