/**
 * Problems with ECN, DSCP and priorities, and directions that the capture lacks: codes and figures, no text.
 *
 *   data-not-ect          data that no switch can mark, so congestion goes unnoticed until a drop (RFC 3168, section 5)
 *   cnp-in-data-class     CNPs with the DSCP of the data between the same hosts: they wait in the queues that they report
 *   cnp-in-data-priority  CNPs with the VLAN priority of that data
 *   dscp-changes          frames of one kind in a stream have several DSCPs: rewritten on the path, or at the sender
 *   pcp-changes           the same for VLAN priorities
 *   ect1-and-ect0         data with ECT(1) and with ECT(0): L4S switches mark ECT(1) by other rules (RFC 9331)
 *   one-direction         packets of one direction only, so the opposite direction cannot be judged
 */
import { QPN_GSI } from '../wire/roce/cm.js';
import type { MarkKind, MarkSummary, ValueCount } from './stream-marks.js';

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
