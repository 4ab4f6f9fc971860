#include "address.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

#define GROUPS 8

/* Up to `most` digits; the number of them, 0 for none. */
static int digits(const char *text, int base, int most, unsigned *value) {
  int count = 0;
  *value = 0;
  for (; count < most; count++) {
    char c = text[count];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
    if (digit >= base) break;
    *value = *value * (unsigned)base + (unsigned)digit;
  }
  return count;
}

static bool ipv4_parse(const char *text, uint8_t bytes[4]) {
  for (int index = 0; index < 4; index++) {
    unsigned value;
    int count = digits(text, 10, 3, &value);
    if (!count || value > 255 || (count > 1 && text[0] == '0')) return false;
    bytes[index] = (uint8_t)value;
    text += count;
    if (index < 3 && *text++ != '.') return false;
  }
  return !*text;
}

/* Parses groups of 16 bits; `gap` is the index of ::, or -1. Returns the number of groups, or -1. */
static int groups_parse(const char *text, uint16_t groups[GROUPS], int *gap) {
  int count = 0;
  *gap = -1;
  if (text[0] == ':' && text[1] == ':') {
    *gap = 0;
    text += 2;
  }
  while (*text) {
    uint8_t ipv4[4];
    if (count <= GROUPS - 2 && strchr(text, '.') && !strchr(text, ':') && ipv4_parse(text, ipv4)) {
      groups[count++] = (uint16_t)(ipv4[0] << 8 | ipv4[1]);
      groups[count++] = (uint16_t)(ipv4[2] << 8 | ipv4[3]);
      return count;
    }
    unsigned value;
    int length = digits(text, 16, 4, &value);
    if (!length || count == GROUPS) return -1;
    groups[count++] = (uint16_t)value;
    text += length;
    if (!*text) break;
    if (*text++ != ':') return -1;
    if (*text == ':') {
      if (*gap >= 0) return -1;
      *gap = count;
      text++;
    } else if (!*text) {
      return -1;
    }
  }
  return count;
}

bool address_parse(const char *text, uint8_t address[16]) {
  uint16_t groups[GROUPS] = {0};
  int gap;
  memset(address, 0, 16);
  if (!strchr(text, ':')) {
    address[10] = address[11] = 0xff;
    return ipv4_parse(text, address + 12);
  }
  int count = groups_parse(text, groups, &gap);
  if (count < 0 || (gap < 0 ? count != GROUPS : count == GROUPS)) return false;
  for (int index = 0; index < count; index++) {
    int place = gap >= 0 && index >= gap ? GROUPS - count + index : index;
    address[2 * place] = (uint8_t)(groups[index] >> 8);
    address[2 * place + 1] = (uint8_t)groups[index];
  }
  return true;
}

roce_status roce_address(const char *text, uint8_t address[ROCE_ADDRESS_BYTES]) {
  if (!text || !address) return fail(NULL, ROCE_INVALID_ARGUMENT, "roce_address needs a text and room for 16 bytes");
  if (address_parse(text, address)) return ROCE_OK;
  return fail(NULL, ROCE_INVALID_ARGUMENT, "\"%.60s\" is not an IPv4 or IPv6 address", text);
}
