/* The file of a plan: src/sim/native-plan.ts. */
#ifndef ROCE_SIM_PLAN_H
#define ROCE_SIM_PLAN_H

#include <stdbool.h>

#include "abi.h"
#include "errors.h"

struct sim_host {
  uint32_t node, name_offset, response_port, reserved;
  double cnp_interval_ps;
};

/* What a plan says, in place: it points into the bytes. */
struct sim_plan {
  uint32_t host_count, algorithm_count, reserved_flows, flows_per_host, flow_count, port_count;
  double end_ps, ends_after_ps, flow_bytes;
  const uint8_t *hosts;
  const char *names;
  uint32_t name_bytes;
  const uint8_t *templates;
  const uint8_t *runs;
  const uint8_t *end;
};

/* Checks magic, version, build, checksum and lengths. */
roce_status sim_plan_read(const uint8_t *bytes, size_t length, struct sim_plan *plan);
struct sim_host sim_plan_host(const struct sim_plan *plan, uint32_t host);
/* Name of a host, or of an algorithm. */
const char *sim_plan_host_name(const struct sim_plan *plan, uint32_t host);
const char *sim_plan_algorithm_name(const struct sim_plan *plan, uint32_t algorithm);
/* Record of a flow from a host under an algorithm, and its parameter set. */
const uint8_t *sim_plan_template(const struct sim_plan *plan, uint32_t host, uint32_t algorithm, uint32_t *parameter_set);
/* The next run of memory, from `*at`; false behind the last one. */
bool sim_plan_run(const struct sim_plan *plan, const uint8_t **at, uint32_t *address, uint32_t *bytes, const uint8_t **data);

#endif
