/** The page's interface to a worker that runs scenarios. */
import type { FromWorker, Rejection, ToWorker } from '../protocol/run-protocol.js';

export interface WorkerListener {
  readonly receive: (message: FromWorker) => void;
  /** Called if the worker ends unexpectedly or cannot start. */
  readonly fail: (rejection: Rejection) => void;
}

export interface RunWorker {
  post(message: ToWorker): void;
  /** Ends the worker, whatever it is doing. */
  end(): void;
}

export type OpenWorker = (listener: WorkerListener) => RunWorker;

/** The simulator with its built-in algorithms. */
export const openBuiltIn: OpenWorker = ({ receive, fail }) => {
  const worker = new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    receive(data);
  });
  worker.addEventListener('error', ({ message }) => {
    fail({ message: `The simulator could not be loaded: ${message}`, where: '' });
  });
  return {
    post: (message) => {
      worker.postMessage(message);
    },
    end: () => {
      worker.terminate();
    },
  };
};
