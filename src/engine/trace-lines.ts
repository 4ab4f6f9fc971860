/**
 * Rate changes as JSON lines: one object per line with the fields of `RateChange`; docs/guides/trace.md has the schema.
 *
 * Undefined fields are omitted; numbers are written so that they parse to the same doubles. A reader must ignore
 * unknown fields.
 */
import { RoceError } from '../errors.js';
import type { RateChange } from './rate-changes.js';

/** A gap in a trace: this many changes of the call did not fit. */
export interface LostChanges {
  /** Number of changes that did not fit in the trace. */
  readonly lost: number;
}

/**
 * Formats one line, including its newline.
 *
 * @param extra further fields to append, such as the name of the flow.
 */
export function formatTraceLine(change: RateChange | LostChanges,
  extra: Readonly<Record<string, string | number>> = {}): string {
  try {
    return `${JSON.stringify({ ...change, ...extra })}\n`;
  } catch (cause) {
    throw new RoceError('invalid-argument', { where: 'change', problem: 'cannot be written as JSON', cause });
  }
}

/**
 * Formats the changes of a call as JSON lines, followed by a line `{"lost":n}` if changes were lost.
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
