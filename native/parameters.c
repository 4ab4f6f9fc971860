/* Presets: parameters from their inputs. The formulas are those of scripts/native/preset-derivations.ts, which finds which one applies. */
#include "parameters.h"

#include <string.h>

#include "abi.h"

#define SHOWN_BYTES 200

/* Inputs and overrides as they are given. */
struct given {
  const struct preset *preset;
  double inputs[INPUT_COUNT];
  uint32_t has_inputs;
  bool has_field[PARAMETER_FIELDS_MAX];
};

static double step_bytes(const struct parameters *p, const struct given *given) {
  bool is_plus = p->algorithm->code == ABI_ALGORITHM_HPCC_PP;
  double window = p->values[is_plus ? HPCC_PP__WINDOW_BYTES : HPCC__WINDOW_BYTES];
  double target = p->values[is_plus ? HPCC_PP__TARGET_UTILIZATION : HPCC__TARGET_UTILIZATION];
  return (window * (1 - target)) / given->inputs[INPUT_EXPECTED_FLOWS];
}

static bool controls_rate(const struct parameters *p) {
  return p->values[p->algorithm->code == ABI_ALGORITHM_HPCC_PP ? HPCC_PP__PRIMARY : HPCC__PRIMARY] == 1;
}

static double step_rate(const struct parameters *p, const struct given *given) {
  double rate = (step_bytes(p, given) * 8e12) / given->inputs[INPUT_BASE_RTT_PS];
  bool whole = p->values[p->algorithm->code == ABI_ALGORITHM_HPCC_PP ? HPCC_PP__NUMBERS : HPCC__NUMBERS] == 1;
  return whole ? floor(rate) : rate;
}

static double derive(const struct preset_field *field, const struct parameters *p, const struct given *given) {
  const double *in = given->inputs;
  double line_rate = in[INPUT_LINE_RATE_BPS];
  switch (field->derivation) {
    case DERIVE_LINE_RATE:
      return line_rate;
    case DERIVE_BASE_RTT:
      return in[INPUT_BASE_RTT_PS];
    case DERIVE_SCALED:
      return trunc((field->a * line_rate) / field->b);
    case DERIVE_RATIO:
      return fmax(1, trunc(line_rate / field->b));
    case DERIVE_PATH_BYTES:
      return fmax(1, floor((line_rate * in[INPUT_BASE_RTT_PS]) / 8e12));
    case DERIVE_STEP_BYTES:
      return controls_rate(p) ? 0 : step_bytes(p, given);
    case DERIVE_STEP_RATE:
      return controls_rate(p) ? step_rate(p, given) : 0;
    case DERIVE_RAI_RATE:
      return (in[INPUT_RAI_FACTOR] * in[INPUT_MSS_BYTES] * 8 * 1e12) / in[INPUT_RTT_PS];
    case DERIVE_HAI_RATE:
      return (in[INPUT_HAI_FACTOR] * in[INPUT_MSS_BYTES] * 8 * 1e12) / in[INPUT_RTT_PS];
    case DERIVE_BYTE_RESET:
      return field->a * in[INPUT_BYTE_RESET_UNIT_BYTES];
    default:
      return field->a;
  }
}

/* Steps depend on the other parameters. */
static bool depends_on_others(const struct preset_field *field) {
  return field->derivation == DERIVE_STEP_BYTES || field->derivation == DERIVE_STEP_RATE;
}

static void derive_all(struct parameters *p, const struct given *given, bool others) {
  for (unsigned index = 0; index < given->preset->field_count; index++) {
    const struct preset_field *field = &given->preset->fields[index];
    if (given->has_field[field->field] || depends_on_others(field) != others) continue;
    p->values[field->field] = derive(field, p, given);
  }
}

static roce_status not_allowed(const struct rule *rule, const char *set, const char *got, char *error) {
  char allowed[SHOWN_BYTES];
  rule_allowed(rule, allowed, sizeof allowed);
  return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: %s must be %s, but is \"%s\"", set, rule->name, allowed, got);
}

/* The named preset of the set, or with NULL its first one; NULL: there is none. */
static const struct preset *find_preset(const char *name, const char *set) {
  for (unsigned index = 0; index < preset_count; index++) {
    const struct preset *preset = &presets[index];
    if (strcmp(preset->name, name)) continue;
    if (!set || (preset->set && !strcmp(preset->set, set))) return preset;
  }
  return NULL;
}

static roce_status choose_preset(const roce_parameter_set *set, struct given *given, char *error) {
  char key[TEXT_PART_BYTES], value[TEXT_PART_BYTES];
  char published[TEXT_PART_BYTES] = "";
  const char *at = set->overrides ? set->overrides : "";
  int pair;
  while ((pair = text_next_pair(&at, key, value)) != 0) {
    if (pair < 0) return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: \"%s\" is not key=value", set->name, key);
    if (!strcmp(key, "set")) memcpy(published, value, sizeof published);
  }
  if (!find_preset(set->preset, NULL))
    return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: there is no preset \"%s\"", set->name, set->preset);
  given->preset = find_preset(set->preset, *published ? published : NULL);
  if (!given->preset)
    return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: preset %s has no set \"%s\"", set->name, set->preset, published);
  return ROCE_OK;
}

static roce_status take_pair(const char *key, const char *value, struct parameters *p, struct given *given, char *error) {
  if (!strcmp(key, "set")) return ROCE_OK;
  bool known = false;
  for (int input = 0; input < INPUT_COUNT; input++) {
    if (strcmp(inputs[input].rule.name, key) || !(given->preset->takes & (1u << input))) continue;
    if (!rule_value(&inputs[input].rule, value, &given->inputs[input])) return not_allowed(&inputs[input].rule, p->name, value, error);
    given->has_inputs |= 1u << input;
    known = true;
  }
  for (unsigned field = 0; field < p->algorithm->field_count; field++) {
    const struct rule *rule = &p->algorithm->fields[field];
    if (strcmp(rule->name, key)) continue;
    if (!rule_value(rule, value, &p->values[field])) return not_allowed(rule, p->name, value, error);
    given->has_field[field] = true;
    known = true;
  }
  if (known) return ROCE_OK;
  return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: %s has no parameter %s", p->name, given->preset->name, key);
}

static roce_status take_overrides(const roce_parameter_set *set, struct parameters *p, struct given *given, char *error) {
  char key[TEXT_PART_BYTES], value[TEXT_PART_BYTES];
  const char *at = set->overrides ? set->overrides : "";
  for (int input = 0; input < INPUT_COUNT; input++) given->inputs[input] = inputs[input].fallback;
  while (text_next_pair(&at, key, value) > 0) {
    roce_status status = take_pair(key, value, p, given, error);
    if (status) return status;
  }
  for (int input = 0; input < INPUT_COUNT; input++) {
    if (given->preset->needs & ~given->has_inputs & (1u << input))
      return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: %s needs %s", p->name, given->preset->name, inputs[input].rule.name);
  }
  return ROCE_OK;
}

/* Derived values can be out of their field's range. */
static roce_status check_ranges(const struct parameters *p, char *error) {
  for (unsigned field = 0; field < p->algorithm->field_count; field++) {
    const struct rule *rule = &p->algorithm->fields[field];
    double value = p->values[field];
    if (rule->kind != RULE_NUMBER || (rule->has_extra && value == rule->extra)) continue;
    if (value >= rule->min && value <= rule->max && (!rule->whole || floor(value) == value)) continue;
    char got[40];
    struct text text = {0};
    text_add_number(&text, value);
    strncpy(got, text.data ? text.data : "", sizeof got - 1);
    got[sizeof got - 1] = 0;
    text_free(&text);
    return not_allowed(rule, p->name, got, error);
  }
  return ROCE_OK;
}

roce_status parameters_build(const roce_parameter_set *set, struct parameters *p, char *error) {
  struct given given = {0};
  memset(p, 0, sizeof *p);
  if (!set->name || !set->preset) return fail(error, ROCE_INVALID_ARGUMENT, "a parameter set needs a name and a preset");
  if (!*set->name || strlen(set->name) >= PARAMETER_NAME_BYTES)
    return fail(error, ROCE_INVALID_ARGUMENT, "the name of a parameter set must have 1 to %d characters", PARAMETER_NAME_BYTES - 1);
  memcpy(p->name, set->name, strlen(set->name) + 1);
  roce_status status = choose_preset(set, &given, error);
  if (status) return status;
  p->preset = given.preset;
  p->algorithm = &algorithms[given.preset->algorithm];
  status = take_overrides(set, p, &given, error);
  if (status) return status;
  derive_all(p, &given, false);
  derive_all(p, &given, true);
  status = check_ranges(p, error);
  if (status) return status;
  int field = 0;
  const char *fault = parameters_fault(p, &field);
  if (fault) return fail(error, ROCE_INVALID_CONFIG, "parameter set %s: %s %s", p->name, p->algorithm->fields[field].name, fault);
  return ROCE_OK;
}

void parameters_add_json(struct text *text, const struct parameters *p) {
  text_add(text, "{\"algorithm\":");
  text_add_quoted(text, p->algorithm->name);
  for (unsigned index = 0; index < p->preset->field_count; index++) {
    const struct rule *rule = &p->algorithm->fields[p->preset->fields[index].field];
    text_add(text, ",");
    text_add_quoted(text, rule->name);
    text_add(text, ":");
    rule_add_json(text, rule, p->values[p->preset->fields[index].field]);
  }
  text_add(text, "}");
}

const char *roce_preset_name(uint32_t index) {
  uint32_t names = 0;
  for (unsigned at = 0; at < preset_count; at++) {
    bool repeated = at > 0 && !strcmp(presets[at - 1].name, presets[at].name);
    if (!repeated && names++ == index) return presets[at].name;
  }
  return NULL;
}
