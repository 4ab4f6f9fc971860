#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this JavaScript writes exponents. */
#define LARGEST_PLAIN_EXPONENT 21
#define SMALLEST_PLAIN_EXPONENT (-7)
#define DOUBLE_DIGITS 17

void text_free(struct text *text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

void text_add_bytes(struct text *text, const char *part, size_t length) {
  if (text->failed) return;
  if (text->length + length + 1 > text->capacity) {
    size_t capacity = 2 * (text->length + length + 1);
    char *data = realloc(text->data, capacity);
    if (!data) {
      text->failed = true;
      return;
    }
    text->data = data;
    text->capacity = capacity;
  }
  memcpy(text->data + text->length, part, length);
  text->length += length;
  text->data[text->length] = 0;
}

void text_add(struct text *text, const char *part) {
  text_add_bytes(text, part, strlen(part));
}

void text_add_quoted(struct text *text, const char *part) {
  text_add(text, "\"");
  for (const unsigned char *at = (const unsigned char *)part; *at; at++) {
    char escaped[8] = {(char)*at, 0};
    if (*at == '"' || *at == '\\') snprintf(escaped, sizeof escaped, "\\%c", *at);
    else if (*at == '\n') memcpy(escaped, "\\n", 3);
    else if (*at == '\t') memcpy(escaped, "\\t", 3);
    else if (*at == '\r') memcpy(escaped, "\\r", 3);
    else if (*at == '\b') memcpy(escaped, "\\b", 3);
    else if (*at == '\f') memcpy(escaped, "\\f", 3);
    else if (*at < 0x20) snprintf(escaped, sizeof escaped, "\\u%04x", *at);
    text_add(text, escaped);
  }
  text_add(text, "\"");
}

/* The fewest digits that read back as the same double, and the place of the point: 0.d1d2d3... times 10^exponent. */
static int shortest_digits(double value, char digits[DOUBLE_DIGITS + 1], int *exponent) {
  char text[40];
  for (int precision = 0; precision < DOUBLE_DIGITS; precision++) {
    snprintf(text, sizeof text, "%.*e", precision, value);
    if (strtod(text, NULL) == value || precision == DOUBLE_DIGITS - 1) break;
  }
  int count = 0;
  const char *at = text;
  for (; *at && *at != 'e'; at++) {
    if (*at >= '0' && *at <= '9') digits[count++] = *at;
  }
  *exponent = atoi(at + 1) + 1;
  while (count > 1 && digits[count - 1] == '0') count--;
  digits[count] = 0;
  return count;
}

void text_add_number(struct text *text, double value) {
  if (!(value - value == 0)) {
    text_add(text, "null");
    return;
  }
  if (value == 0) {
    text_add(text, "0");
    return;
  }
  if (value < 0) {
    text_add(text, "-");
    value = -value;
  }
  char digits[DOUBLE_DIGITS + 1];
  int exponent;
  int count = shortest_digits(value, digits, &exponent);
  if (exponent > LARGEST_PLAIN_EXPONENT || exponent < SMALLEST_PLAIN_EXPONENT + 2) {
    char power[16];
    text_add_bytes(text, digits, 1);
    if (count > 1) {
      text_add(text, ".");
      text_add(text, digits + 1);
    }
    snprintf(power, sizeof power, "e%c%d", exponent > 0 ? '+' : '-', abs(exponent - 1));
    text_add(text, power);
  } else if (exponent <= 0) {
    text_add(text, "0.");
    for (int zero = exponent; zero < 0; zero++) text_add(text, "0");
    text_add(text, digits);
  } else {
    text_add_bytes(text, digits, (size_t)(count < exponent ? count : exponent));
    for (int zero = count; zero < exponent; zero++) text_add(text, "0");
    if (count > exponent) {
      text_add(text, ".");
      text_add(text, digits + exponent);
    }
  }
}

static bool is_separator(char c) {
  return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r';
}

int text_next_pair(const char **at, char key[TEXT_PART_BYTES], char value[TEXT_PART_BYTES]) {
  const char *from = *at;
  while (is_separator(*from)) from++;
  if (!*from) return 0;
  size_t length = 0;
  while (from[length] && !is_separator(from[length])) length++;
  *at = from + length;
  const char *equals = memchr(from, '=', length);
  size_t key_length = equals ? (size_t)(equals - from) : length;
  size_t value_length = equals ? length - key_length - 1 : 0;
  bool is_pair = equals && key_length > 0 && key_length < TEXT_PART_BYTES && value_length < TEXT_PART_BYTES;
  size_t kept = key_length < TEXT_PART_BYTES ? key_length : TEXT_PART_BYTES - 1;
  memcpy(key, from, kept);
  key[kept] = 0;
  value[0] = 0;
  if (!is_pair) return -1;
  memcpy(value, equals + 1, value_length);
  value[value_length] = 0;
  return 1;
}

bool text_number(const char *text, double *value) {
  char *end;
  if (!*text || is_separator(*text)) return false;
  *value = strtod(text, &end);
  return !*end && *value == *value;
}

static int word_index(const struct rule *rule, const char *text, size_t length) {
  for (int index = 0; index < rule->count; index++) {
    if (strlen(rule->words[index]) == length && !memcmp(rule->words[index], text, length)) return index;
  }
  return -1;
}

static bool set_value(const struct rule *rule, const char *text, double *value) {
  unsigned bits = 0;
  while (*text) {
    const char *end = strchr(text, '+');
    size_t length = end ? (size_t)(end - text) : strlen(text);
    int index = word_index(rule, text, length);
    if (index < 0 || bits & (1u << index)) return false;
    bits |= 1u << index;
    text += length;
    if (*text == '+' && !*++text) return false;
  }
  *value = bits;
  return bits != 0;
}

static bool number_value(const struct rule *rule, const char *text, double *value) {
  if (!text_number(text, value)) return false;
  if (rule->has_extra && *value == rule->extra) return true;
  return *value >= rule->min && *value <= rule->max && (!rule->whole || floor(*value) == *value);
}

bool rule_value(const struct rule *rule, const char *text, double *value) {
  switch (rule->kind) {
    case RULE_NUMBER:
      return number_value(rule, text, value);
    case RULE_NUMBERS:
      if (!text_number(text, value)) return false;
      for (int index = 0; index < rule->count; index++) {
        if (rule->numbers[index] == *value) return true;
      }
      return false;
    case RULE_CHOICE:
      *value = word_index(rule, text, strlen(text));
      return *value >= 0;
    case RULE_FLAG:
      *value = !strcmp(text, "true") || !strcmp(text, "1");
      return *value == 1 || !strcmp(text, "false") || !strcmp(text, "0");
    case RULE_SET:
      return set_value(rule, text, value);
    case RULE_NUMBER_OR_WORD:
      if (word_index(rule, text, strlen(text)) == 0) {
        *value = -1;
        return true;
      }
      return number_value(rule, text, value);
    default:
      return false;
  }
}

void rule_allowed(const struct rule *rule, char *out, size_t bytes) {
  size_t used = 0;
  out[0] = 0;
  if (rule->kind == RULE_FLAG) {
    snprintf(out, bytes, "true, false");
    return;
  }
  for (int index = 0; index < rule->count; index++) {
    const char *comma = index > 0 ? ", " : "";
    int length = rule->words ? snprintf(out + used, bytes - used, "%s%s", comma, rule->words[index]) :
                               snprintf(out + used, bytes - used, "%s%.15g", comma, rule->numbers[index]);
    if (length < 0 || used + (size_t)length >= bytes) return;
    used += (size_t)length;
  }
  if (rule->kind != RULE_NUMBER && rule->kind != RULE_NUMBER_OR_WORD) return;
  if (rule->has_extra) {
    int length = snprintf(out + used, bytes - used, "%.15g", rule->extra);
    if (length > 0) used += (size_t)length;
  }
  if (used < bytes) {
    snprintf(out + used, bytes - used, "%s%s%.15g to %.15g%s%s", used > 0 ? ", or " : "", rule->whole ? "whole " : "", rule->min, rule->max,
             *rule->unit ? " " : "", rule->unit);
  }
}

void rule_add_json(struct text *text, const struct rule *rule, double value) {
  if (rule->kind == RULE_FLAG) {
    text_add(text, value != 0 ? "true" : "false");
  } else if (rule->kind == RULE_CHOICE) {
    text_add_quoted(text, rule->words[(int)value]);
  } else if (rule->kind == RULE_NUMBER_OR_WORD && value < 0) {
    text_add_quoted(text, rule->words[0]);
  } else if (rule->kind == RULE_SET) {
    const char *comma = "";
    text_add(text, "[");
    for (int index = 0; index < rule->count; index++) {
      if (!((unsigned)value & (1u << index))) continue;
      text_add(text, comma);
      text_add_quoted(text, rule->words[index]);
      comma = ",";
    }
    text_add(text, "]");
  } else {
    text_add_number(text, value);
  }
}
