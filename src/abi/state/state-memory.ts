/** Stores and loads the state of ACK-driven models: the QP's 64-byte record, and the hops of some after it. */
import { readRecord, writeRecord, type RecordValues } from '../record.js';
import { STATE_RECORDS, type AckStates } from './records.js';

type AlgorithmName = keyof AckStates;

/** Writes a model's state to its record. */
export function saveRecord(view: DataView, at: number, algorithm: AlgorithmName, values: object): void {
  writeRecord(view, at, STATE_RECORDS[algorithm].fields, values);
}

/** Reads a record into the names of the model's state. */
export function loadRecord(view: DataView, at: number, algorithm: AlgorithmName): RecordValues {
  return readRecord(view, at, STATE_RECORDS[algorithm].fields);
}

/** Writes the hops of a state, used or not, and the fields stored with them. */
export function saveHops(view: DataView, at: number, algorithm: AlgorithmName, values: object,
  hops: readonly object[]): void {
  const { hops: recordsOf, behindHops = {} } = STATE_RECORDS[algorithm];
  for (const { layout, from, bytes } of recordsOf?.(hops.length) ?? []) {
    hops.forEach((hop, index) => {
      writeRecord(view, at + from + index * bytes, layout, hop);
    });
  }
  writeRecord(view, at, behindHops, values);
}

/** Inverse of `saveHops`: returns fields of a state. `count`: maximum number of hops. */
export function loadHops(view: DataView, at: number, algorithm: AlgorithmName, count: number): object {
  const { hops: recordsOf, behindHops = {} } = STATE_RECORDS[algorithm];
  const columns = recordsOf?.(count) ?? [];
  const hopOf = (index: number): object =>
    Object.assign({}, ...columns.map(({ layout, from, bytes }) =>
      readRecord(view, at + from + index * bytes, layout)
    )) as object;
  const hops = recordsOf && { hops: Array.from({ length: count }, (_, index) => hopOf(index)) };
  return { ...readRecord(view, at, behindHops), ...hops };
}
