/** The state of a job's operations, read from the kernel's memory into columns. */
import { OPERATION } from '../../../abi/records/graph.js';

/** The state of a job's operations; each column is indexed by operation. Times in picoseconds. */
export interface RawJob {
  /**
   * OPERATION_WAITS to OPERATION_DONE: 0 waits for other operations, 1 waits for its lane, 2 runs, 3 claims its lane, 4 is
   * done.
   */
  readonly state: Uint8Array;
  /** When it began; meaningless before. */
  readonly startPs: Float64Array;
  /** When it was done; meaningless before. */
  readonly endPs: Float64Array;
  /** The operation of the job whose end, or start, let it begin; -1: none. */
  readonly cause: Int32Array;
  /** The send of a receive, the receive of a send; -1: none. */
  readonly match: Int32Array;
}

/** Reads the operations of a job. @param operations address of the first record. */
export function readJob(view: DataView, operations: number, first: number, length: number): RawJob {
  const raw: RawJob = {
    state: new Uint8Array(length),
    startPs: new Float64Array(length),
    endPs: new Float64Array(length),
    cause: new Int32Array(length),
    match: new Int32Array(length),
  };
  const ofJob = (number: number): number => (number >= first && number < first + length ? number - first : -1);
  for (let index = 0; index < length; index++) {
    const at = operations + (first + index) * OPERATION.bytes;
    raw.state[index] = view.getUint8(at + OPERATION.at.state);
    raw.startPs[index] = view.getFloat64(at + OPERATION.at.startPs, true);
    raw.endPs[index] = view.getFloat64(at + OPERATION.at.endPs, true);
    raw.cause[index] = ofJob(view.getUint32(at + OPERATION.at.cause, true));
    raw.match[index] = ofJob(view.getUint32(at + OPERATION.at.match, true));
  }
  return raw;
}
