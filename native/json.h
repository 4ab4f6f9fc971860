/* JSON texts as far as snapshots need them: whether two have the same values, whatever the order of their keys. */
#ifndef ROCE_JSON_H
#define ROCE_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* A text of JSON with its end. */
struct json {
  const char *at;
  const char *end;
};

/* Skips one value; false if there is none. */
bool json_skip(struct json *json);
/* The value of a key of an object; `end` - `at` is its text. False: no object, or no such key. */
bool json_member(struct json object, const char *key, size_t key_length, struct json *value);
/* Whether both are one value, and the same one. */
bool json_equal(struct json a, struct json b);

#endif
