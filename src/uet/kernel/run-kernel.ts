/** Runs uet.wasm: writes a run into the memory of a fresh instance, runs it to its end, and reads its results. */
import { readField, readFields } from '../../abi/records/fields.js';
import { UET_FIRST_MESSAGE_BUSY, UET_MESSAGE_GAP, UET_ONESHOT_TWICE, UET_OUT_OF_MEMORY, UET_OUT_OF_NUMBERS,
  UET_REPS_TIMEOUT, UET_RUN } from '../../abi/records/uet-run.js';
import { instantiateSync } from '../../engine/instantiate.js';
import { RoceError } from '../../errors.js';
import type { FatTree } from '../fat-tree.js';
import type { UetOptions } from '../arguments.js';
import { rejectBusyStart, rejectMessageGap, rejectRepsTimeout, rejectSecondFiring } from '../rejections.js';
import type { UetResult } from '../results.js';
import type { UetTraffic } from '../traffic.js';
import { readResults } from './read-results.js';
import { planRun, tablesOf } from './run-plan.js';
import { UET_WASM_TEXT } from './wasm-bytes.js';
import { writeFlows, writeNetwork, writeRun } from './write-run.js';

/** The results of a run, and its cost. */
export interface KernelRun {
  readonly result: UetResult;
  /** Transmissions by all ports. */
  readonly packetHops: number;
  readonly events: number;
}

/**
 * @throws RoceError `invalid-scenario` if the reference aborts or ends early; `capacity` if the run needs more than the
 *   available memory or packet numbers.
 */
export function runKernel(options: UetOptions, tree: FatTree, traffic: UetTraffic): KernelRun {
  const plan = planRun(options, tree, traffic);
  const abi = instantiateUet();
  const at = abi.uetRunAt();
  writeRun(viewOf(abi), at, plan);
  calling(abi, at, () => {
    abi.initialise();
  });
  const tables = tablesOf(viewOf(abi), at);
  writeNetwork(viewOf(abi), tables, plan.network);
  writeFlows(viewOf(abi), tables, plan);
  calling(abi, at, () => {
    abi.uetRun();
  });
  const view = viewOf(abi);
  const { packetHops, events } = readFields(view, at, UET_RUN, ['packetHops', 'events']);
  return { result: readResults(view, at, tables, plan), packetHops, events };
}

/** Makes a new view each time: it is detached when the memory grows. */
function viewOf({ memory }: UetAbi): DataView {
  return new DataView(memory.buffer);
}

/** Calls the kernel. A rejected run traps after it has stored the reason in its record. */
function calling(abi: UetAbi, at: number, call: () => void): void {
  try {
    call();
  } catch (error) {
    reject(readField(viewOf(abi), at, UET_RUN, 'stopReason'), readField(viewOf(abi), at, UET_RUN, 'stopValue'));
    throw error;
  }
}

function reject(reason: number, value: number): void {
  switch (reason) {
    case UET_REPS_TIMEOUT:
      rejectRepsTimeout();
      break;
    case UET_ONESHOT_TWICE:
      rejectSecondFiring(value);
      break;
    case UET_MESSAGE_GAP:
      rejectMessageGap();
      break;
    case UET_FIRST_MESSAGE_BUSY:
      rejectBusyStart();
      break;
    case UET_OUT_OF_MEMORY:
      throw new RoceError('capacity', { what: 'the run', problem: 'needs more memory than there is, at most 4 GiB' });
    case UET_OUT_OF_NUMBERS:
      throw new RoceError('capacity', { what: 'a flow', problem: 'needs more than 2,147,483,647 packet numbers' });
    default:
  }
}

/** Creates an instance of the inlined uet.wasm synchronously; the compiled module is cached. In browsers, call it in a worker: the main thread may not allow it. */
function instantiateUet(): UetAbi {
  return instantiateSync(UET_WASM_TEXT) as unknown as UetAbi;
}

/**
 * The exports of uet.wasm (assembly/uet.ts). Numbers in, numbers out; records: src/abi/records/uet-*.ts.
 *
 * @internal
 */
export interface UetAbi {
  readonly memory: WebAssembly.Memory;
  /** Address of the record of the run. */
  uetRunAt(): number;
  /** Lays out the tables according to the counts in the record of the run. */
  initialise(): void;
  /** Runs until no event is left. */
  uetRun(): void;
}
