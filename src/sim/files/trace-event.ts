/** Trace events in Google's Trace Event Format. */

export type Args = Readonly<Record<string, number | string | boolean>>;

/** One event of a trace: a counter's value, a slice, or a name. Times are microseconds. */
export type TraceEvent = {
  readonly ph: 'C';
  readonly name: string;
  readonly pid: number;
  readonly ts: number;
  readonly args: Args;
} | {
  readonly ph: 'X';
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Args;
} | {
  readonly ph: 's' | 'f';
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly id: number;
  readonly bp?: 'e';
} | { readonly ph: 'M'; readonly name: string; readonly pid: number; readonly tid?: number; readonly args: Args };
