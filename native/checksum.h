/* CRC-32 as of Ethernet, of snapshots and plans. */
#ifndef ROCE_CHECKSUM_H
#define ROCE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t checksum(const uint8_t *bytes, size_t length);

/* Two lanes of MurmurHash3's mixing steps, as in src/engine/state-hash.ts. */
struct fingerprint {
  uint32_t a, b;
};

#define FINGERPRINT_INIT {0x2545f491u, 0x51ed270bu}

void fingerprint_mix(struct fingerprint *lanes, uint32_t word);
/* 16 hexadecimal digits and a 0. */
void fingerprint_write(const struct fingerprint *lanes, char hash[17]);

#endif
