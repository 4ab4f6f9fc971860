/* Addresses as text. */
#ifndef ROCE_ADDRESS_H
#define ROCE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

/* An IPv4 or IPv6 address, IPv4 as IPv4-mapped; false for any other text. */
bool address_parse(const char *text, uint8_t address[16]);

#endif
