/** One of the scenarios that are compared: its text, and its runs. */
import type { ScenarioFacts } from '../protocol/run-protocol.js';
import { RejectedError, RunClient } from './run-client.js';
import { Signal } from './signal.js';

export type VariantName = 'A' | 'B';

export class Variant {
  readonly name: VariantName;
  readonly text: Signal<string>;
  readonly client = new RunClient();
  /** Of the text, as soon as it is checked. */
  readonly facts = new Signal<ScenarioFacts | undefined>(undefined);
  /** Text of the run whose data are shown. */
  ranText = '';
  #startText: string;
  #checked = 0;

  constructor(name: VariantName, text: string) {
    this.name = name;
    this.text = new Signal(text);
    this.#startText = text;
    this.client.data.onChange((data) => {
      if (data !== undefined) this.facts.value = data.facts;
    });
  }

  /** Source of the experiment: an item of the gallery, a link, a copy. */
  get startText(): string {
    return this.#startText;
  }

  /** Puts another experiment in its place. */
  begin(text: string): void {
    this.#startText = text;
    this.text.value = text;
  }

  run(): void {
    this.ranText = this.text.value;
    this.client.run(this.text.value);
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
      this.client.rejection.value = { message: error.message, where: error.where };
    }
  }
}
