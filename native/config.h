/* The configuration of an engine: options completed with the defaults and checked. */
#ifndef ROCE_CONFIG_H
#define ROCE_CONFIG_H

#include "access_list.h"
#include "parameters.h"

struct config {
  struct parameters parameter_sets[16];
  unsigned parameter_set_count;
  double capacity[CAPACITY_COUNT];
  double settings[SETTING_COUNT];
  struct access_list access_list;
  bool has_seed;
  uint32_t seed;
};

/* Completes and checks options; `config_free` in any case. */
roce_status config_read(const roce_options *options, struct config *config, char *error);
void config_free(struct config *config);
/* FEATURE_* bits, hops, and bytes of tables that the parameter sets need. */
uint32_t config_features(const struct config *config);
uint32_t config_hops(const struct config *config);
uint32_t config_table_bytes(const struct config *config);
bool config_reads_acks(const struct config *config);
/* As JSON, in the order of the npm package's engine.config. */
void config_add_json(struct text *text, const struct config *config);
/* Hash keys from the seed, or random ones; false: the system gives none. */
bool config_hash_keys(const struct config *config, uint64_t keys[8]);
/* Reads "key=value ..." of a table into `values`, which hold the defaults; pairs that the table lacks go to `other`. */
typedef roce_status take_other(void *context, const char *key, const char *value, char *error);
roce_status settings_read(const char *text, const struct input *table, unsigned count, double *values, take_other *other, void *context,
                          char *error);

#endif
