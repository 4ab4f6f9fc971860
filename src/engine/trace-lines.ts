/**
 * Rate changes as JSON lines: one object per line, its fields those of `RateChange`; docs/guides/trace.md has the schema.
 *
 * Undefined fields are left out, numbers are written so that they read back as the same doubles. A reader must ignore
 * fields that it does not know.
 */
import { RoceError } from '../errors.js';
import type { RateChange } from './rate-changes.js';

/** A gap in a trace: the number of the call's earlier changes for which there was no room. */
export interface LostChanges {
  /** Changes for which the trace had no room. */
  readonly lost: number;
}

/**
 * One line, its newline included.
 *
 * @param extra further fields, such as a name of the flow; they are appended.
 */
export function formatTraceLine(change: RateChange | LostChanges,
  extra: Readonly<Record<string, string | number>> = {}): string {
  try {
    return `${JSON.stringify({ ...change, ...extra })}\n`;
  } catch (cause) {
    throw new RoceError('invalid-argument', { where: 'change', problem: 'is nothing that JSON can hold', cause });
  }
}

/**
 * The changes of a call as JSON lines, and behind them, if changes were lost, a line `{"lost":n}`.
 *
 * @param trace `engine.trace`, or any list of changes.
 * @example
 * engine.applyEvents();
 * process.stdout.write(formatTrace(engine.trace));
 */
export function formatTrace(trace: Iterable<RateChange> & { readonly lost?: number }): string {
  const { [Symbol.iterator]: items } = (trace ?? {}) as Partial<Iterable<unknown>>;
  if (typeof items !== 'function' || ArrayBuffer.isView(trace)) {
    throw new RoceError('invalid-argument', { where: 'trace', got: trace, allowed: 'a list of rate changes' });
  }
  let lines = '';
  for (const change of trace) lines += formatTraceLine(change);
  return trace.lost ? lines + formatTraceLine({ lost: trace.lost }) : lines;
}
