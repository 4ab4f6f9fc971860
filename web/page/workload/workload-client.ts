/** The page's side of the worker that reads workload files; it is loaded with the first file. */
import type { GraphsByFile } from '../../protocol/run-protocol.js';
import type { FromWorkloadWorker, ToWorkloadWorker } from '../../protocol/workload-protocol.js';
import { RejectedError } from '../rejected-error.js';
import { WorkerCalls } from '../worker-calls.js';

export class WorkloadClient {
  readonly #calls = new WorkerCalls<ToWorkloadWorker, FromWorkloadWorker>(
    new Worker(new URL('../../worker/workload-main.ts', import.meta.url), { type: 'module' }),
    ({ rejection }) => new RejectedError(rejection),
    (message) => new RejectedError({ message: `Workload files cannot be read: ${message}`, where: '' }),
  );

  /** The text of a scenario for that file. @throws RejectedError. */
  async scenario(file: File): Promise<string> {
    return (await this.#calls.ask('scenario', (id) => ({ type: 'open', id, file }))).text;
  }

  /** @throws RejectedError for a file that cannot be read. */
  async graphs(text: string, files: readonly File[]): Promise<GraphsByFile> {
    return (await this.#calls.ask('graphs', (id) => ({ type: 'graphs', id, text, files }))).graphs;
  }
}
