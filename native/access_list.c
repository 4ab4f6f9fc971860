#include "access_list.h"

#include <stdlib.h>
#include <string.h>

#include "address.h"

#define ADDRESS_BITS 128

struct wide {
  uint64_t high, low;
};

struct span {
  struct wide first, last;
  bool allow;
};

static int compare(struct wide a, struct wide b) {
  if (a.high != b.high) return a.high < b.high ? -1 : 1;
  return a.low == b.low ? 0 : a.low < b.low ? -1 : 1;
}

static struct wide next_of(struct wide a) {
  return (struct wide){a.high + (a.low == UINT64_MAX), a.low + 1};
}

static bool is_last(struct wide a) {
  return a.high == UINT64_MAX && a.low == UINT64_MAX;
}

static bool is_same_prefix(const struct access_rule *a, const struct access_rule *b) {
  return a->length_bits == b->length_bits && !memcmp(a->address, b->address, sizeof a->address);
}

static bool parse_length(const char *text, unsigned *bits) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  *bits = (unsigned)value;
  return *text >= '0' && *text <= '9' && !*end && value <= ADDRESS_BITS;
}

/* Host bits must be 0, as for the npm package. */
static bool has_host_bits(const struct access_rule *rule) {
  for (unsigned bit = rule->length_bits; bit < ADDRESS_BITS; bit++) {
    if (rule->address[bit / 8] & (0x80u >> bit % 8)) return true;
  }
  return false;
}

roce_status access_list_add(struct access_list *list, const char *prefix, bool allow, char *error) {
  struct access_rule rule = {.allow = allow, .length_bits = ADDRESS_BITS};
  char address[64];
  const char *slash = strchr(prefix, '/');
  size_t length = slash ? (size_t)(slash - prefix) : strlen(prefix);
  bool fits = length < sizeof address && strlen(prefix) < sizeof rule.text;
  if (fits) {
    memcpy(address, prefix, length);
    address[length] = 0;
    memcpy(rule.text, prefix, strlen(prefix) + 1);
  }
  if (!fits || !strchr(address, ':') || !address_parse(address, rule.address) || (slash && !parse_length(slash + 1, &rule.length_bits)) ||
      has_host_bits(&rule))
    return fail(error, ROCE_INVALID_CONFIG, "fastCnp.%s must be an IPv6 address or prefix such as 2001:db8::/32, but is \"%.70s\"",
                allow ? "allow" : "deny", prefix);
  for (unsigned index = 0; index < list->count; index++) {
    if (is_same_prefix(&rule, &list->rules[index]))
      return fail(error, ROCE_INVALID_CONFIG, "the prefix %s is in the access list twice", prefix);
  }
  struct access_rule *rules = realloc(list->rules, (list->count + 1) * sizeof *rules);
  if (!rules) return fail(error, ROCE_CAPACITY, "no memory for the access list");
  list->rules = rules;
  list->rules[list->count++] = rule;
  return ROCE_OK;
}

static struct wide wide_of(const uint8_t bytes[16]) {
  struct wide value = {0, 0};
  for (int index = 0; index < 8; index++) {
    value.high = value.high << 8 | bytes[index];
    value.low = value.low << 8 | bytes[8 + index];
  }
  return value;
}

static struct span span_of(const struct access_rule *rule) {
  unsigned free_bits = ADDRESS_BITS - rule->length_bits;
  struct wide first = wide_of(rule->address);
  uint64_t low = free_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << free_bits) - 1;
  uint64_t high = free_bits <= 64 ? 0 : free_bits == ADDRESS_BITS ? UINT64_MAX : (UINT64_C(1) << (free_bits - 64)) - 1;
  return (struct span){first, {first.high | high, first.low | low}, rule->allow};
}

/* By first address, wider ones first. */
static int by_first(const void *left, const void *right) {
  const struct span *a = left, *b = right;
  int order = compare(a->first, b->first);
  return order ? order : compare(b->last, a->last);
}

struct ranges {
  struct access_range *items;
  unsigned count;
};

/* A range that begins where the last one does replaces it; one with the same verdict is no new range. */
static void append(struct ranges *ranges, struct wide first, bool allow) {
  if (ranges->count && ranges->items[ranges->count - 1].high == first.high && ranges->items[ranges->count - 1].low == first.low)
    ranges->count--;
  if (ranges->count && ranges->items[ranges->count - 1].allow == allow) return;
  ranges->items[ranges->count++] = (struct access_range){first.high, first.low, allow};
}

/* Ends the spans that are wholly before `address`, or with NULL all of them; after each the span around it decides again. */
static void close_before(struct span *open, unsigned *depth, const struct wide *address, struct ranges *ranges) {
  while (*depth > 1 && (!address || compare(open[*depth - 1].last, *address) < 0)) {
    struct wide last = open[--*depth].last;
    if (!is_last(last)) append(ranges, next_of(last), open[*depth - 1].allow);
  }
}

struct access_range *access_list_flatten(const struct access_list *list, bool default_allow, unsigned *count) {
  struct span *spans = calloc(2 * (size_t)list->count + 1, sizeof *spans);
  struct access_range *items = calloc(2 * (size_t)list->count + 1, sizeof *items);
  if (!spans || !items) {
    free(spans);
    free(items);
    return NULL;
  }
  struct span *open = spans + list->count;
  struct ranges ranges = {items, 0};
  unsigned depth = 1;
  open[0] = (struct span){{0, 0}, {UINT64_MAX, UINT64_MAX}, default_allow};
  append(&ranges, open[0].first, default_allow);
  for (unsigned index = 0; index < list->count; index++) spans[index] = span_of(&list->rules[index]);
  qsort(spans, list->count, sizeof *spans, by_first);
  for (unsigned index = 0; index < list->count; index++) {
    close_before(open, &depth, &spans[index].first, &ranges);
    append(&ranges, spans[index].first, spans[index].allow);
    open[depth++] = spans[index];
  }
  close_before(open, &depth, NULL, &ranges);
  free(spans);
  *count = ranges.count;
  return items;
}

void access_list_free(struct access_list *list) {
  free(list->rules);
  list->rules = NULL;
  list->count = 0;
}
