/** The page's side of the worker that reads captures; it is loaded with the first capture. */
import type { CaptureReport, FrameDetails, FromCaptureWorker,
  ToCaptureWorker } from '../../protocol/capture-protocol.js';

interface Waiting {
  readonly resolve: (message: FromCaptureWorker) => void;
  readonly reject: (error: Error) => void;
}

export class CaptureClient {
  readonly #worker = new Worker(new URL('../../worker/capture-main.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromCaptureWorker>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.type === 'failed') waiting?.reject(new Error(data.message));
      else waiting?.resolve(data);
    });
  }

  /** @param flows CSV of connections; undefined: none. @throws Error in words. */
  async read(file: File, flows: string | undefined): Promise<CaptureReport> {
    const answer = await this.#ask((id) => ({ type: 'read', id, file, ...(flows !== undefined && { flows }) }));
    return (answer as Extract<FromCaptureWorker, { type: 'report' }>).report;
  }

  /** @throws Error in words. */
  async frame(index: number): Promise<FrameDetails> {
    const answer = await this.#ask((id) => ({ type: 'frame', id, index }));
    return (answer as Extract<FromCaptureWorker, { type: 'frame' }>).details;
  }

  #ask(request: (id: number) => ToCaptureWorker): Promise<FromCaptureWorker> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(request(id));
    });
  }
}
