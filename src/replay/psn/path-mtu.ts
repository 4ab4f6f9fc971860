/**
 * Set of path MTUs that a connection may have, as bits, narrowed by its packets.
 *
 * A READ request consumes one PSN per packet of its response, ceil(length / MTU), yet does not state the MTU (IBTA
 * volume 1, section 9.7). Evidence: the first and middle packets of a message carry exactly one MTU, a last or only
 * packet no more than that, and the PSN after a READ tells how many packets its response has.
 */

/** Payload bytes per packet, by bit number (enum ibv_mtu of rdma-core's verbs.h, from IBTA volume 1). */
const MTUS = [256, 512, 1024, 2048, 4096] as const;
const LARGEST = 4096;

/** All MTUs: nothing is known. */
export const ANY_MTU = 0x1f;

/** Narrows the set by a packet's payload; a payload that contradicts all of the set is ignored. */
export function mtusOfPayload(mtus: number, payloadBytes: number, isWholeMtu: boolean): number {
  if (payloadBytes <= 0 || payloadBytes > LARGEST) return mtus;
  let kept = 0;
  for (let bit = 0; bit < MTUS.length; bit++) {
    const mtu = MTUS[bit] ?? 0;
    if (isWholeMtu ? mtu === payloadBytes : mtu >= payloadBytes) kept |= 1 << bit;
  }
  // A whole packet has the size of the MTU, so it also corrects a wrong set.
  if (isWholeMtu) return kept === 0 ? mtus : kept;
  return (mtus & kept) === 0 ? mtus : mtus & kept;
}

/** Number of packets in a response of `lenBytes`, if all MTUs of the set agree; otherwise 0. */
export function packetsOf(mtus: number, lenBytes: number): number {
  let packets = 0;
  for (let bit = 0; bit < MTUS.length; bit++) {
    if ((mtus & (1 << bit)) === 0) continue;
    const count = packetsAt(bit, lenBytes);
    if (packets !== 0 && packets !== count) return 0;
    packets = count;
  }
  return packets;
}

/** MTUs of the set with which a response of `lenBytes` has this many packets. */
export function mtusOfPackets(mtus: number, lenBytes: number, packets: number): number {
  let kept = 0;
  for (let bit = 0; bit < MTUS.length; bit++) {
    if ((mtus & (1 << bit)) !== 0 && packetsAt(bit, lenBytes) === packets) kept |= 1 << bit;
  }
  return kept;
}

/** The largest number of packets below `limit` that a response of `lenBytes` may have; 0 when none is below `limit`. */
export function mostPackets(mtus: number, lenBytes: number, limit: number): number {
  for (let bit = 0; bit < MTUS.length; bit++) {
    const count = (mtus & (1 << bit)) === 0 ? limit : packetsAt(bit, lenBytes);
    if (count < limit) return count;
  }
  return 0;
}

/** Whether a READ of `restBytes` can resume one of `lenBytes` at packet number `packets` of its response, from 0. */
export function mayContinue(mtus: number, lenBytes: number, packets: number, restBytes: number): boolean {
  for (let bit = 0; bit < MTUS.length; bit++) {
    if ((mtus & (1 << bit)) !== 0 && lenBytes - packets * (MTUS[bit] ?? 0) === restBytes) return true;
  }
  return false;
}

/** A message without payload is one packet. */
function packetsAt(bit: number, lenBytes: number): number {
  return Math.max(1, Math.ceil(lenBytes / (MTUS[bit] ?? LARGEST)));
}

/** Whether the MTU is known. */
export function isSingleMtu(mtus: number): boolean {
  return (mtus & (mtus - 1)) === 0;
}

/**
 * The set with one MTU, by its code in a REQ (IBTA volume 1, section 12.6.5: 1 = 256 to 5 = 4096); all MTUs for any
 * other code.
 */
export function mtusOfCode(code: number): number {
  return code >= 1 && code <= MTUS.length ? 1 << (code - 1) : ANY_MTU;
}
