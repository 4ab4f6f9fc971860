/*
 * scenario FILE           runs a scenario; prints the hash of its result
 * scenario FILE RESULT    ... and writes the result
 * scenario FILE --open    opens it as a simulation and runs that; prints the hash of its counters
 * scenario FILE --add     opens it as one without flows, adds one from each of the first two hosts, runs it to its end; prints the hash
 * scenario                prints the errors of misuse
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce_cc.h"

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  size_t length = (size_t)ftell(file);
  rewind(file);
  text = calloc(1, length + 1);
  if (text && fread(text, 1, length, file) != length) text[0] = 0;
  fclose(file);
  return text;
}

static int failed(roce_status status) {
  printf("%s: %s\n", roce_status_text(status), roce_last_error(NULL));
  return 0;
}

static int misuse(void) {
  char hash[ROCE_HASH_CHARS], *result;
  roce_sim *sim;
  failed(roce_sim_run_json(NULL, hash, &result));
  failed(roce_sim_run_json("{", hash, NULL));
  failed(roce_sim_open_json(NULL, NULL, &sim));
  roce_free(NULL);
  return 0;
}

static void add_flows(roce_sim *sim) {
  for (uint32_t host = 0; host < 2; host++) {
    roce_sim_flow flow = ROCE_SIM_FLOW_INIT;
    flow.from = host;
    flow.to = 2;
    flow.size_bytes = 1e6;
    roce_sim_send(sim, &flow, NULL);
  }
}

static int open_and_run(const char *text, int add) {
  char hash[ROCE_HASH_CHARS];
  roce_sim *sim;
  roce_status status = roce_sim_open_json(text, add ? "{\"flows\": 8}" : NULL, &sim);
  if (status) return failed(status);
  if (add) add_flows(sim);
  status = roce_sim_run(sim);
  if (status) return failed(status);
  roce_sim_hash(sim, hash);
  puts(hash);
  roce_sim_close(sim);
  return 0;
}

int main(int argc, char **argv) {
  char hash[ROCE_HASH_CHARS], *result;
  if (argc < 2) return misuse();
  char *text = read_text(argv[1]);
  if (!text) return 1;
  if (argc > 2 && argv[2][0] == '-') {
    int failure = open_and_run(text, !strcmp(argv[2], "--add"));
    free(text);
    return failure;
  }
  roce_status status = roce_sim_run_json(text, hash, &result);
  free(text);
  if (status) return failed(status);
  puts(hash);
  if (argc > 2) {
    FILE *file = fopen(argv[2], "wb");
    if (!file) return 1;
    fputs(result, file);
    fclose(file);
  }
  roce_free(result);
  return 0;
}
