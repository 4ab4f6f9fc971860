/**
 * The ingress of an emulated switch: copies arriving frames into slots, stores what the switch needs while they wait,
 * and decides where they leave.
 */
import { FrameFacts, KIND_DATA, isGroupMac, macAt } from './frame-facts.js';
import { countedBytesOf, NONE, type FramePool } from './frame-pool.js';
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
/** Up to this length, copying in a loop is faster than creating a view. */
const LOOP_BYTES = 96;
const FLOWS_MAX = 65_536;
const QPNS = 2 ** 24;

/** Copies frames into slots of the pool, and parses them. */
export class FrameIntake {
  /** Facts of the last stored frame. */
  readonly facts = new FrameFacts();
  readonly #pool: FramePool;
  readonly #forwarding: Forwarding;
  /** Flow numbers; undefined if flows and senders are not needed. */
  readonly #flows: FlowNumbers | undefined;

  /** @param hosts number of known hosts; undefined if no Fast CNPs are sent. */
  constructor(pool: FramePool, forwarding: Forwarding, hosts: number | undefined) {
    this.#pool = pool;
    this.#forwarding = forwarding;
    this.#flows = hosts === undefined ? undefined : new FlowNumbers(hosts);
  }

  /** @param arrival port, or NONE if the switch made the frame. @returns its slot; one must be free. */
  take(bytes: Uint8Array, offset: number, lenBytes: number, arrival: number): number {
    const pool = this.#pool;
    const slot = pool.take();
    const at = pool.offsetOf(slot);
    const target = pool.bytes;
    // The view is garbage, but cheaper than a loop over a long frame.
    if (lenBytes > LOOP_BYTES) target.set(bytes.subarray(offset, offset + lenBytes), at);
    else for (let index = 0; index < lenBytes; index += 1) target[at + index] = bytes[offset + index];
    this.facts.read(target, at, lenBytes);
    this.#describe(slot, at, lenBytes, arrival);
    return slot;
  }

  #describe(slot: number, at: number, lenBytes: number, arrival: number): void {
    const pool = this.#pool;
    const { facts } = this;
    pool.lenBytes[slot] = lenBytes;
    pool.countedBytes[slot] = countedBytesOf(lenBytes);
    pool.arrival[slot] = arrival;
    pool.trafficClass[slot] = facts.trafficClass;
    pool.kind[slot] = facts.kind;
    pool.ecn[slot] = facts.ecn;
    pool.ipOffset[slot] = facts.ipVersion === 0 ? 0 : facts.ipOffset - at;
    pool.traceOffset[slot] = facts.traceBytes === 0 ? 0 : facts.traceOffset - at;
    pool.traceBytes[slot] = facts.traceBytes;
    pool.takesFastCnps[slot] = 0;
    pool.flow[slot] = 0;
    if (this.#flows === undefined || facts.kind !== KIND_DATA) return;
    const source = this.#forwarding.sourceOf(facts, pool.bytes);
    const destination = this.#forwarding.destinationOf(facts, pool.bytes);
    pool.flow[slot] = this.#flows.of(source, destination, facts.destQpn);
    const takes = source !== NONE && facts.ipVersion === 6 && this.#forwarding.hostAt(source).takesFastCnps;
    pool.takesFastCnps[slot] = takes ? 1 : 0;
  }
}

/**
 * Numbers flows by hosts and destination QP. The table is limited: all further flows share one number, so that
 * malicious frames cannot make it grow.
 */
class FlowNumbers {
  readonly #numbers = new Map<number, number>();
  readonly #hosts: number;

  constructor(hosts: number) {
    this.#hosts = hosts + 1;
  }

  /** @param source index of a host, or -1 if it is unknown; likewise `destination`. */
  of(source: number, destination: number, destQpn: number): number {
    const key = ((source + 1) * this.#hosts + destination + 1) * QPNS + destQpn;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= FLOWS_MAX) return FLOWS_MAX;
    this.#numbers.set(key, number);
    return number;
  }
}

/**
 * Forwards frames by the destination's IP address if the scenario has it, otherwise as a learning bridge (IEEE 802.1Q,
 * clause 8): to the port where its MAC address was learned, or to all.
 */
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
