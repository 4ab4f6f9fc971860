/** A variant: one of the compared scenarios, with its text and runs. */
import type { ScenarioFacts } from '../protocol/run-protocol.js';
import { throttled } from '../../src/view/charts/dom.js';
import type { RunData } from './run-data.js';
import { RejectedError } from './rejected-error.js';
import { RunClient } from './run-client.js';
import { Signal } from './signal.js';
import type { WorkloadFiles } from './workload/workload-files.js';

/** Minimum interval between runs while a slider moves. */
const RUN_EVERY_MS = 40;
/** Runs with more events, about one second, are not repeated on each change. */
const LIVE_MAX_EVENTS = 3e6;

export type VariantName = 'A' | 'B';

export class Variant {
  readonly name: VariantName;
  readonly text: Signal<string>;
  readonly client: RunClient;
  /** Facts of the scenario, once its text is checked. */
  readonly facts = new Signal<ScenarioFacts | undefined>(undefined);
  /** Text of the scenario whose run is shown. */
  ranText = '';
  /** Requests a run. Only one runs at a time: a change during a run causes another one after it. */
  readonly runSoon = throttled(RUN_EVERY_MS, () => {
    this.#runWhenFree();
  });
  /** The run before the last change of a parameter, which charts draw behind the current one. */
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

  /** Text that the experiment began with: from a gallery item, a link or a copy. */
  get startText(): string {
    return this.#startText;
  }

  /** Whether the last run was short enough to be repeated on each change. */
  get isFast(): boolean {
    const outcome = this.client.data.value?.outcome;
    return outcome === undefined || outcome.events <= LIVE_MAX_EVENTS;
  }

  /** Replaces the experiment. */
  begin(text: string): void {
    this.#startText = text;
    this.before = undefined;
    this.#changedKey = '';
    this.text.value = text;
  }

  /** Restores an earlier state of this or another experiment. */
  restore(startText: string, text: string): void {
    if (startText !== this.#startText) this.begin(startText);
    this.text.value = text;
  }

  /** Remembers the run before the user changes a parameter; while one slider moves, the run before it began to move. */
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

  /** Checks the text without running it. */
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
