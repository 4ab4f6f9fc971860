#include "sim_plan.h"

#include <string.h>

#include "checksum.h"
#include "tables.h"

static uint32_t u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static double f64(const uint8_t *at) {
  double value;
  memcpy(&value, at, sizeof value);
  return value;
}

static roce_status check_head(const uint8_t *bytes, size_t length) {
  if (length < ABI_PLAN_HEAD_BYTES || u32(bytes) != ABI_PLAN_MAGIC) return fail(NULL, ROCE_INVALID_ARGUMENT, "the bytes are not a plan");
  if (u32(bytes + 4) != ABI_PLAN_VERSION) return fail(NULL, ROCE_VERSION, "the plan is of version %u, the library reads %u", u32(bytes + 4), ABI_PLAN_VERSION);
  if (memcmp(bytes + ABI_PLAN_BUILD, ROCE_SIM_BUILD_TEXT, strlen(ROCE_SIM_BUILD_TEXT)))
    return fail(NULL, ROCE_VERSION, "the plan is of another build of the simulator than the library");
  if (u32(bytes + 8) != checksum(bytes + ABI_PLAN_CHECKED_FROM, length - ABI_PLAN_CHECKED_FROM))
    return fail(NULL, ROCE_INVALID_ARGUMENT, "the plan is damaged");
  return ROCE_OK;
}

static bool are_runs_whole(const struct sim_plan *plan) {
  const uint8_t *at = plan->runs, *data;
  uint32_t address, bytes;
  while (sim_plan_run(plan, &at, &address, &bytes, &data)) {
    if ((uint64_t)address + bytes > UINT32_MAX) return false;
  }
  return at != NULL;
}

static bool are_names_whole(const struct sim_plan *plan) {
  uint32_t ends = 0;
  for (uint32_t at = 0; at < plan->name_bytes; at++) ends += plan->names[at] == 0;
  for (uint32_t host = 0; host < plan->host_count; host++) {
    if (sim_plan_host(plan, host).name_offset >= plan->name_bytes) return false;
  }
  return ends >= plan->host_count + plan->algorithm_count;
}

roce_status sim_plan_read(const uint8_t *bytes, size_t length, struct sim_plan *plan) {
  roce_status status = check_head(bytes, length);
  if (status) return status;
  *plan = (struct sim_plan){
    .host_count = u32(bytes + ABI_PLAN_HOSTS),
    .algorithm_count = u32(bytes + ABI_PLAN_ALGORITHMS),
    .reserved_flows = u32(bytes + ABI_PLAN_RESERVED),
    .flows_per_host = u32(bytes + ABI_PLAN_FLOWS_PER_HOST),
    .flow_count = u32(bytes + ABI_PLAN_FLOWS),
    .port_count = u32(bytes + ABI_PLAN_PORTS),
    .end_ps = f64(bytes + ABI_PLAN_END),
    .ends_after_ps = f64(bytes + ABI_PLAN_ENDS_AFTER),
    .flow_bytes = f64(bytes + ABI_PLAN_FLOW_BYTES),
    .hosts = bytes + ABI_PLAN_HEAD_BYTES,
    .name_bytes = u32(bytes + ABI_PLAN_NAME_BYTES),
    .end = bytes + length,
  };
  uint64_t hosts = (uint64_t)plan->host_count * ABI_PLAN_HOST_BYTES;
  uint64_t templates = (uint64_t)plan->host_count * plan->algorithm_count * (ABI_PLAN_TEMPLATE_HEAD + SIM_ABI_FLOW_BYTES);
  if (ABI_PLAN_HEAD_BYTES + hosts + plan->name_bytes + templates + 8 > length) return fail(NULL, ROCE_INVALID_ARGUMENT, "the plan is cut");
  plan->names = (const char *)plan->hosts + hosts;
  plan->templates = plan->hosts + hosts + plan->name_bytes;
  plan->runs = plan->templates + templates;
  if (!are_names_whole(plan) || !are_runs_whole(plan)) return fail(NULL, ROCE_INVALID_ARGUMENT, "the plan contradicts itself");
  return ROCE_OK;
}

struct sim_host sim_plan_host(const struct sim_plan *plan, uint32_t host) {
  const uint8_t *at = plan->hosts + (size_t)host * ABI_PLAN_HOST_BYTES;
  return (struct sim_host){u32(at), u32(at + 4), u32(at + 8), 0, f64(at + 16)};
}

const char *sim_plan_host_name(const struct sim_plan *plan, uint32_t host) {
  return plan->names + sim_plan_host(plan, host).name_offset;
}

const char *sim_plan_algorithm_name(const struct sim_plan *plan, uint32_t algorithm) {
  const char *name = plan->names;
  for (uint32_t skipped = plan->host_count + algorithm; skipped > 0; skipped--) name += strlen(name) + 1;
  return name;
}

const uint8_t *sim_plan_template(const struct sim_plan *plan, uint32_t host, uint32_t algorithm, uint32_t *parameter_set) {
  size_t number = (size_t)host * plan->algorithm_count + algorithm;
  const uint8_t *at = plan->templates + number * (ABI_PLAN_TEMPLATE_HEAD + SIM_ABI_FLOW_BYTES);
  *parameter_set = u32(at);
  return at + ABI_PLAN_TEMPLATE_HEAD;
}

bool sim_plan_run(const struct sim_plan *plan, const uint8_t **at, uint32_t *address, uint32_t *bytes, const uint8_t **data) {
  size_t left = (size_t)(plan->end - *at);
  if (left < 8) {
    *at = NULL;
    return false;
  }
  *address = u32(*at);
  *bytes = u32(*at + 4);
  *data = *at + 8;
  if (*bytes == 0) return false;
  if (*bytes > left - 8) {
    *at = NULL;
    return false;
  }
  *at = *data + *bytes;
  return true;
}
