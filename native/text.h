/* Texts: a buffer that grows, "key=value" lists, and numbers as JavaScript writes them. */
#ifndef ROCE_TEXT_H
#define ROCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "rules.h"

/* A text that grows; `failed` once memory ran out. Begin with all zero, end with text_free. */
struct text {
  char *data;
  size_t length;
  size_t capacity;
  bool failed;
};

void text_free(struct text *text);
void text_add(struct text *text, const char *part);
void text_add_bytes(struct text *text, const char *part, size_t length);
/* In JSON's quotes. */
void text_add_quoted(struct text *text, const char *part);
/* As JSON.stringify writes it: the shortest digits that give the same double. */
void text_add_number(struct text *text, double value);

#define TEXT_PART_BYTES 128

/* The next pair of "key=value key=value"; `*at` moves behind it. 1: a pair; 0: none left; -1: not a pair, or too long. */
int text_next_pair(const char **at, char key[TEXT_PART_BYTES], char value[TEXT_PART_BYTES]);
/* A number in C's notation, without anything behind it. */
bool text_number(const char *text, double *value);
/* A value of a rule; false if it is not allowed. */
bool rule_value(const struct rule *rule, const char *text, double *value);
/* What a rule allows, in words. */
void rule_allowed(const struct rule *rule, char *out, size_t bytes);
/* The value as JSON. */
void rule_add_json(struct text *text, const struct rule *rule, double value);

#endif
