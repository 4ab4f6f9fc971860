#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE
#endif
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

#define HASH_KEYS 8
#define SHOWN_BYTES 200

static roce_status take_access_rule(struct access_list *list, const char *key, const char *value, char *error) {
  return access_list_add(list, value, !strcmp(key, "fastCnp.allow"), error);
}

static roce_status take_engine_setting(void *context, const char *key, const char *value, char *error) {
  struct config *config = context;
  double number;
  if (!strcmp(key, "fastCnp.allow") || !strcmp(key, "fastCnp.deny")) return take_access_rule(&config->access_list, key, value, error);
  if (strcmp(key, "hashSeed")) return fail(error, ROCE_INVALID_CONFIG, "there is no setting %s", key);
  if (!text_number(value, &number) || number < 0 || number > UINT32_MAX || floor(number) != number)
    return fail(error, ROCE_INVALID_CONFIG, "hashSeed must be whole, 0 to 4294967295, but is \"%s\"", value);
  config->has_seed = true;
  config->seed = (uint32_t)number;
  return ROCE_OK;
}

roce_status settings_read(const char *text, const struct input *table, unsigned count, double *values, take_other *other, void *context,
                          char *error) {
  char key[TEXT_PART_BYTES], value[TEXT_PART_BYTES], allowed[SHOWN_BYTES];
  int pair;
  if (!text) return ROCE_OK;
  while ((pair = text_next_pair(&text, key, value)) != 0) {
    if (pair < 0) return fail(error, ROCE_INVALID_CONFIG, "\"%s\" is not key=value", key);
    unsigned index = 0;
    while (index < count && (strcmp(table[index].rule.name, key) || table[index].rule.kind == RULE_ACCESS_LIST)) index++;
    if (index == count) {
      roce_status status = other ? other(context, key, value, error) : fail(error, ROCE_INVALID_CONFIG, "there is no setting %s", key);
      if (status) return status;
    } else if (!rule_value(&table[index].rule, value, &values[index])) {
      rule_allowed(&table[index].rule, allowed, sizeof allowed);
      return fail(error, ROCE_INVALID_CONFIG, "%s must be %s, but is \"%s\"", key, allowed, value);
    }
  }
  return ROCE_OK;
}

static roce_status read_capacity(const roce_options *options, struct config *config, char *error) {
  const uint32_t given[CAPACITY_COUNT] = {options->qps,    options->endpoints, options->addresses,
                                          options->events, options->packets,   options->frame_bytes};
  for (unsigned index = 0; index < CAPACITY_COUNT; index++) {
    const struct rule *rule = &capacities[index].rule;
    config->capacity[index] = given[index] ? given[index] : capacities[index].fallback;
    if (index == CAPACITY_ADDRESSES && !given[index]) config->capacity[index] = fmax(capacities[index].fallback, 2.0 * options->endpoints);
    if (config->capacity[index] < rule->min || config->capacity[index] > rule->max)
      return fail(error, ROCE_INVALID_CONFIG, "%s must be %.15g to %.15g, but is %u", rule->name, rule->min, rule->max, given[index]);
  }
  return ROCE_OK;
}

static roce_status read_parameter_sets(const roce_options *options, struct config *config, char *error) {
  if (!options->parameter_sets || options->parameter_set_count < 1 || options->parameter_set_count > ABI_PARAMETER_SET_COUNT)
    return fail(error, ROCE_INVALID_CONFIG, "an engine has 1 to 16 parameter sets, not %u", options->parameter_set_count);
  for (unsigned index = 0; index < options->parameter_set_count; index++) {
    struct parameters *set = &config->parameter_sets[index];
    roce_status status = parameters_build(&options->parameter_sets[index], set, error);
    if (status) return status;
    for (unsigned other = 0; other < index; other++) {
      if (!strcmp(config->parameter_sets[other].name, set->name))
        return fail(error, ROCE_INVALID_CONFIG, "two parameter sets have the name %s", set->name);
    }
    config->parameter_set_count++;
  }
  return ROCE_OK;
}

roce_status config_read(const roce_options *options, struct config *config, char *error) {
  memset(config, 0, sizeof *config);
  for (unsigned index = 0; index < SETTING_COUNT; index++) config->settings[index] = settings[index].fallback;
  roce_status status = read_capacity(options, config, error);
  if (!status) status = read_parameter_sets(options, config, error);
  if (!status) status = settings_read(options->settings, settings, SETTING_COUNT, config->settings, take_engine_setting, config, error);
  return status;
}

void config_free(struct config *config) {
  access_list_free(&config->access_list);
}

uint32_t config_features(const struct config *config) {
  uint32_t features = 0;
  if (config->settings[SETTING_NOTIFICATION_POINT_SCOPE] == ABI_SCOPE_DESTINATION) features |= ABI_FEATURE_PEERS;
  if (config->settings[SETTING_NOTIFICATION_POINT_WINDOW] == ABI_WINDOW_TRAILING) features |= ABI_FEATURE_TRAILING;
  for (unsigned index = 0; index < config->parameter_set_count; index++) {
    if (parameters_cut_per_period(&config->parameter_sets[index])) features |= ABI_FEATURE_CUT_TIMES;
    if (parameters_read_acks(&config->parameter_sets[index])) features |= ABI_FEATURE_ACKS;
  }
  return features;
}

uint32_t config_hops(const struct config *config) {
  uint32_t hops = 0;
  for (unsigned index = 0; index < config->parameter_set_count; index++) {
    uint32_t own = parameters_hops(&config->parameter_sets[index]);
    if (own > hops) hops = own;
  }
  return hops;
}

uint32_t config_table_bytes(const struct config *config) {
  uint32_t bytes = 0;
  for (unsigned index = 0; index < config->parameter_set_count; index++) bytes += parameters_table_bytes(&config->parameter_sets[index]);
  return bytes;
}

bool config_reads_acks(const struct config *config) {
  return (config_features(config) & ABI_FEATURE_ACKS) != 0;
}

static void add_access_list(struct text *text, const struct access_list *list) {
  text_add(text, "[");
  for (unsigned index = 0; index < list->count; index++) {
    text_add(text, index ? ",{\"prefix\":" : "{\"prefix\":");
    text_add_quoted(text, list->rules[index].text);
    text_add(text, list->rules[index].allow ? ",\"action\":\"allow\"}" : ",\"action\":\"deny\"}");
  }
  text_add(text, "]");
}

/* Characters of the path up to and with its last point. */
static size_t prefix_length(const char *path) {
  const char *point = strrchr(path, '.');
  return point ? (size_t)(point - path) + 1 : 0;
}

/* Closes objects until `open` is a prefix of the path, then opens those that are missing. */
static void move_to(struct text *text, char *open, const char *path, bool *is_first) {
  size_t wanted = prefix_length(path);
  size_t length = strlen(open);
  while (length && strncmp(open, path, length)) {
    text_add(text, "}");
    open[length - 1] = 0;
    length = prefix_length(open);
    open[length] = 0;
    *is_first = false;
  }
  while (length < wanted) {
    const char *from = path + length;
    size_t part = (size_t)(strchr(from, '.') - from);
    if (!*is_first) text_add(text, ",");
    text_add(text, "\"");
    text_add_bytes(text, from, part);
    text_add(text, "\":{");
    memcpy(open + length, from, part + 1);
    length += part + 1;
    open[length] = 0;
    *is_first = true;
  }
}

static void add_settings(struct text *text, const struct input *table, unsigned count, const double *values,
                         const struct access_list *list) {
  char open[80] = "";
  bool is_first = false;
  for (unsigned index = 0; index < count; index++) {
    const struct rule *rule = &table[index].rule;
    move_to(text, open, rule->name, &is_first);
    if (!is_first) text_add(text, ",");
    is_first = false;
    text_add_quoted(text, rule->name + prefix_length(rule->name));
    text_add(text, ":");
    if (rule->kind == RULE_ACCESS_LIST) add_access_list(text, list);
    else rule_add_json(text, rule, values[index]);
  }
  for (size_t length = strlen(open); length; length = prefix_length(open)) {
    text_add(text, "}");
    open[length - 1] = 0;
    open[prefix_length(open)] = 0;
  }
}

void config_add_json(struct text *text, const struct config *config) {
  text_add(text, "{\"backend\":\"wasm\",\"parameterSetNames\":[");
  for (unsigned index = 0; index < config->parameter_set_count; index++) {
    if (index) text_add(text, ",");
    text_add_quoted(text, config->parameter_sets[index].name);
  }
  text_add(text, "],\"parameterSets\":[");
  for (unsigned index = 0; index < config->parameter_set_count; index++) {
    if (index) text_add(text, ",");
    parameters_add_json(text, &config->parameter_sets[index]);
  }
  text_add(text, "]");
  add_settings(text, capacities, CAPACITY_COUNT, config->capacity, NULL);
  add_settings(text, settings, SETTING_COUNT, config->settings, &config->access_list);
  text_add(text, ",\"traceRecords\":0");
  if (config->has_seed) {
    text_add(text, ",\"hashSeed\":");
    text_add_number(text, config->seed);
  }
  text_add(text, "}");
}

/* SplitMix64 (Steele et al., OOPSLA 2014). */
static void grow_keys(uint64_t keys[HASH_KEYS], uint64_t state) {
  for (unsigned index = 0; index < HASH_KEYS; index++) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    keys[index] = mixed ^ (mixed >> 31);
  }
}

#if defined(_WIN32)
static bool random_keys(uint64_t keys[HASH_KEYS]) {
  for (unsigned word = 0; word < 2 * HASH_KEYS; word++) {
    unsigned value;
    if (rand_s(&value)) return false;
    memcpy((uint8_t *)keys + 4 * word, &value, 4);
  }
  return true;
}
#else
static bool random_keys(uint64_t keys[HASH_KEYS]) {
  FILE *source = fopen("/dev/urandom", "rb");
  if (!source) return false;
  size_t read = fread(keys, sizeof *keys, HASH_KEYS, source);
  fclose(source);
  return read == HASH_KEYS;
}
#endif

bool config_hash_keys(const struct config *config, uint64_t keys[HASH_KEYS]) {
  if (config->has_seed) grow_keys(keys, config->seed);
  else if (!random_keys(keys)) return false;
  /* Keys are odd: none is 0. */
  for (unsigned index = 0; index < HASH_KEYS; index++) keys[index] |= 1;
  return true;
}
