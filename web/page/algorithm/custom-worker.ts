/** A sandboxed worker with the code of a custom algorithm; each version of the code gets its own. */
import type { BeatStage, DeclaredAlgorithm } from '../../protocol/algorithm-protocol.js';
import type { FromWorker, ToWorker } from '../../protocol/run-protocol.js';
import { RejectedError } from '../rejected-error.js';
import type { RunWorker, WorkerListener } from '../run-worker.js';
import { LIMITS_MS, ProgressWatch } from './progress-watch.js';
import type { Sandbox } from './sandbox.js';

/** Id of the request that loads the code. */
const LOAD_ID = 0;

const DOING: Readonly<Record<BeatStage, string>> = {
  code: 'while the module was evaluated',
  scenario: 'while the scenario was compiled',
  run: 'during the run: a handler does not return, or takes too long',
  result: 'while the results were made',
};

export class CustomWorker implements RunWorker {
  /** Rejects with a RejectedError if the code does not load. */
  readonly declared: Promise<DeclaredAlgorithm>;
  readonly #sandbox: Sandbox;
  readonly #port: MessagePort;
  readonly #watch: ProgressWatch;
  readonly #id: number;
  #listener: WorkerListener | undefined;
  #loading: { resolve: (declared: DeclaredAlgorithm) => void; reject: (error: Error) => void } | undefined;

  /** @param parts of the code, split at its module specifiers. */
  constructor(sandbox: Sandbox, parts: readonly string[]) {
    const { port1, port2 } = new MessageChannel();
    this.#sandbox = sandbox;
    this.#port = port1;
    this.#watch = new ProgressWatch((stage) => {
      this.#fail(`No progress for ${LIMITS_MS[stage] / 1000} s ${DOING[stage]}. The worker was ended.`);
    });
    this.declared = new Promise((resolve, reject) => {
      this.#loading = { resolve, reject };
    });
    port1.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      this.#receive(data);
    };
    this.#id = sandbox.start(port2, (message) => {
      this.#fail(message);
    });
    this.post({ type: 'algorithm', id: LOAD_ID, parts });
  }

  listen(listener: WorkerListener): void {
    this.#listener = listener;
  }

  post(message: ToWorker): void {
    this.#watch.asked(message);
    this.#port.postMessage(message);
  }

  end(): void {
    this.#watch.end();
    this.#port.close();
    this.#sandbox.end(this.#id);
  }

  #receive(message: FromWorker): void {
    this.#watch.heard(message);
    if (message.type === 'beat') return;
    if (message.type === 'algorithm') this.#loading?.resolve(message.algorithm);
    else if (message.type === 'rejected' && message.id === LOAD_ID)
      this.#loading?.reject(new RejectedError(message.rejection));
    else this.#listener?.receive(message);
  }

  #fail(message: string): void {
    this.end();
    this.#loading?.reject(new RejectedError({ message, where: '' }));
    this.#listener?.fail({ message, where: '' });
  }
}
