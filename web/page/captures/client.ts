/** The page's side of the worker that reads captures; it is loaded with the first capture. */
import type { CaptureReport, FrameDetails, FromCaptureWorker,
  ToCaptureWorker } from '../../protocol/capture-protocol.js';
import { WorkerCalls } from '../worker-calls.js';

export class CaptureClient {
  readonly #calls = new WorkerCalls<ToCaptureWorker, FromCaptureWorker>(
    new Worker(new URL('../../worker/capture-main.ts', import.meta.url), { type: 'module' }),
    ({ message }) => new Error(message),
    (message) => new Error(`Captures cannot be read: ${message}`),
  );

  /** @param flows CSV of connections; undefined if there is none. @throws Error with a readable message. */
  async read(file: File, flows: string | undefined): Promise<CaptureReport> {
    const given = flows === undefined ? {} : { flows };
    return (await this.#calls.ask('report', (id) => ({ type: 'read', id, file, ...given }))).report;
  }

  /** @throws Error with a readable message. */
  async frame(index: number): Promise<FrameDetails> {
    return (await this.#calls.ask('frame', (id) => ({ type: 'frame', id, index }))).details;
  }
}
