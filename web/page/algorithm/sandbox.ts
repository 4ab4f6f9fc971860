/** The page's side of sandbox.html: a frame without origin and network, in which workers of custom algorithms run. */
import workerUrl from '../../worker/main.ts?worker&url';
import { h } from '../../../src/view/charts/dom.js';
import type { FromSandbox, ToSandbox } from '../../protocol/algorithm-protocol.js';

export class Sandbox {
  readonly #frame = h('iframe', { sandbox: 'allow-scripts', src: './sandbox.html', title: 'Sandbox', hidden: true });
  readonly #isReady: Promise<void>;
  readonly #failures = new Map<number, (message: string) => void>();
  #next = 1;

  constructor() {
    const isLoaded = new Promise<void>((resolve) => {
      addEventListener('message', ({ source, data }: MessageEvent<FromSandbox>) => {
        if (source !== this.#frame.contentWindow) return;
        if (data.type === 'ready') resolve();
        else this.#failures.get(data.id)?.(data.message);
      });
    });
    document.body.append(this.#frame);
    this.#isReady = Promise.all([workerScript(), isLoaded]).then(([script]) => {
      this.#tell({ type: 'script', script });
    });
  }

  /** @param fail called with errors that the worker did not catch. @returns the worker's id, for `end`. */
  start(port: MessagePort, fail: (message: string) => void): number {
    const id = this.#next++;
    this.#failures.set(id, fail);
    this.#isReady.then(() => {
      if (this.#failures.has(id)) this.#tell({ type: 'start', id }, [port]);
    }, (error: unknown) => {
      fail(`The sandbox could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
    });
    return id;
  }

  end(id: number): void {
    if (this.#failures.delete(id)) this.#tell({ type: 'end', id });
  }

  #tell(message: ToSandbox, transfer: Transferable[] = []): void {
    this.#frame.contentWindow?.postMessage(message, '*', transfer);
  }
}

/** Source of the worker script that other workers run. The sandbox cannot load files, so it gets the text. */
async function workerScript(): Promise<string> {
  const response = await fetch(workerUrl);
  if (!response.ok) throw new Error(`${response.status} for ${workerUrl}`);
  return response.text();
}
