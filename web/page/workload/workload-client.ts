/** The page's side of the worker that reads workload files; it is loaded with the first file. */
import type { GraphsByFile } from '../../protocol/run-protocol.js';
import type { FromWorkloadWorker, ToWorkloadWorker } from '../../protocol/workload-protocol.js';
import { RejectedError } from '../rejected-error.js';

type Answer = Exclude<FromWorkloadWorker, { readonly type: 'failed' }>;

interface Waiting {
  readonly resolve: (message: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class WorkloadClient {
  readonly #worker = new Worker(new URL('../../worker/workload-main.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorkloadWorker>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.type === 'failed') waiting?.reject(new RejectedError(data.rejection));
      else waiting?.resolve(data);
    });
    this.#worker.addEventListener('error', ({ message }) => {
      const error = new RejectedError({ message: `Workload files cannot be read: ${message}`, where: '' });
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  /** The text of a scenario of that file. @throws RejectedError. */
  async scenario(file: File): Promise<string> {
    return (await this.#ask((id) => ({ type: 'open', id, file })) as Extract<Answer, { type: 'scenario' }>).text;
  }

  /** @throws RejectedError for a file that cannot be read. */
  async graphs(text: string, files: readonly File[]): Promise<GraphsByFile> {
    return (await this.#ask((id) => ({ type: 'graphs', id, text, files })) as Extract<Answer, { type: 'graphs' }>)
      .graphs;
  }

  #ask(request: (id: number) => ToWorkloadWorker): Promise<Answer> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(request(id));
    });
  }
}
