/** Writes the rate changes of a replay as JSON lines (docs/trace.md): each has the name of its flow besides the QP number. */
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { formatTraceLine, type LostChanges } from '../../engine/trace-lines.js';
import type { FlowRateChange } from '../../replay/index.js';
import type { OutputStream } from '../output.js';
import { printableJson } from '../printable.js';

export const TRACE_TO_STDOUT = '-';

export class TraceFile {
  /** Changes that found no room in the engine; a line `{"lost":n}` stands where each of these holes is. */
  lost = 0;
  readonly #sink: FileHandle | OutputStream;
  #pending = '';

  constructor(sink: FileHandle | OutputStream) {
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
    if ('appendFile' in this.#sink) await this.#sink.appendFile(text);
    else if (!this.#sink.write(printableJson(text))) await once(this.#sink, 'drain');
  }

  /** Writes the rest and closes a file. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      if ('appendFile' in this.#sink) await this.#sink.close();
    }
  }
}

/** @throws errors of the system when the file can't be written. */
export async function openTrace(file: string, stdout: OutputStream): Promise<TraceFile> {
  return new TraceFile(file === TRACE_TO_STDOUT ? stdout : await open(file, 'w'));
}
