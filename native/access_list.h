/* The access list of Fast CNPs: prefixes in, sorted ranges out, of which each decides up to the next. */
#ifndef ROCE_ACCESS_LIST_H
#define ROCE_ACCESS_LIST_H

#include <stdbool.h>

#include "errors.h"

struct access_rule {
  uint8_t address[16];
  unsigned length_bits;
  bool allow;
  char text[64];
};

struct access_list {
  struct access_rule *rules;
  unsigned count;
};

struct access_range {
  uint64_t high, low;
  bool allow;
};

/* Adds a prefix such as 2001:db8::/32. */
roce_status access_list_add(struct access_list *list, const char *prefix, bool allow, char *error);
/* Ranges in order, the first from ::; to be freed by the caller. NULL: no memory. */
struct access_range *access_list_flatten(const struct access_list *list, bool default_allow, unsigned *count);
void access_list_free(struct access_list *list);

#endif
