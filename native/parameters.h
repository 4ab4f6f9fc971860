/* Parameter sets: presets with overrides, checked, and as the records that the engine reads. */
#ifndef ROCE_PARAMETERS_H
#define ROCE_PARAMETERS_H

#include <stdbool.h>

#include "errors.h"
#include "tables.h"
#include "text.h"

#define PARAMETER_FIELDS_MAX 40
#define PARAMETER_NAME_BYTES 64

struct parameters {
  char name[PARAMETER_NAME_BYTES];
  const struct preset *preset;
  const struct algorithm *algorithm;
  /* By field of the algorithm, in the units of rules.h. */
  double values[PARAMETER_FIELDS_MAX];
};

/* Builds and checks a parameter set; `error`: as of `fail`. */
roce_status parameters_build(const roce_parameter_set *given, struct parameters *out, char *error);
/* What several fields demand of each other; NULL, or the sentence of the first fault, and the field at fault. */
const char *parameters_fault(const struct parameters *p, int *field);
/* Largest window of RCCC's parameters. */
double parameters_rccc_window(const double *values);
/* Writes the record that the engine reads to `at`, of ABI_PARAMETER_SET_BYTES. */
void parameters_write(const struct parameters *p, uint8_t *at);
/* Hops that a QP keeps, or whose room its further state takes; bytes of its table. */
unsigned parameters_hops(const struct parameters *p);
uint32_t parameters_table_bytes(const struct parameters *p);
/* Whether it reads acknowledgements or credit, or checks for cuts per period. */
bool parameters_read_acks(const struct parameters *p);
bool parameters_read_credit(const struct parameters *p);
bool parameters_cut_per_period(const struct parameters *p);
/* As JSON, in the order of the npm package. */
void parameters_add_json(struct text *text, const struct parameters *p);

#endif
