/** The page's side of a worker: requests with responses, and the current run. */
import type { ExportKind, FromWorker, GraphsByFile, LinkPackets, OfScenario, RateTrace, Rejection, ScenarioFacts,
  ToWorker } from '../protocol/run-protocol.js';
import { RejectedError } from './rejected-error.js';
import { RunData } from './run-data.js';
import { openBuiltIn, type OpenWorker, type RunWorker } from './run-worker.js';
import { Signal } from './signal.js';
import type { WorkloadFiles } from './workload/workload-files.js';

export type RunState = 'idle' | 'running' | 'paused' | 'done' | 'rejected';

type Answer = Extract<FromWorker, { readonly type: 'facts' | 'schema' | 'packets' | 'rates' | 'file' }>;

/** Messages that contain a scenario. */
type WithScenario = Extract<ToWorker, OfScenario>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class RunClient {
  readonly state = new Signal<RunState>('idle');
  /** Data of the current run, or the last one. */
  readonly data = new Signal<RunData | undefined>(undefined);
  readonly rejection = new Signal<Rejection | undefined>(undefined);
  /** Time at which the current or last run was requested, milliseconds since the page was opened. */
  beganMs = 0;
  readonly #files: WorkloadFiles;
  readonly #waiting = new Map<number, Waiting>();
  #open: OpenWorker = openBuiltIn;
  #worker: RunWorker | undefined;
  #next = 1;
  #runId = 0;

  constructor(files: WorkloadFiles) {
    this.#files = files;
  }

  /** Runs scenarios in another worker from now on; the next request opens it. */
  connect(open: OpenWorker): void {
    this.end();
    this.#open = open;
  }

  /** Ends the worker; the next request opens a new one. */
  end(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#rejectAll(new Error('The request was cancelled.'));
    if (this.state.value === 'running' || this.state.value === 'paused') this.state.value = 'idle';
  }

  /** Starts a run; cancels one in progress. */
  run(text: string): void {
    this.#runId = this.#next++;
    this.beganMs = performance.now();
    this.rejection.value = undefined;
    this.state.value = 'running';
    this.#post({ type: 'run', id: this.#runId, text });
  }

  pause(): void {
    if (this.state.value !== 'running') return;
    this.#post({ type: 'pause' });
    this.state.value = 'paused';
  }

  resume(): void {
    if (this.state.value !== 'paused') return;
    this.#post({ type: 'resume' });
    this.state.value = 'running';
  }

  stop(): void {
    this.#worker?.post({ type: 'stop' });
  }

  /** Checks a scenario. @throws RejectedError naming the key. */
  async check(text: string): Promise<ScenarioFacts> {
    const answer = await this.#ask((id) => ({ type: 'check', id, text }));
    return (answer as Extract<Answer, { type: 'facts' }>).facts;
  }

  /** JSON schema of scenarios, and names of presets. */
  async schema(): Promise<{ readonly schema: unknown; readonly presets: readonly string[] }> {
    return (await this.#ask((id) => ({ type: 'schema', id }))) as Extract<Answer, { type: 'schema' }>;
  }

  /** Repeats the run to get every packet of a link. @throws RejectedError. */
  async packets(text: string, ports: readonly [string, string]): Promise<LinkPackets> {
    const answer = await this.#ask((id) => ({ type: 'packets', id, text, ports }));
    return (answer as Extract<Answer, { type: 'packets' }>).packets;
  }

  /** Repeats the run to get every rate change of a flow with its reason. @throws RejectedError. */
  async rateTrace(text: string, flow: number, simTrace: ArrayBuffer): Promise<RateTrace> {
    const answer = await this.#ask((id) => ({ type: 'rates', id, text, flow, simTrace }));
    return (answer as Extract<Answer, { type: 'rates' }>).trace;
  }

  /** @throws RejectedError. */
  async exported(kind: ExportKind, port: string): Promise<{ readonly name: string; readonly blob: Blob }> {
    return (await this.#ask((id) => ({ type: 'export', id, kind, port }))) as Extract<Answer, { type: 'file' }>;
  }

  #post(message: ToWorker): void {
    this.#worker ??= this.#opened();
    const graphs = 'text' in message ? this.#files.graphsOf(message.text) : undefined;
    if (graphs === undefined || !('text' in message)) this.#worker.post(message);
    else void this.#postWith(graphs, message);
  }

  /** Posts a message that needs workload files once they are read, unless it is no longer wanted. */
  async #postWith(graphs: Promise<GraphsByFile>, message: WithScenario): Promise<void> {
    const worker = this.#worker;
    const isWanted = (): boolean =>
      worker === this.#worker && (message.id === this.#runId || this.#waiting.has(message.id));
    try {
      const read = await graphs;
      if (isWanted()) worker?.post({ ...message, graphs: read });
    } catch (error) {
      if (!isWanted()) return;
      const rejection = error instanceof RejectedError ? error : { message: String(error), where: '' };
      this.#receive({ type: 'rejected', id: message.id, rejection });
    }
  }

  #opened(): RunWorker {
    const worker = this.#open({
      receive: (message) => {
        if (worker === this.#worker) this.#receive(message);
      },
      fail: (rejection) => {
        if (worker === this.#worker) this.#fail(rejection);
      },
    });
    return worker;
  }

  #fail(rejection: Rejection): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#rejectAll(new RejectedError(rejection));
    this.rejection.value = rejection;
    this.state.value = 'rejected';
  }

  #rejectAll(error: Error): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
  }

  #ask(request: (id: number) => ToWorker): Promise<Answer> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post(request(id));
    });
  }

  #receive(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting !== undefined) {
      this.#waiting.delete(message.id);
      if (message.type === 'rejected') waiting.reject(new RejectedError(message.rejection));
      else waiting.resolve(message as Answer);
    } else if (message.id === this.#runId) this.#receiveOfRun(message);
  }

  #receiveOfRun(message: FromWorker): void {
    const data = this.data.value;
    if (message.type === 'facts') this.data.value = new RunData(message.facts);
    else if (message.type === 'rejected') {
      this.rejection.value = message.rejection;
      this.state.value = 'rejected';
    } else if (message.type === 'samples' && data !== undefined) {
      data.add(message.chunk);
      data.progress = message.progress;
      this.data.notify();
    } else if (message.type === 'done' && data !== undefined) {
      data.outcome = message.outcome;
      this.data.notify();
      this.state.value = 'done';
    }
  }
}
