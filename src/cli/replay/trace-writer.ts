/**
 * Writes the rate changes of a replay as JSON lines (docs/trace.md): times count from the capture's first frame, and each change
 * has the name of its flow besides the engine's QP number.
 */
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import type { RateTrace } from '../../engine/rate-trace.js';
import { formatTraceLine } from '../../engine/trace-lines.js';
import type { OutputStream } from '../output.js';
import { LEAD_PS } from './frame-clock.js';
import type { OpenQp } from './open-flows.js';

/** Room for changes per call of the engine, 12 MiB: an advance stops before it is used up, a batch of frames may not. */
export const TRACE_RECORDS = 2 ** 17;

export const TRACE_TO_STDOUT = '-';

/** Where the lines go. */
export interface LineSink {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** @throws errors of the system when the file can't be written. */
export async function openLines(file: string, stdout: OutputStream): Promise<LineSink> {
  return file === TRACE_TO_STDOUT ? linesTo(stdout) : linesInto(await open(file, 'w'));
}

function linesTo(stream: OutputStream): LineSink {
  return {
    write: async (text) => {
      if (!stream.write(text)) await once(stream, 'drain');
    },
    close: () => Promise.resolve(),
  };
}

function linesInto(handle: FileHandle): LineSink {
  return { write: (text) => handle.appendFile(text), close: () => handle.close() };
}

export class TraceWriter {
  /** Changes that found no room in the engine; a line `{"lost":n}` stands where each of these holes is. */
  lost = 0;
  readonly #sink: LineSink;
  #pending = '';

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  /** Takes the changes of the engine's last call over. `flows`: by the engine's QP number. */
  take(trace: RateTrace, flows: readonly OpenQp[]): void {
    for (const change of trace) {
      const flow = flows[change.qp]?.flow ?? '';
      this.#pending += formatTraceLine({ ...change, timePs: change.timePs - LEAD_PS }, { flow });
    }
    if (trace.lost === 0) return;
    this.lost += trace.lost;
    this.#pending += formatTraceLine({ lost: trace.lost });
  }

  /** Writes what was taken, and waits until it has gone. */
  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') await this.#sink.write(text);
  }

  /** Writes the rest and closes a file. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#sink.close();
    }
  }
}
