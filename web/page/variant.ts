/** One of the scenarios that are compared: its text, and its runs. */
import type { ScenarioFacts } from '../protocol/run-protocol.js';
import { throttled } from '../../src/charts/dom.js';
import type { RunData } from './run-data.js';
import { RejectedError } from './rejected-error.js';
import { RunClient } from './run-client.js';
import { Signal } from './signal.js';
import type { WorkloadFiles } from './workload/workload-files.js';

/** A slider that moves requests a run at most this often. */
const RUN_EVERY_MS = 40;
/** Runs of more events, about a second's, are not repeated at each change. */
const LIVE_MAX_EVENTS = 3e6;

export type VariantName = 'A' | 'B';

export class Variant {
  readonly name: VariantName;
  readonly text: Signal<string>;
  readonly client: RunClient;
  /** Of the text, as soon as it is checked. */
  readonly facts = new Signal<ScenarioFacts | undefined>(undefined);
  /** Text of the run whose data are shown. */
  ranText = '';
  /** One run at a time: a change during a run requests another one after it. */
  readonly runSoon = throttled(RUN_EVERY_MS, () => {
    this.#runWhenFree();
  });
  /** The run before the last change of a parameter: charts draw it behind the present one. */
  before: RunData | undefined;
  #startText: string;
  #changedKey = '';
  #checked = 0;
  #isWaiting = false;

  constructor(name: VariantName, text: string, files: WorkloadFiles) {
    this.name = name;
    this.client = new RunClient(files);
    this.text = new Signal(text);
    this.#startText = text;
    this.client.data.onChange((data) => {
      if (data !== undefined) this.facts.value = data.facts;
    });
    this.client.state.onChange((state) => {
      if (state !== 'running' && this.#isWaiting) this.#runWhenFree();
    });
  }

  /** Source of the experiment: an item of the gallery, a link, a copy. */
  get startText(): string {
    return this.#startText;
  }

  /** Whether the last run was short enough to be repeated at each change. */
  get isFast(): boolean {
    const outcome = this.client.data.value?.outcome;
    return outcome === undefined || outcome.events <= LIVE_MAX_EVENTS;
  }

  /** Puts another experiment in its place. */
  begin(text: string): void {
    this.#startText = text;
    this.before = undefined;
    this.#changedKey = '';
    this.text.value = text;
  }

  /** Puts an earlier state of the same experiment, or of another, in its place. */
  restore(startText: string, text: string): void {
    if (startText !== this.#startText) this.begin(startText);
    this.text.value = text;
  }

  /** Keeps the run before the reader moves another parameter; while one slider moves, that from before it moved. */
  keepBefore(key: string): void {
    const data = this.client.data.value;
    if (key === this.#changedKey || data?.outcome === undefined) return;
    this.#changedKey = key;
    this.before = data;
  }

  run(): void {
    this.ranText = this.text.value;
    this.client.run(this.text.value);
  }

  #runWhenFree(): void {
    this.#isWaiting = this.client.state.value === 'running';
    if (!this.#isWaiting) this.run();
  }

  /** Reads the text without running it. */
  async check(): Promise<void> {
    const mine = ++this.#checked;
    try {
      const facts = await this.client.check(this.text.value);
      if (mine !== this.#checked) return;
      this.client.rejection.value = undefined;
      this.facts.value = facts;
    } catch (error) {
      if (mine !== this.#checked || !(error instanceof RejectedError)) return;
      this.client.rejection.value = error;
    }
  }
}
