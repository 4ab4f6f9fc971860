/*
 * simulate PLAN             runs a plan with its flows to its end
 * simulate PLAN FLOWS       adds the flows of a file at their start times, a line each: from to size start algorithm
 * simulate PLAN FLOWS cb    adds all but the first in the callback of the previous one, if its start time allows
 *
 * Prints the hash, events and flows done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce_cc.h"

#define FLOWS_MAX 4096

static roce_sim *sim;
static roce_sim_flow flows[FLOWS_MAX];
static int count, sent, done;

static void check(roce_status status) {
  if (!status) return;
  printf("%s: %s\n", roce_status_text(status), roce_last_error(NULL));
  exit(1);
}

static void send_next(void) {
  uint32_t number;
  check(roce_sim_send(sim, &flows[sent], &number));
  if ((int)number != sent++) exit(2);
}

static void read_flows(const char *path) {
  FILE *file = fopen(path, "r");
  char from[64], to[64], algorithm[64];
  double size, start;
  if (!file) exit(3);
  while (count < FLOWS_MAX && fscanf(file, "%63s %63s %lf %lf %63s", from, to, &size, &start, algorithm) == 5) {
    roce_sim_flow flow = ROCE_SIM_FLOW_INIT;
    flow.from = roce_sim_find_host(sim, from);
    flow.to = roce_sim_find_host(sim, to);
    flow.size_bytes = size;
    flow.start_ps = start;
    while (strcmp(roce_sim_algorithm_name(sim, flow.algorithm), algorithm)) flow.algorithm++;
    flows[count++] = flow;
  }
  fclose(file);
}

static void on_done(void *context, const roce_sim_completion *completion) {
  done++;
  if (roce_sim_now(sim) != completion->finish_ps) exit(4);
  if (roce_sim_advance(sim, 1e15, NULL, NULL) != ROCE_BUSY) exit(5);
  while (*(int *)context && sent < count && flows[sent].start_ps >= completion->finish_ps) send_next();
}

int main(int arguments, char **argument) {
  int in_callback = arguments > 3;
  char hash[ROCE_HASH_CHARS];
  roce_sim_totals totals;
  check(roce_sim_open_file(argument[1], &sim));
  if (arguments > 2) {
    read_flows(argument[2]);
    while (sent < count) {
      check(roce_sim_advance(sim, flows[sent].start_ps, on_done, &in_callback));
      if (sent < count && flows[sent].start_ps >= roce_sim_now(sim)) send_next();
    }
    roce_sim_completion completion;
    do {
      check(roce_sim_next(sim, ROCE_TIME_MAX_PS, &completion));
      done += completion.flow != ROCE_NONE;
    } while (completion.flow != ROCE_NONE);
  } else {
    check(roce_sim_run(sim));
  }
  check(roce_sim_hash(sim, hash));
  check(roce_sim_totals_get(sim, &totals));
  if (arguments > 2 && done != (int)totals.flows_done) exit(6);
  printf("%s %.0f events, %.0f flows done\n", hash, totals.events, totals.flows_done);
  return roce_sim_close(sim) || roce_sim_close(sim) != ROCE_CLOSED;
}
