/** What a kernel records, and the build of sim.wasm that it runs. */
import type { BoundAlgorithms } from '../../algorithm/bound.js';
import type { Steps } from '../steps.js';
import type { SimAbi } from './sim-abi.js';

/** What a kernel records while it runs. */
export interface KernelRecord {
  /** Ports whose packets are recorded. Default: none. */
  readonly captured?: ReadonlySet<number>;
  /** Whether pauses of all ports are recorded. Default: no. */
  readonly pauses?: boolean;
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
