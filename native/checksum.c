#include "checksum.h"

#include <stdio.h>

#define CRC_POLYNOMIAL 0xedb88320u

uint32_t checksum(const uint8_t *bytes, size_t length) {
  uint32_t table[256];
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? CRC_POLYNOMIAL : 0);
    table[byte] = rest;
  }
  uint32_t crc = 0xffffffffu;
  for (size_t at = 0; at < length; at++) crc = crc >> 8 ^ table[(crc ^ bytes[at]) & 0xff];
  return ~crc;
}

static uint32_t rotate(uint32_t word, int bits) {
  return word << bits | word >> (32 - bits);
}

void fingerprint_mix(struct fingerprint *lanes, uint32_t word) {
  lanes->a = rotate(lanes->a ^ (word * 0xcc9e2d51u), 13) * 5 + 0x1b873593u;
  lanes->b = rotate(lanes->b ^ (word * 0x85ebca6bu), 17) * 9 + 0x38b34ae5u;
}

static uint32_t finish(uint32_t word) {
  word = (word ^ word >> 16) * 0x85ebca6bu;
  word = (word ^ word >> 13) * 0xc2b2ae35u;
  return word ^ word >> 16;
}

void fingerprint_write(const struct fingerprint *lanes, char hash[17]) {
  snprintf(hash, 17, "%08x%08x", finish(lanes->a), finish(lanes->b));
}
