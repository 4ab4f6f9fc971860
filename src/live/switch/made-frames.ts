/** Frames that an emulated switch makes: PFC, and Fast CNPs for data that met congestion. Rare beside data, so they may allocate. */
import { RoceError } from '../../errors.js';
import { PAUSE_QUANTA_MAX } from '../../wire/link/mac-control.js';
import { PFC_CLASS_COUNT, pfcFrame } from '../../wire/link/pfc.js';
import { FAST_CNP_2_TRACE_MAX_BYTES, type IoamTrace } from '../../wire/roce/fast-cnp-option.js';
import { fastCnpFieldsFor } from '../../wire/roce/fast-cnp-for-data-packet.js';
import { buildFastCnp } from '../../wire/roce/fast-cnp.js';
import type { EthernetLink } from '../../wire/roce/roce-frame.js';
import { IOAM_TYPE_PREALLOCATED_TRACE } from '../../wire/telemetry/ioam-option.js';
import { pushIoamNode } from '../../wire/telemetry/ioam-push.js';
import { IOAM_TRACE_BYTES, buildIoamTraceHeader } from '../../wire/telemetry/ioam-trace.js';
import { IOAM_BIT_INTERFACES, IOAM_BIT_NAMESPACE_DATA, IOAM_BIT_NAMESPACE_DATA_WIDE, IOAM_BIT_NODE,
  IOAM_BIT_QUEUE_DEPTH, IOAM_BIT_TIMESTAMP_FRACTION, IOAM_BIT_TIMESTAMP_SECONDS, ioamNodeLenWords,
  ioamTraceType } from '../../wire/telemetry/ioam-trace-type.js';

/** As hosts of scenarios expect it (docs/scenarios.md): node, interfaces, time, rate, queue, bytes sent. */
const TRACE_TYPE = ioamTraceType(IOAM_BIT_NODE, IOAM_BIT_INTERFACES, IOAM_BIT_TIMESTAMP_SECONDS,
  IOAM_BIT_TIMESTAMP_FRACTION, IOAM_BIT_NAMESPACE_DATA, IOAM_BIT_QUEUE_DEPTH, IOAM_BIT_NAMESPACE_DATA_WIDE);
const WORD_BYTES = 4;
const PS_PER_S = 1e12;
const PS_PER_NS = 1000;
const U32_MAX = 0xffffffff;
const BPS_PER_MBPS = 1e6;

/** What a switch knows of the place where a packet met congestion. */
export interface CongestedPlace {
  readonly node: number;
  readonly switchAddress: Uint8Array;
  /** Of the port that the data came in by, which its sender is behind. */
  readonly mac: Uint8Array;
  readonly option: 1 | 2;
  readonly timePs: number;
  readonly rateBps: number;
  readonly queueBytes: number;
  readonly txBytes: number;
  /** Numbers of ports, from 1. */
  readonly ingress: number;
  readonly egress: number;
}

/** Pauses a class for as long as can be said, or lets it go on. */
export function pauseFrame(mac: Uint8Array, trafficClass: number, kind: 'pause' | 'resume'): Uint8Array {
  const quanta = kind === 'pause' ? PAUSE_QUANTA_MAX : 0;
  const pauseQuanta = Array.from({ length: PFC_CLASS_COUNT }, (_, one) => (one === trafficClass ? quanta : 0));
  return pfcFrame(mac, { classEnableVector: 1 << trafficClass, pauseQuanta });
}

/**
 * The Fast CNP for a data frame. Under option 2 it has the frame's trace, if there is one, and this switch's record behind it.
 *
 * @returns undefined where the frame can't be answered (`fastCnpFieldsFor`).
 */
export function fastCnpFrame(dataFrame: Uint8Array, place: CongestedPlace): Uint8Array | undefined {
  const link: EthernetLink = { destination: dataFrame.slice(6, 12), source: place.mac };
  try {
    const { trace, ...fields } = fastCnpFieldsFor(dataFrame, { switchAddress: place.switchAddress, link });
    return buildFastCnp(place.option === 1 ? fields : { ...fields, trace: withRecord(trace, place) });
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

function withRecord(carried: IoamTrace | undefined, place: CongestedPlace): IoamTrace {
  const trace = carried ?? emptyTrace();
  const { timePs, rateBps, queueBytes, txBytes, ingress, egress, node } = place;
  const seconds = Math.floor(timePs / PS_PER_S);
  try {
    pushIoamNode(trace.data, 0, trace.data.length, {
      hopLimit: 64,
      nodeId: node,
      ingressInterface: ingress,
      egressInterface: egress,
      timestampSeconds: seconds,
      timestampFraction: Math.floor((timePs - seconds * PS_PER_S) / PS_PER_NS),
      namespaceData: Math.min(U32_MAX, Math.round(rateBps / BPS_PER_MBPS)),
      queueDepth: Math.min(U32_MAX, queueBytes),
      namespaceDataWide: BigInt(txBytes),
    });
  } catch (error) {
    // A trace of another type, or one that is not well formed, goes on as it came.
    if (!(error instanceof RoceError)) throw error;
  }
  return trace;
}

function emptyTrace(): IoamTrace {
  const remainingLenWords = ioamNodeLenWords(TRACE_TYPE);
  const data = new Uint8Array(Math.min(FAST_CNP_2_TRACE_MAX_BYTES, IOAM_TRACE_BYTES + remainingLenWords * WORD_BYTES));
  data.set(buildIoamTraceHeader({ traceType: TRACE_TYPE, remainingLenWords }));
  return { ioamType: IOAM_TYPE_PREALLOCATED_TRACE, data };
}
