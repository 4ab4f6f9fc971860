/** The state of the page: one or two variants, and the user's view of them. */
import { openBuiltIn } from './run-worker.js';
import { Signal } from './signal.js';
import { Variant } from './variant.js';
import { WorkloadFiles } from './workload/workload-files.js';

/** The user's view. */
export interface View {
  /** Name of the port whose queue is drawn; empty: the one with the longest queue. */
  readonly port: string;
  /** Highlighted flow; -1: none. */
  readonly flow: number;
  /** Instant of the network's picture, picoseconds; -1: the last one. */
  readonly timePs: number;
}

/** Code of a custom algorithm, which B runs. */
export interface LabCode {
  readonly text: string;
  /** Whether it came with a link and the user has not allowed it to run yet. */
  readonly isHeld: boolean;
}

export const FIRST_VIEW: View = { port: '', flow: -1, timePs: -1 };

export class Lab {
  readonly a: Variant;
  readonly b = new Signal<Variant | undefined>(undefined);
  /** Variant that is edited, and whose network is drawn. */
  readonly chosen: Signal<Variant>;
  readonly view = new Signal<View>(FIRST_VIEW);
  /** Notifies when any data of a run has changed. */
  readonly changed = new Signal(0);
  /** Whether each change runs the scenario at once. */
  readonly isLive = new Signal(true);
  /** Whether charts show the whole run, or its active part. */
  readonly isWholeRun = new Signal(true);
  /** Result hash in the shared link; empty if there is none. */
  readonly statedHash = new Signal('');
  /** Code that B runs; undefined if B runs a built-in algorithm or there is no B. */
  readonly code = new Signal<LabCode | undefined>(undefined);

  readonly #files = new WorkloadFiles();

  constructor(text: string) {
    this.a = new Variant('A', text, this.#files);
    this.chosen = new Signal(this.a);
    this.#watch(this.a);
  }

  get variants(): readonly Variant[] {
    return this.b.value === undefined ? [this.a] : [this.a, this.b.value];
  }

  show(view: Partial<View>): void {
    this.view.value = { ...this.view.value, ...view };
  }

  /** Puts a second variant next to the first. */
  addB(text: string): Variant {
    const variant = this.b.value ?? new Variant('B', text, this.#files);
    variant.begin(text);
    if (this.b.value === undefined) {
      this.#watch(variant);
      this.b.value = variant;
    }
    return variant;
  }

  /** B runs built-in algorithms again. */
  dropCode(): void {
    if (this.code.value === undefined) return;
    this.code.value = undefined;
    this.b.value?.client.connect(openBuiltIn);
  }

  removeB(): void {
    this.code.value = undefined;
    this.b.value?.client.end();
    this.b.value = undefined;
    this.chosen.value = this.a;
    this.changed.value++;
  }

  /** Runs all variants, except code that the user has not allowed to run. */
  run(): void {
    const isHeld = this.code.value?.isHeld === true;
    for (const variant of this.variants) if (variant === this.a || !isHeld) variant.run();
  }

  /** Makes a workload file the experiment. @throws RejectedError for a file that cannot be read. */
  async openWorkload(file: File): Promise<void> {
    const text = await this.#files.open(file);
    this.removeB();
    this.view.value = FIRST_VIEW;
    this.statedHash.value = '';
    this.a.begin(text);
    this.run();
  }

  #watch({ client }: Variant): void {
    const notify = (): void => {
      this.changed.value++;
    };
    client.data.onChange(notify);
    client.state.onChange(notify);
    client.rejection.onChange(notify);
  }
}
