#include "json.h"

#include <string.h>

#define DEPTH_MAX 32

static void skip_space(struct json *json) {
  while (json->at < json->end && strchr(" \t\r\n", *json->at)) json->at++;
}

static bool take(struct json *json, char c) {
  skip_space(json);
  if (json->at == json->end || *json->at != c) return false;
  json->at++;
  return true;
}

static bool skip_string(struct json *json) {
  if (!take(json, '"')) return false;
  while (json->at < json->end && *json->at != '"') {
    if (*json->at == '\\') json->at++;
    if (json->at < json->end) json->at++;
  }
  return take(json, '"');
}

/* A number, true, false or null. */
static bool skip_word(struct json *json) {
  const char *from = json->at;
  while (json->at < json->end && !strchr(",]} \t\r\n:\"[{", *json->at)) json->at++;
  return json->at > from;
}

static bool skip_value(struct json *json, int depth) {
  skip_space(json);
  if (json->at == json->end || depth == DEPTH_MAX) return false;
  char open = *json->at;
  if (open == '"') return skip_string(json);
  if (open != '{' && open != '[') return skip_word(json);
  char close = open == '{' ? '}' : ']';
  json->at++;
  if (take(json, close)) return true;
  do {
    if (open == '{' && (!skip_string(json) || !take(json, ':'))) return false;
    if (!skip_value(json, depth + 1)) return false;
  } while (take(json, ','));
  return take(json, close);
}

bool json_skip(struct json *json) {
  return skip_value(json, 0);
}

/* The next key and value of an object or list; `first`: behind its opening. */
static bool next_item(struct json *inside, bool is_first, bool is_object, struct json *key, struct json *value) {
  if (!is_first && !take(inside, ',')) return false;
  skip_space(inside);
  key->at = inside->at;
  if (is_object && (!skip_string(inside) || (key->end = inside->at, !take(inside, ':')))) return false;
  skip_space(inside);
  value->at = inside->at;
  if (!json_skip(inside)) return false;
  value->end = inside->at;
  return true;
}

bool json_member(struct json object, const char *key, size_t key_length, struct json *value) {
  struct json name;
  if (!take(&object, '{')) return false;
  for (bool is_first = true; next_item(&object, is_first, true, &name, value); is_first = false) {
    if ((size_t)(name.end - name.at) == key_length + 2 && !memcmp(name.at + 1, key, key_length)) return true;
  }
  return false;
}

static size_t count_items(struct json json, bool is_object) {
  struct json key, value;
  size_t count = 0;
  json.at++;
  while (next_item(&json, count == 0, is_object, &key, &value)) count++;
  return count;
}

/* Of two objects that both are well formed, with as many members. */
static bool objects_equal(struct json a, struct json b) {
  struct json key, own, other;
  struct json inside = {a.at + 1, a.end};
  for (bool is_first = true; next_item(&inside, is_first, true, &key, &own); is_first = false) {
    if (!json_member(b, key.at + 1, (size_t)(key.end - key.at) - 2, &other) || !json_equal(own, other)) return false;
  }
  return true;
}

static bool lists_equal(struct json a, struct json b) {
  struct json key, own, other;
  struct json left = {a.at + 1, a.end}, right = {b.at + 1, b.end};
  for (bool is_first = true; next_item(&left, is_first, false, &key, &own); is_first = false) {
    if (!next_item(&right, is_first, false, &key, &other) || !json_equal(own, other)) return false;
  }
  return true;
}

bool json_equal(struct json a, struct json b) {
  struct json rest_a = a, rest_b = b;
  if (!json_skip(&rest_a) || !json_skip(&rest_b)) return false;
  skip_space(&a);
  skip_space(&b);
  a.end = rest_a.at;
  b.end = rest_b.at;
  skip_space(&rest_a);
  skip_space(&rest_b);
  if (*a.at != *b.at) return false;
  if (*a.at != '{' && *a.at != '[') {
    size_t length = (size_t)(a.end - a.at);
    return length == (size_t)(b.end - b.at) && !memcmp(a.at, b.at, length);
  }
  bool is_object = *a.at == '{';
  if (count_items(a, is_object) != count_items(b, is_object)) return false;
  return is_object ? objects_equal(a, b) : lists_equal(a, b);
}
