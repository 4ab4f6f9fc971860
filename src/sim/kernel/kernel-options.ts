/** What a kernel records, the build of sim.wasm that it runs, and checks of its arguments. */
import { CAPTURE_PACKETS, CAPTURE_PAUSES } from '../../abi/records/packet-trace.js';
import type { BoundAlgorithms } from '../../algorithm/bound.js';
import { wholeIn } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { NetworkPlan } from '../plan.js';
import type { Steps } from '../steps.js';
import type { SimAbi } from './sim-abi.js';

/** What a kernel records while it runs. */
export interface KernelRecord {
  /** Ports whose packets are recorded. Default: none. */
  readonly captured?: ReadonlySet<number>;
  /** Whether pauses of all ports are recorded. Default: no. */
  readonly pauses?: boolean;
}

/** Instants at which queues are sampled. Whole picoseconds. */
export interface SampleTimes {
  /** First instant. */
  readonly firstPs: number;
  /** Interval, at least 1. */
  readonly everyPs: number;
  /** No sample after this instant. */
  readonly lastPs: number;
}

/** Ranges of the fields of SampleTimes. */
export const SAMPLE_TIMES = {
  firstPs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
  everyPs: wholeIn(1, Number.MAX_SAFE_INTEGER, 'ps'),
  lastPs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
};

/** CAPTURE_* bits of each traced port. */
export function tracedPorts(plan: NetworkPlan, captured: ReadonlySet<number>,
  pauses: boolean): ReadonlyMap<number, number> {
  if (!pauses) return new Map([...captured].map((port) => [port, CAPTURE_PACKETS]));
  return new Map(plan.ports.map((_, port) => [port, CAPTURE_PAUSES | (captured.has(port) ? CAPTURE_PACKETS : 0)]));
}

/** @internal An instance of sim.wasm, or of another build of it: the lab's, with a trace of rate changes. */
export interface KernelBuild {
  readonly abi: SimAbi;
  /** Capacity of the trace of rate changes, which the owner of the instance drains. */
  readonly rateChanges: number;
  /** Runs the steps that write the plan, which must end before the kernel is used; default: runs them immediately. */
  readonly setUp?: (steps: Steps<void>) => void;
  /** Receives the custom algorithms, if there are any, for the texts of their reasons. */
  readonly onCustom?: (custom: BoundAlgorithms) => void;
}

export function requireIndex(where: string, got: number, count: number): void {
  if (Number.isInteger(got) && got >= 0 && got < count) return;
  throw new RoceError('invalid-argument', { where, got, allowed: { min: 0, below: count, multipleOf: 1 } });
}

export function requireNumber(where: string, got: number): void {
  if (typeof got !== 'number') throw new RoceError('invalid-argument', { where, got, allowed: 'a number' });
}
