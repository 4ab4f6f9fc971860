/** Writes the rate changes of a replay as JSON lines (docs/trace.md): each has the name of its flow besides the QP number. */
import { formatTraceLine, type LostChanges } from '../../engine/trace-lines.js';
import type { FlowRateChange } from '../../replay/index.js';
import type { OutputStream } from '../output.js';
import { printableJson } from '../printable.js';
import { FileWriter } from '../write-file.js';
import { writeOut } from '../write-out.js';

export const TRACE_TO_STDOUT = '-';

export class TraceFile {
  /** Changes that found no room in the engine; a line `{"lost":n}` stands where each of these holes is. */
  lost = 0;
  readonly #sink: FileWriter | OutputStream;
  #pending = '';

  constructor(sink: FileWriter | OutputStream) {
    this.#sink = sink;
  }

  /** Keeps a change until the next `flush`. */
  add(change: FlowRateChange | LostChanges): void {
    if ('lost' in change) this.lost += change.lost;
    this.#pending += formatTraceLine(change);
  }

  /** Writes what was added, and waits until it has gone. */
  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (this.#sink instanceof FileWriter) this.#sink.write(text);
    else await writeOut(this.#sink, printableJson(text));
  }

  /** Writes the rest, and puts a file into its place. */
  async close(): Promise<void> {
    if (!(this.#sink instanceof FileWriter)) return this.flush();
    try {
      await this.flush();
    } catch (error) {
      this.#sink.abandon();
      throw error;
    }
    this.#sink.finish();
  }
}

/** @throws errors of the system when the file can't be written. */
export function openTrace(file: string, stdout: OutputStream): TraceFile {
  return new TraceFile(file === TRACE_TO_STDOUT ? stdout : new FileWriter(file));
}
