/** Writes the rate changes of a replay as JSON lines (docs/guides/trace.md), each with its QP number and flow name. */
import { formatTraceLine, type LostChanges } from '../../engine/trace-lines.js';
import type { FlowRateChange } from '../../replay/index.js';
import type { OutputStream } from '../output.js';
import { printableJson } from '../printable.js';
import { KeptFile, type Warn } from '../kept-file.js';
import { LineOutput } from '../line-output.js';
import { requireWritable } from '../write-file.js';

export const TRACE_TO_STDOUT = '-';

export class TraceFile {
  /** Number of changes that the engine lost; a line `{"lost":n}` marks each gap. */
  lost = 0;
  readonly #sink: KeptFile | LineOutput;
  #pending = '';

  constructor(sink: KeptFile | LineOutput) {
    this.#sink = sink;
  }

  /** Buffers a change until the next `flush`. */
  add(change: FlowRateChange | LostChanges): void {
    if ('lost' in change) this.lost += change.lost;
    this.#pending += formatTraceLine(change);
  }

  /** Writes the buffered changes and waits until they are written. */
  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (this.#sink instanceof KeptFile) this.#sink.write(text);
    else await this.#sink.write(printableJson(text));
  }

  /** Whether the reader of standard output has closed the pipe. */
  get isReaderGone(): boolean {
    return this.#sink instanceof LineOutput && this.#sink.isReaderGone;
  }

  /** Writes the rest and moves the file to its path. */
  async close(): Promise<void> {
    await this.flush();
    this.#sink.finish();
  }
}

/**
 * @param warn reports the trace's path if it differs from the requested one.
 * @throws system errors if the file can't be written.
 */
export function openTrace(file: string, stdout: OutputStream, warn: Warn): TraceFile {
  if (file === TRACE_TO_STDOUT) return new TraceFile(new LineOutput(stdout, 'trace.jsonl', warn));
  requireWritable(file);
  return new TraceFile(new KeptFile(file, warn));
}
