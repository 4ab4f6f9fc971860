/**
 * Forwards frames in an emulated switch: by the destination's IP address if the scenario has it, otherwise as a
 * learning bridge (IEEE 802.1Q, clause 8): to the port where its MAC address was learned, or to all.
 */
import { isGroupMac, macAt, type FrameFacts } from './frame-facts.js';
import { NONE } from './frame-pool.js';
import type { HostEntry } from './settings.js';

/** Egress value for all ports except the port of arrival. */
export const TO_ALL = -2;

const MACS_MAX = 4096;
const ADDRESS_BYTES = 16;
const IPV4_BYTES = 4;

const IPV6_SOURCE = 8;
const IPV6_DESTINATION = 24;
const IPV4_SOURCE = 12;
const IPV4_DESTINATION = 16;
const MAPPED_PREFIX = 0xffff * 2 ** 32;

export class Forwarding {
  readonly #hosts: readonly HostEntry[];
  /** First host by the last six bytes of its address; hosts that share these bytes follow. */
  readonly #byKey = new Map<number, number>();
  readonly #others: readonly number[];
  /** Ports by MAC address; when full, it learns no more. */
  readonly #macs = new Map<number, number>();

  constructor(hosts: readonly HostEntry[]) {
    this.#hosts = hosts;
    this.#others = hosts.flatMap(({ address }, host) => {
      const key = keyOfMapped(address);
      if (this.#byKey.has(key)) return [host];
      this.#byKey.set(key, host);
      return [];
    });
  }

  /** @returns a port, NONE, or TO_ALL. */
  egressOf(facts: FrameFacts, bytes: Uint8Array, offset: number, arrival: number): number {
    const host = this.destinationOf(facts, bytes);
    if (host !== NONE) return this.#hosts[host].port;
    this.#learn(macAt(bytes, offset + 6), bytes, offset + 6, arrival);
    if (isGroupMac(bytes, offset)) return TO_ALL;
    const known = this.#macs.get(macAt(bytes, offset));
    if (known === undefined) return TO_ALL;
    return known === arrival ? NONE : known;
  }

  /** Index of a frame's destination host, or NONE. */
  destinationOf({ ipVersion, ipOffset }: FrameFacts, bytes: Uint8Array): number {
    if (ipVersion === 6) return this.#find(bytes, ipOffset + IPV6_DESTINATION, 6);
    return ipVersion === 4 ? this.#find(bytes, ipOffset + IPV4_DESTINATION, 4) : NONE;
  }

  /** Index of a frame's source host, or NONE. */
  sourceOf({ ipVersion, ipOffset }: FrameFacts, bytes: Uint8Array): number {
    if (ipVersion === 6) return this.#find(bytes, ipOffset + IPV6_SOURCE, 6);
    return ipVersion === 4 ? this.#find(bytes, ipOffset + IPV4_SOURCE, 4) : NONE;
  }

  hostAt(host: number): HostEntry {
    return this.#hosts[host];
  }

  #find(bytes: Uint8Array, at: number, version: 4 | 6): number {
    const key = version === 6 ? macAt(bytes, at + ADDRESS_BYTES - 6) : MAPPED_PREFIX + u32(bytes, at);
    const first = this.#byKey.get(key);
    if (first === undefined) return NONE;
    if (sameAddress(this.#hosts[first].address, bytes, at, version)) return first;
    const other = this.#others.find((host) => sameAddress(this.#hosts[host].address, bytes, at, version));
    return other ?? NONE;
  }

  #learn(mac: number, bytes: Uint8Array, at: number, port: number): void {
    if (isGroupMac(bytes, at) || (this.#macs.size >= MACS_MAX && !this.#macs.has(mac))) return;
    this.#macs.set(mac, port);
  }
}

function keyOfMapped(address: Uint8Array): number {
  return macAt(address, ADDRESS_BYTES - 6);
}

function u32(bytes: Uint8Array, at: number): number {
  return bytes[at] * 0x1000000 + (bytes[at + 1] << 16) + (bytes[at + 2] << 8) + bytes[at + 3];
}

/**
 * Compares an IP address in a frame with one of 16 bytes (IPv4 as IPv4-mapped).
 *
 * @param version IP version of the address at `at`.
 */
function sameAddress(address: Uint8Array, bytes: Uint8Array, at: number, version: 4 | 6): boolean {
  const compared = version === 6 ? ADDRESS_BYTES : IPV4_BYTES;
  if (version === 4 && !isMapped(address)) return false;
  for (let index = 0; index < compared; index += 1) {
    if (address[ADDRESS_BYTES - compared + index] !== bytes[at + index]) return false;
  }
  return true;
}

/** Whether the address is in ::ffff:0:0/96. */
function isMapped(address: Uint8Array): boolean {
  for (let index = 0; index < 10; index += 1) if (address[index] !== 0) return false;
  return address[10] === 0xff && address[11] === 0xff;
}
