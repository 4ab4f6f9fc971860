/* Scenarios as JSON: what the npm package's own JavaScript makes of them (native/scenarios), which not every library has in it. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/script.h"

#ifndef ROCE_SCENARIOS
roce_status script_call(const char *function, const char *json, const char *options, struct script_result *result) {
  (void)function;
  (void)json;
  (void)options;
  (void)result;
  return fail(NULL, ROCE_UNSUPPORTED, "this library reads no scenarios: make SCENARIOS=1 builds one that does");
}
#endif

roce_status roce_sim_run_json(const char *json, char hash[ROCE_HASH_CHARS], char **result) {
  struct script_result made;
  if (!json || !hash || !result) return fail(NULL, ROCE_INVALID_ARGUMENT, "roce_sim_run_json needs a scenario, and places for the hash and the result");
  *result = NULL;
  hash[0] = 0;
  roce_status status = script_call("run", json, "", &made);
  if (status) return status;
  /* The hash comes first, then the JSON. */
  memcpy(hash, made.bytes, ROCE_HASH_CHARS - 1);
  hash[ROCE_HASH_CHARS - 1] = 0;
  memmove(made.bytes, made.bytes + ROCE_HASH_CHARS - 1, made.length - (ROCE_HASH_CHARS - 1) + 1);
  *result = (char *)made.bytes;
  return ROCE_OK;
}

roce_status roce_sim_open_json(const char *json, const char *options, roce_sim **sim) {
  struct script_result plan;
  if (!json || !sim) return fail(NULL, ROCE_INVALID_ARGUMENT, "roce_sim_open_json needs a scenario and a place for the simulation");
  *sim = NULL;
  roce_status status = script_call(options ? "openPlan" : "plan", json, options ? options : "", &plan);
  if (status) return status;
  status = roce_sim_open(plan.bytes, plan.length, sim);
  free(plan.bytes);
  return status;
}

void roce_free(void *memory) {
  free(memory);
}
