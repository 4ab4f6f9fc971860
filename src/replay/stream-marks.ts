/**
 * ECN, DSCP and VLAN priorities of a stream's frames, by kind: data, acknowledgements, CNPs. They show these problems,
 * and directions that the capture lacks:
 *
 *   data-not-ect          data that no switch can mark, so congestion goes unnoticed until a drop (RFC 3168, section 5)
 *   cnp-in-data-class     CNPs with the DSCP of the data between the same hosts: they wait in the queues that they report
 *   cnp-in-data-priority  CNPs with the VLAN priority of that data
 *   dscp-changes          frames of one kind in a stream have several DSCPs: rewritten on the path, or at the sender
 *   pcp-changes           the same for VLAN priorities
 *   ect1-and-ect0         data with ECT(1) and with ECT(0): L4S switches mark ECT(1) by other rules (RFC 9331)
 *   one-direction         packets of one direction only, so the opposite direction cannot be judged
 */
import { readU16 } from '../wire/bytes.js';
import { Ethernet, VlanTag, isVlanTagType } from '../wire/link/ethernet.js';
import { QPN_GSI } from '../wire/roce/cm.js';

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

/** Kind of a finding. */
export type FindingCode = 'data-not-ect' | 'cnp-in-data-class' | 'cnp-in-data-priority' | 'dscp-changes' | 'pcp-changes'
  | 'ect1-and-ect0' | 'one-direction';

/** A fault that the frames of one stream show. */
export interface ReplayFinding {
  /** Kind of the finding. */
  readonly code: FindingCode;
  /** Position of the stream in `ReplayReport.streams`. */
  readonly stream: number;
  /** Which of the stream's frames are concerned. */
  readonly kind: MarkKind;
  /** Number of frames concerned. */
  readonly frames: number;
  /** Number of frames of this kind in the stream. */
  readonly ofFrames: number;
  /** DSCPs or priorities concerned, lowest first; empty for the codes about ECN and `one-direction`. */
  readonly values: readonly ValueCount[];
}

/** The properties of a stream that `findingsOf` needs. */
export interface StreamView {
  readonly destQpn: number;
  readonly marks: Partial<Record<MarkKind, MarkSummary>>;
  /** Number of the host pair, the same for both directions. */
  readonly hosts: number;
  /** Whether packets of connections were seen in one direction only. */
  readonly isAlone: boolean;
}

/** All findings in stream order, except those of QP 1: congestion control does not apply to management datagrams. */
export function findingsOf(streams: readonly StreamView[]): ReplayFinding[] {
  const data = dataClasses(streams);
  return streams.flatMap((stream, index) => {
    if (stream.destQpn === QPN_GSI) return [];
    const found = [
      ...ecnFindings(stream),
      ...changeFindings(stream),
      ...cnpFindings(stream, data.get(stream.hosts)),
      ...aloneFindings(stream),
    ];
    return found.map(({ code, ...figures }) => ({ code, stream: index, ...figures }));
  });
}

type Found = Omit<ReplayFinding, 'stream'>;

/** DSCPs and priorities of the data between two hosts. */
interface DataClasses {
  readonly dscps: Set<number>;
  readonly pcps: Set<number>;
}

function dataClasses(streams: readonly StreamView[]): Map<number, DataClasses> {
  const classes = new Map<number, DataClasses>();
  for (const { hosts, destQpn, marks: { data } } of streams) {
    if (data === undefined || destQpn === QPN_GSI) continue;
    const known = classes.get(hosts) ?? { dscps: new Set(), pcps: new Set() };
    classes.set(hosts, known);
    for (const { value } of data.dscps) known.dscps.add(value);
    for (const { value } of data.pcps) known.pcps.add(value);
  }
  return classes;
}

function ecnFindings({ marks: { data } }: StreamView): Found[] {
  if (data === undefined) return [];
  const ofFrames = framesOf(data);
  const finding = (code: FindingCode, frames: number): Found => ({ code, kind: 'data', frames, ofFrames, values: [] });
  return [
    ...(data.notEct > 0 ? [finding('data-not-ect', data.notEct)] : []),
    ...(data.ect0 > 0 && data.ect1 > 0 ? [finding('ect1-and-ect0', data.ect1)] : []),
  ];
}

function changeFindings({ marks }: StreamView): Found[] {
  return entriesOf(marks).flatMap(([kind, summary]) => {
    const ofFrames = framesOf(summary);
    const finding = (code: FindingCode, values: readonly ValueCount[]): Found[] =>
      values.length < 2 ? [] : [{ code, kind, frames: ofFrames - mostFrames(values), ofFrames, values }];
    return [...finding('dscp-changes', summary.dscps), ...finding('pcp-changes', summary.pcps)];
  });
}

function cnpFindings({ marks: { cnp } }: StreamView, data: DataClasses | undefined): Found[] {
  if (cnp === undefined || data === undefined) return [];
  const ofFrames = framesOf(cnp);
  const finding = (code: FindingCode, all: readonly ValueCount[], shared: ReadonlySet<number>): Found[] => {
    const values = all.filter(({ value }) => shared.has(value));
    const frames = values.reduce((sum, { frames: count }) => sum + count, 0);
    return frames === 0 ? [] : [{ code, kind: 'cnp', frames, ofFrames, values }];
  };
  return [
    ...finding('cnp-in-data-class', cnp.dscps, data.dscps),
    ...finding('cnp-in-data-priority', cnp.pcps, data.pcps),
  ];
}

function aloneFindings({ isAlone, marks }: StreamView): Found[] {
  const [first] = entriesOf(marks);
  if (!isAlone || first === undefined) return [];
  const [kind, summary] = first;
  const frames = framesOf(summary);
  return [{ code: 'one-direction', kind, frames, ofFrames: frames, values: [] }];
}

function entriesOf(marks: StreamView['marks']): [MarkKind, MarkSummary][] {
  return Object.entries(marks) as [MarkKind, MarkSummary][];
}

function framesOf({ notEct, ect0, ect1, ce }: MarkSummary): number {
  return notEct + ect0 + ect1 + ce;
}

function mostFrames(values: readonly ValueCount[]): number {
  return Math.max(...values.map(({ frames }) => frames));
}
