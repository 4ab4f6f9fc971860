/**
 * Counters by name. Every event and every frame is counted in exactly one outcome, so in = handled + ignored + rejected
 * always holds.
 */
import { FIRST_IGNORED, FIRST_REJECTED } from '../abi/codes.js';
import * as layout from '../abi/layout.js';
import { COUNTER_TRACE_LOST } from '../abi/trace-layout.js';
import { CLASS_NAMES, OUTCOME_NAMES, type ClassName, type OutcomeName } from '../abi/names.js';
import { readCounter, type MemoryViews } from './memory-views.js';

/** The engine's counters. Each event and each frame counts in one outcome. */
export interface Stats {
  /** Events passed to the engine, in batches or one at a time. */
  readonly eventsIn: number;
  /** Frames passed to the engine. */
  readonly packetsIn: number;
  /** Original lengths of all frames, bytes. */
  readonly packetBytesIn: number;
  /** Events and frames that the engine acted on. */
  readonly handled: number;
  /** Events and frames without effect. */
  readonly ignored: number;
  /** Events and frames that are invalid or not allowed. */
  readonly rejected: number;
  /** Events and frames by outcome. */
  readonly outcomes: Readonly<Record<OutcomeName, number>>;
  /** Frames by class. */
  readonly classes: Readonly<Record<ClassName, number>>;
  /** CE-marked RoCEv2 packets received by local QPs (NVIDIA counter name). */
  readonly np_ecn_marked_roce_packets: number;
  /** CNPs that became due (NVIDIA counter name). */
  readonly np_cnp_sent: number;
  /** Marked packets that did not immediately cause a CNP. */
  readonly np_cnp_suppressed: number;
  /** CNPs and Fast CNPs that caused a reaction (NVIDIA counter name). */
  readonly rp_cnp_handled: number;
  /** CNPs without a reaction, as duplicates of a Fast CNP (NVIDIA counter name). */
  readonly rp_cnp_ignored: number;
  /** Data frames attributed to a local sender. */
  readonly rp_data_sent: number;
  /** Timer and byte-counter steps executed: the cost of lazy timers. */
  readonly timerSteps: number;
  /** Late events that were moved to the time of their QP's last event. */
  readonly lateClamped: number;
  /** Rate changes that did not fit in the trace. */
  readonly traceLost: number;
}

export function readStats(views: MemoryViews): Stats {
  const outcomes = readTable(views, OUTCOME_NAMES, layout.COUNTER_OUTCOMES);
  const total = (from: number, to: number): number =>
    Object.entries(OUTCOME_NAMES).reduce(
      (sum, [, code]) => (code >= from && code < to ? sum + readCounter(views, layout.COUNTER_OUTCOMES + code) : sum),
      0,
    );
  return {
    eventsIn: readCounter(views, layout.COUNTER_EVENTS_IN),
    packetsIn: readCounter(views, layout.COUNTER_PACKETS_IN),
    packetBytesIn: readCounter(views, layout.COUNTER_PACKET_BYTES_IN),
    handled: total(0, FIRST_IGNORED),
    ignored: total(FIRST_IGNORED, FIRST_REJECTED),
    rejected: total(FIRST_REJECTED, Infinity),
    outcomes,
    classes: readTable(views, CLASS_NAMES, layout.COUNTER_CLASSES),
    np_ecn_marked_roce_packets: readCounter(views, layout.COUNTER_ECN_MARKED),
    np_cnp_sent: readCounter(views, layout.COUNTER_CNP_SENT),
    np_cnp_suppressed: readCounter(views, layout.COUNTER_CNP_SUPPRESSED),
    rp_cnp_handled: outcomes['cnp-handled'] + outcomes['fast-cnp-accepted'],
    rp_cnp_ignored: outcomes['cnp-duplicate'],
    rp_data_sent: readCounter(views, layout.COUNTER_DATA_SENT),
    timerSteps: readCounter(views, layout.COUNTER_TIMER_STEPS),
    lateClamped: readCounter(views, layout.COUNTER_LATE_CLAMPED),
    traceLost: readCounter(views, COUNTER_TRACE_LOST),
  };
}

function readTable<Name extends string>(views: MemoryViews, names: Readonly<Record<Name, number>>,
  first: number): Readonly<Record<Name, number>> {
  const entries = (Object.keys(names) as Name[]).map((name) => [name, readCounter(views, first + names[name])]);
  return Object.fromEntries(entries) as Record<Name, number>;
}
