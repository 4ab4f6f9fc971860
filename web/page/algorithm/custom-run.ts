/**
 * Runs the user's code as B: checks it, loads it into a sandboxed worker, and gives B the scenario of A with this
 * algorithm.
 */
import { debounced } from '../../../src/view/charts/dom.js';
import type { DeclaredAlgorithm } from '../../protocol/algorithm-protocol.js';
import type { Rejection } from '../../protocol/run-protocol.js';
import type { Lab } from '../lab.js';
import { RejectedError } from '../rejected-error.js';
import { Signal } from '../signal.js';
import type { Variant } from '../variant.js';
import type { CodePlaces } from './code-places.js';
import { customScenario } from './custom-scenario.js';
import { CustomWorker } from './custom-worker.js';
import { CodeError, prepareCode } from './prepare-code.js';
import type { Sandbox } from './sandbox.js';

/** Delay after the last change of A's scenario until B follows. */
const FOLLOW_WAIT_MS = 400;

/** An error of the code, with its line if known. */
export interface RunFault {
  readonly message: string;
  readonly line?: number;
}

export class CustomRun {
  readonly fault = new Signal<RunFault | undefined>(undefined);
  /** Declaration of the last code that was loaded. */
  readonly declared = new Signal<DeclaredAlgorithm | undefined>(undefined);
  readonly #lab: Lab;
  readonly #sandbox: Sandbox;
  readonly #watched = new WeakSet<Variant>();
  #version = 0;
  #loading: CustomWorker | undefined;
  #places: CodePlaces | undefined;

  constructor(lab: Lab, sandbox: Sandbox) {
    this.#lab = lab;
    this.#sandbox = sandbox;
    const runSoon = debounced(FOLLOW_WAIT_MS, () => {
      const b = lab.b.value;
      if (b !== undefined && this.#isRunning && b.ranText !== b.text.value && this.#runsAtOnce()) b.runSoon();
    });
    lab.a.text.onChange(() => {
      if (!this.#isRunning) return;
      this.#follow();
      runSoon();
    });
    lab.code.onChange((code) => {
      if (code === undefined) this.#leave();
    });
  }

  /** Checks and loads the code, then B runs it. On failure, `fault` has the error and B is unchanged. */
  async apply(text: string): Promise<void> {
    const mine = ++this.#version;
    this.#loading?.end();
    this.#loading = undefined;
    let places: CodePlaces | undefined;
    try {
      const code = await prepareCode(text);
      if (mine !== this.#version) return;
      places = code.places;
      const worker = new CustomWorker(this.#sandbox, code.parts);
      this.#loading = worker;
      const declared = await worker.declared;
      if (mine !== this.#version) return;
      this.#loading = undefined;
      this.#places = places;
      this.declared.value = declared;
      this.fault.value = undefined;
      this.#runAsB(worker, code.parts);
    } catch (error) {
      if (mine === this.#version) this.fault.value = faultOf(error, places);
    }
  }

  get #isRunning(): boolean {
    return this.#lab.code.value?.isHeld === false && this.declared.value !== undefined;
  }

  #runAsB(worker: CustomWorker, parts: readonly string[]): void {
    const b = this.#lab.b.value ?? this.#lab.addB(this.#lab.a.text.value);
    this.#watch(b);
    let first: CustomWorker | undefined = worker;
    b.client.connect((listener) => {
      const opened = first ?? new CustomWorker(this.#sandbox, parts);
      first = undefined;
      opened.listen(listener);
      return opened;
    });
    this.#follow();
    if (this.#runsAtOnce()) b.run();
    else void b.check();
  }

  /** Updates B to A's current scenario. */
  #follow(): void {
    const { a, b } = this.#lab;
    const declared = this.declared.value;
    if (b.value === undefined || declared === undefined) return;
    const text = customScenario(a.text.value, b.value.text.value, declared);
    if (text !== undefined) b.value.text.value = text;
  }

  #runsAtOnce(): boolean {
    return this.#lab.isLive.value && this.#lab.variants.every(({ isFast }) => isFast);
  }

  #watch(variant: Variant): void {
    if (this.#watched.has(variant)) return;
    this.#watched.add(variant);
    variant.client.rejection.onChange((rejection) => {
      if (this.#isRunning && variant === this.#lab.b.value)
        this.fault.value = rejection && placed(rejection, this.#places);
    });
  }

  #leave(): void {
    this.#version++;
    this.#loading?.end();
    this.#loading = undefined;
    this.fault.value = undefined;
    this.declared.value = undefined;
  }
}

function faultOf(error: unknown, places: CodePlaces | undefined): RunFault {
  if (error instanceof CodeError) return { message: error.message, line: error.line };
  if (error instanceof RejectedError) return placed(error, places);
  return { message: error instanceof Error ? error.message : String(error) };
}

/** A key of the definition or of its parameters. */
const OF_DEFINITION = /^(?:algorithm|algorithms\.[^.]+\.parameters)\b/;

/** Locates an error in the code: by the definition's key, by the line that threw, or by the handler. */
function placed({ message, where, code }: Rejection, places: CodePlaces | undefined): RunFault {
  const ofKey = OF_DEFINITION.test(where) ? places?.pathLine(where) : undefined;
  const line = ofKey ?? code?.line ?? places?.handlerLine(code?.handler ?? '');
  return { message, ...(line !== undefined && { line }) };
}
