/** ECN, DSCP and VLAN priorities of a stream's frames, by kind: data, acknowledgements, CNPs. */
import { readU16 } from '../wire/bytes.js';
import { Ethernet, VlanTag, isVlanTagType } from '../wire/link/ethernet.js';

/** Kinds of frames whose marks are counted separately, in report order. */
const MARK_KINDS = ['data', 'ack', 'cnp'] as const;

/** `ack` includes NAKs, `cnp` Fast CNPs. READ requests and responses are data. */
export type MarkKind = (typeof MARK_KINDS)[number];

/** Index of each kind in `MARK_KINDS`. */
export const MARK_DATA = 0;
export const MARK_ACK = 1;
export const MARK_CNP = 2;

/** Number of frames that carry one value. */
export interface ValueCount {
  /** DSCP, 0 to 63, or priority, 0 to 7. */
  readonly value: number;
  /** Number of frames. */
  readonly frames: number;
}

/** ECN, DSCPs and priorities of one kind of frames in one direction. */
export interface MarkSummary {
  /** Frames with ECN field 00 (Not-ECT): no switch may mark them (RFC 3168, section 5). */
  readonly notEct: number;
  /** Frames with ECN field 10, ECT(0). */
  readonly ect0: number;
  /** Frames with ECN field 01, ECT(1). */
  readonly ect1: number;
  /** Frames with ECN field 11: congestion experienced. */
  readonly ce: number;
  /** DSCPs, lowest first. */
  readonly dscps: readonly ValueCount[];
  /** Priorities in the outermost VLAN tag (IEEE 802.1Q, PCP), lowest first; untagged frames are not counted. */
  readonly pcps: readonly ValueCount[];
}

const ECN_VALUES = 4;
const DSCP_VALUES = 64;
const PCP_VALUES = 8;
const DSCPS_AT = ECN_VALUES;
const PCPS_AT = DSCPS_AT + DSCP_VALUES;
const SLOTS = PCPS_AT + PCP_VALUES;

/** Where the tags of an Ethernet frame begin, and the priority in the first octet of a tag. */
const TYPE_BYTES = 2;
const TAGS_AT = Ethernet.lenBytes - TYPE_BYTES;
const PCP_SHIFT = 5;

/** Priority of a frame without a VLAN tag. */
const UNTAGGED = -1;

export class StreamMarks {
  /** Counters by kind; allocated at the first frame of the kind. */
  readonly #counts: (Float64Array | undefined)[] = [undefined, undefined, undefined];

  /** @param pcp priority, or UNTAGGED. */
  count(kind: number, ecn: number, dscp: number, pcp: number): void {
    const counts = (this.#counts[kind] ??= new Float64Array(SLOTS));
    counts[ecn] = (counts[ecn] ?? 0) + 1;
    counts[DSCPS_AT + dscp] = (counts[DSCPS_AT + dscp] ?? 0) + 1;
    if (pcp !== UNTAGGED) counts[PCPS_AT + pcp] = (counts[PCPS_AT + pcp] ?? 0) + 1;
  }

  /** Summaries of the kinds that have frames. */
  get summaries(): Partial<Record<MarkKind, MarkSummary>> {
    const kinds = MARK_KINDS.flatMap((name, kind) => {
      const counts = this.#counts[kind];
      return counts === undefined ? [] : [[name, summaryOf(counts)]];
    });
    return Object.fromEntries(kinds) as Partial<Record<MarkKind, MarkSummary>>;
  }
}

/** Counters are in the order of the ECN field: 00 Not-ECT, 01 ECT(1), 10 ECT(0), 11 CE (RFC 3168, section 5). */
function summaryOf(counts: Float64Array): MarkSummary {
  const [notEct = 0, ect1 = 0, ect0 = 0, ce = 0] = counts;
  return {
    notEct,
    ect0,
    ect1,
    ce,
    dscps: valuesOf(counts.subarray(DSCPS_AT, PCPS_AT)),
    pcps: valuesOf(counts.subarray(PCPS_AT)),
  };
}

function valuesOf(counts: Float64Array): ValueCount[] {
  return Array.from(counts, (frames, value) => ({ value, frames })).filter(({ frames }) => frames > 0);
}

/**
 * Priority of a frame in its outermost VLAN tag (IEEE 802.1Q, section 9.6).
 *
 * @param ipOffset where the IP header begins. Only a chain of tags that ends there counts, because a frame without an
 * Ethernet header may contain any bytes.
 * @returns 0 to 7, or UNTAGGED.
 */
export function vlanPriority(frame: Uint8Array, ipOffset: number): number {
  if (ipOffset < Ethernet.lenBytes + VlanTag.lenBytes) return UNTAGGED;
  for (let at = TAGS_AT; at < ipOffset - TYPE_BYTES; at += VlanTag.lenBytes) {
    if (!isVlanTagType(readU16(frame, at))) return UNTAGGED;
    if (at + VlanTag.lenBytes + TYPE_BYTES === ipOffset) return (frame[TAGS_AT + TYPE_BYTES] ?? 0) >> PCP_SHIFT;
  }
  return UNTAGGED;
}
