/**
 * Packet sequence numbers (PSNs) have 24 bits and wrap around; order follows the shorter distance (IBTA volume 1,
 * section 9.7). Missing packets of a sequence may come later, retransmitted or reordered.
 *
 * A READ request consumes one PSN per packet of its response, ceil(length / MTU), yet does not state the MTU. So the path
 * MTUs that a connection may have are kept as bits, and narrowed by its packets: the first and middle packets of a message
 * carry exactly one MTU, a last or only packet no more than that, and the PSN after a READ tells how many packets its
 * response has.
 */
/** Number of PSNs. */
const PSN_COUNT = 2 ** 24;
const PSN_MASK = PSN_COUNT - 1;
const SIGN_SHIFT = 8;

/** Value of a PSN that is not known yet. */
export const UNKNOWN = -1;

/** Number of recent gaps kept, to recognise their missing packets when they come. */
const HOLES_MAX = 16;
/** Payload bytes per packet, by bit number (enum ibv_mtu of rdma-core's verbs.h, from IBTA volume 1). */
const MTUS = [256, 512, 1024, 2048, 4096] as const;
const LARGEST = 4096;
/** All MTUs: nothing is known. */
export const ANY_MTU = 0x1f;

/** How far `psn` is ahead of `from`, -2^23..2^23 - 1; negative if it is behind. */
export function psnsAhead(psn: number, from: number): number {
  return ((psn - from) << SIGN_SHIFT) >> SIGN_SHIFT;
}

/** The PSN `count` after `psn`. */
export function psnAfter(psn: number, count: number): number {
  return (psn + count) & PSN_MASK;
}

/** Counters of one kind of packets in one direction. */
export interface PsnSummary {
  /** Number of packets of this kind. */
  readonly packets: number;
  /** Forward jumps of the PSN that are not explained by a READ. */
  readonly gaps: number;
  /** PSNs missing in the gaps, at least 1 per gap. */
  readonly missing: number;
  /** Missing PSNs that came later: retransmitted, or reordered on the way. */
  readonly recovered: number;
  /** Packets with a PSN below one seen before, including the recovered ones. */
  readonly repeated: number;
}

/** Counts gaps and repetitions in one sequence of PSNs. */
export class PsnCounts implements PsnSummary {
  packets = 0;
  gaps = 0;
  missing = 0;
  recovered = 0;
  repeated = 0;
  /** First PSN and number of PSNs of each gap; allocated at the first gap. */
  #holes: Int32Array | undefined;
  #nextHole = 0;

  get summary(): PsnSummary {
    const { packets, gaps, missing, recovered, repeated } = this;
    return { packets, gaps, missing, recovered, repeated };
  }

  /** @param from first missing PSN; UNKNOWN if only the number of missing PSNs is known. */
  gap(from: number, count: number): void {
    this.gaps++;
    this.missing += count;
    if (from === UNKNOWN) return;
    const holes = (this.#holes ??= new Int32Array(2 * HOLES_MAX));
    holes[this.#nextHole] = from;
    holes[this.#nextHole + 1] = count;
    this.#nextHole = (this.#nextHole + 2) % holes.length;
  }

  /** Counts a PSN below one seen before. */
  repeat(psn: number): void {
    this.repeated++;
    const holes = this.#holes;
    if (holes === undefined) return;
    for (let at = 0; at < holes.length; at += 2) {
      const [from, count] = [holes[at] ?? 0, holes[at + 1] ?? 0];
      const ahead = psnsAhead(psn, from);
      if (ahead >= 0 && ahead < count) {
        this.#fill(holes, at, ahead);
        return;
      }
    }
  }

  /**
   * Splits a gap at the packet that arrived. Missing packets arrive in order, so the part before it is overwritten
   * first.
   */
  #fill(holes: Int32Array, at: number, ahead: number): void {
    this.recovered++;
    const [from, count] = [holes[at] ?? 0, holes[at + 1] ?? 0];
    holes[at + 1] = ahead;
    const rest = count - ahead - 1;
    if (rest === 0) return;
    const free = ahead === 0 ? at : this.#nextHole;
    holes[free] = (from + ahead + 1) & 0xffffff;
    holes[free + 1] = rest;
    if (free !== at) this.#nextHole = (this.#nextHole + 2) % holes.length;
  }
}

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
