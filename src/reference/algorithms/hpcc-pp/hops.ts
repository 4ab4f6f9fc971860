/**
 * HPCC++'s hops: stored by identity instead of position, since a trace may hold any part of a path.
 *
 *   identity   kind of record, hop, port; a hop without identity is identified by its position in the list
 *   capacity   15 hops; a further one replaces the hop not seen for the longest time
 *
 *   an earlier record of the hop       u' = txRate / B + min(qlen, earlier qlen) / (B T), as HPCC
 *   same timestamp                     hop ignored; the earlier record stays (skip-hop)
 *   time runs backwards                hop ignored; the new record is stored
 *   throughput unknown                 assume-line-rate: u' = 1 + q / (B T) while there is a queue; queue-only: q / (B T)
 *   no earlier record, in an ACK       hop ignored: the next ACK follows soon
 *   no earlier record, in a Fast CNP   like "throughput unknown": it may be the only Fast CNP
 *
 * Throughput is unknown without an earlier record or a byte count. In a trace it is also unknown if the byte counter may have
 * wrapped between the records, or gives more than twice the line rate, which means that the counter was reset. Times of a
 * trace are modular: a difference of more than half the span counts as negative.
 *
 * Reasons for these rules: docs/reference/sources.md, section HPCC++. q / (B T) is computed as q L / B / W0.
 */
import type { HpccPpHop } from '../../../abi/state/hpcc.js';
import { PLUS_HOPS, PLUS_PLACE_ID, TELEMETRY_EXACT, TELEMETRY_TRACE,
  TELEMETRY_TRACE_SECOND } from '../../../abi/ack-layout.js';
import { TRACE_RATE_SLACK, TRACE_SECOND_PS, TRACE_SPAN_PS } from '../../../abi/records/telemetry.js';
import type { HpccPpParameters } from '../../../config/algorithms/hpcc-pp.js';
import { linkOf, measureInterval, type ExactTelemetry, type HopMeasure, type HopSample } from '../hpcc/hops.js';

/** Content of an IOAM trace: the readable hops, from the sender on. `txBytes` below 0: not reported. */
export interface TraceTelemetry {
  readonly kind: 'trace';
  readonly hops: readonly HopSample[];
  /** Whether hops are missing: an overflow, an unreadable node, too many of them. */
  readonly partial: boolean;
  /** Whether timestamps include seconds; otherwise they wrap after one second. */
  readonly hasSeconds: boolean;
  /** Bytes after which the byte counters wrap. */
  readonly txSpanBytes: number;
}

export type HpccPpTelemetry = ExactTelemetry | TraceTelemetry;

/** Load of one hop; its throughput may be an assumption. */
export interface HpccPpMeasure extends HopMeasure {
  /** Whether its throughput is measured. */
  readonly complete: boolean;
}

/** Summary of a signal, the input of a reaction. */
export interface HpccPpSignal {
  readonly timePs: number;
  readonly telemetry: HpccPpTelemetry | undefined;
  /** Whether it is a CNP or Fast CNP: some port is congested, and further signals may not follow. */
  readonly notified: boolean;
}

export function kindOf(telemetry: HpccPpTelemetry): number {
  if (telemetry.kind === 'exact') return TELEMETRY_EXACT;
  return telemetry.hasSeconds ? TELEMETRY_TRACE : TELEMETRY_TRACE_SECOND;
}

/** Finds the stored record of a hop; undefined if there is none. */
export function findHop(hops: readonly HpccPpHop[], count: number, kind: number, sample: HopSample, place: number):
  | HpccPpHop
  | undefined {
  const { hopId, portId } = identityOf(kind, sample, place);
  return hops.slice(0, count).find((hop) => hop.kind === kind && hop.hopId === hopId && hop.portId === portId);
}

/** Slot for a new hop: the next free one, or that of the hop not seen for the longest time. */
export function placeForHop(hops: readonly HpccPpHop[], count: number): number {
  if (count < PLUS_HOPS) return count;
  let oldest = 0;
  for (let i = 1; i < PLUS_HOPS; i += 1) if (hops[i].seenPs < hops[oldest].seenPs) oldest = i;
  return oldest;
}

/** Assigns a slot to this hop. */
export function nameHop(hop: HpccPpHop, kind: number, sample: HopSample, place: number): void {
  Object.assign(hop, { kind, ...identityOf(kind, sample, place) });
}

/** Stores a new record of a hop. */
export function keepHop(hop: HpccPpHop, sample: HopSample, timePs: number): void {
  Object.assign(hop, linkOf(sample), { seenPs: timePs });
}

function identityOf(kind: number, { hopId = 0, portId = 0 }: HopSample,
  place: number): { hopId: number; portId: number } {
  return kind === TELEMETRY_EXACT && hopId === 0 ? { hopId: PLUS_PLACE_ID + place, portId } : { hopId, portId };
}

/** u' of a hop with an earlier record, which is replaced; undefined if the hop is ignored. */
export function measureKnown(parameters: HpccPpParameters, hop: HpccPpHop, telemetry: HpccPpTelemetry,
  sample: HopSample, timePs: number): HpccPpMeasure | undefined {
  const intervalNs = timeBetween(telemetry, hop.time, sample.timePs) / 1000;
  if (intervalNs === 0 && parameters.repeatedTimestamp === 'skip-hop') return undefined;
  const tauNs = intervalNs === 0 ? 1 : intervalNs;
  const qlenBytes = Math.min(sample.qlenBytes, hop.qlen);
  const sentBytes = bytesBetween(telemetry, hop.txBytes, sample, tauNs);
  keepHop(hop, sample, timePs);
  if (intervalNs < 0) return undefined;
  if (sentBytes < 0) return estimate(parameters, sample.lineRateBps, qlenBytes);
  const { lineRateBps } = sample;
  const interval = { tauNs, sentBytes, minQlenBytes: qlenBytes, qlenBytes, lineRateBps };
  return { ...measureInterval(interval, tauNs, parameters.maxRateBps, parameters.windowBytes), complete: true };
}

/** u' of a hop whose throughput is unknown, weighted like a sample of a whole round trip. */
export function estimate(parameters: HpccPpParameters, lineRateBps: number, qlenBytes: number): HpccPpMeasure {
  const queueing = (qlenBytes * parameters.maxRateBps) / lineRateBps / parameters.windowBytes;
  const isBusy = parameters.firstSample === 'assume-line-rate' && qlenBytes > 0;
  const utilization = isBusy ? 1 + queueing : queueing;
  const txRateBps = isBusy ? lineRateBps : 0;
  return { utilization, tauNs: parameters.baseRttPs / 1000, txRateBps, lineRateBps, qlenBytes, complete: false };
}

/** Picoseconds from one time to another; negative if time runs backwards. */
function timeBetween(telemetry: HpccPpTelemetry, fromPs: number, toPs: number): number {
  const differencePs = toPs - fromPs;
  if (telemetry.kind === 'exact') return differencePs;
  const spanPs = telemetry.hasSeconds ? TRACE_SPAN_PS : TRACE_SECOND_PS;
  const aheadPs = differencePs < 0 ? differencePs + spanPs : differencePs;
  return aheadPs > spanPs / 2 ? aheadPs - spanPs : aheadPs;
}

/** Bytes sent in an interval; negative if unknown. */
function bytesBetween(telemetry: HpccPpTelemetry, fromBytes: number, sample: HopSample, tauNs: number): number {
  if (fromBytes < 0 || sample.txBytes < 0) return -1;
  const differenceBytes = sample.txBytes - fromBytes;
  if (telemetry.kind === 'exact') return differenceBytes;
  const lineBytes = (sample.lineRateBps * (tauNs * 1e-9)) / 8;
  const sentBytes = differenceBytes < 0 ? differenceBytes + telemetry.txSpanBytes : differenceBytes;
  return lineBytes >= telemetry.txSpanBytes || sentBytes > lineBytes * TRACE_RATE_SLACK ? -1 : sentBytes;
}
