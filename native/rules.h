/* Rules of parameters and settings, and the presets: the records of which the generated tables are made. */
#ifndef ROCE_RULES_H
#define ROCE_RULES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define ROCE_INFINITY ((double)INFINITY)

enum rule_kind {
  /* A number of a range, or `extra`. */
  RULE_NUMBER,
  /* One of `numbers`. */
  RULE_NUMBERS,
  /* One of `words`; its value is the index. */
  RULE_CHOICE,
  /* true or false: 1 or 0. */
  RULE_FLAG,
  /* Some of `words`, joined by +; its value is their bits. */
  RULE_SET,
  /* A number of a range, or the one word: -1. */
  RULE_NUMBER_OR_WORD,
  /* Not a value: fastCnp.allow and fastCnp.deny. */
  RULE_ACCESS_LIST
};

struct rule {
  const char *name;
  uint8_t kind;
  uint8_t whole;
  uint8_t has_extra;
  uint8_t count;
  double min;
  double max;
  double extra;
  const char *const *words;
  const double *numbers;
  const char *unit;
};

/* A value with its default; of an input of presets 0 = it must be given. */
struct input {
  struct rule rule;
  double fallback;
};

struct algorithm {
  const char *name;
  uint32_t code;
  uint32_t traits;
  const struct rule *fields;
  unsigned field_count;
};

/* How a preset gives a parameter: native/parameters.c. */
struct preset_field {
  uint8_t field;
  uint8_t derivation;
  double a;
  double b;
};

struct preset {
  const char *name;
  /* The published set, or NULL: there is one only. */
  const char *set;
  uint8_t algorithm;
  /* Bits INPUT_*: those it takes, and those it needs. */
  uint32_t takes;
  uint32_t needs;
  const struct preset_field *fields;
  unsigned field_count;
};

#endif
