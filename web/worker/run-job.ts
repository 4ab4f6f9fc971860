/** Runs a scenario in the worker in slices, and handles the page's messages between them. */
import { hashResult, readMetrics, simulate, type CompiledScenario, type PacketRecord, type Progress,
  type SimResult } from '../../src/sim/index.js';
import type { Outcome, RunProgress, SampleChunk } from '../protocol/run-protocol.js';
import { answersOf } from './answers.js';
import { beat } from './beats.js';
import { codeUrl } from './custom-algorithm.js';
import { deviatingSwitches } from './deviating-switches.js';
import { flowColumns, pauseColumns, portColumns } from './run-columns.js';
import { SampleBuffer } from './sample-buffer.js';
import { ratedFlows } from './scenario-facts.js';
import { nextTurn } from './turns.js';

/** Events per slice: some milliseconds. */
const EVENTS_PER_SLICE = 40_000;
/** Events per slice with a custom algorithm, whose handlers may be slow. */
const CUSTOM_EVENTS_PER_SLICE = 4_000;
/** Interval between two chunks of samples. */
const SEND_EVERY_MS = 60;

/** Allows members of a copy to be deleted. */
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface RunListener {
  readonly onSamples: (chunk: SampleChunk, progress: RunProgress) => void;
  readonly onPackets?: (records: readonly PacketRecord[]) => void;
}

export interface FinishedRun {
  readonly compiled: CompiledScenario;
  readonly result: SimResult;
  readonly outcome: Outcome;
}

export class RunJob {
  readonly #compiled: CompiledScenario;
  readonly #listener: RunListener;
  readonly #captured: readonly number[];
  readonly #abort = new AbortController();
  #resume: (() => void) | undefined;
  #isPaused = false;

  /** @param captured ports whose packets are recorded. */
  constructor(compiled: CompiledScenario, listener: RunListener, captured: readonly number[] = []) {
    this.#compiled = compiled;
    this.#listener = listener;
    this.#captured = captured;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resume?.();
  }

  stop(): void {
    this.#abort.abort();
    this.resume();
  }

  /** Runs to the end, or until it is stopped. @throws RoceError. */
  async run(): Promise<FinishedRun> {
    const { plan, record } = this.#compiled;
    const samples = new SampleBuffer(plan.ports.length, ratedFlows(this.#compiled), record.startPs);
    const { onPackets } = this.#listener;
    const slices = simulate(this.#recordingMore(), {
      signal: this.#abort.signal,
      eventsPerSlice: codeUrl() === '' ? EVENTS_PER_SLICE : CUSTOM_EVENTS_PER_SLICE,
      onSample: (kernel, timePs, rates) => {
        samples.add(kernel, timePs, rates);
      },
      ...(onPackets && { onPackets }),
    });
    beat('run');
    const beganMs = performance.now();
    let sentMs = beganMs;
    let progress = progressOf(undefined);
    for (let step = slices.next();; step = slices.next()) {
      beat(step.done === true ? 'result' : 'run');
      if (step.done === true) return this.#finish(step.value, samples, progress, performance.now() - beganMs);
      progress = progressOf(step.value);
      if (performance.now() - sentMs >= SEND_EVERY_MS) {
        this.#listener.onSamples(samples.take(), progress);
        sentMs = performance.now();
      }
      await this.#turn();
    }
  }

  #finish(recorded: SimResult, samples: SampleBuffer, progress: RunProgress, wallMs: number): FinishedRun {
    const result = this.#asAsked(recorded);
    const share = result.ended === 'all-flows-done' || result.ended === 'jobs-done' ? 1 : progress.share;
    this.#listener.onSamples(samples.take(), { ...progress, nowPs: result.simulatedPs, share });
    return { compiled: this.#compiled, result, outcome: this.#outcome(recorded, result, wallMs) };
  }

  /** The scenario with pauses recorded for the page, even if it does not request them. */
  #recordingMore(): CompiledScenario {
    const { record } = this.#compiled;
    return { ...this.#compiled, record: { ...record, pauses: true, capture: this.#captured } };
  }

  /** The result as the scenario requests it, so that its hash equals the command line's. */
  #asAsked(recorded: SimResult): SimResult {
    if (this.#compiled.record.pauses) return recorded;
    const { notes, noteRecords = [] } = recorded;
    const isAsked = (index: number): boolean => noteRecords[index]?.code !== 'pauses-left-out';
    const result: Mutable<SimResult> = {
      ...recorded,
      notes: notes.filter((_, index) => isAsked(index)),
      noteRecords: noteRecords.filter((_, index) => isAsked(index)),
    };
    delete result.pauses;
    return { ...result, hash: hashResult(result) };
  }

  #outcome(recorded: SimResult, result: SimResult, wallMs: number): Outcome {
    const { hash, ended, fidelity, seed, simulatedPs, events, packetHops, notes } = result;
    return {
      hash,
      ended,
      fidelity,
      seed,
      simulatedPs,
      events,
      packetHops,
      wallMs,
      metrics: readMetrics(result),
      notes,
      ports: portColumns(result),
      flows: flowColumns(result),
      pauses: pauseColumns(recorded.pauses ?? [], this.#compiled.portNames),
      answers: [...answersOf(result), deviatingSwitches(this.#compiled)],
    };
  }

  /** Lets messages be handled, and waits while the run is paused. */
  async #turn(): Promise<void> {
    await nextTurn();
    if (!this.#isPaused) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }
}

function progressOf(progress: Progress | undefined): RunProgress {
  if (progress === undefined) return { nowPs: 0, flowsDone: 0, flowsTotal: 0, share: 0, events: 0 };
  const { nowPs, flowsDone, flowsTotal, bytesDelivered, bytesTotal, events } = progress;
  return { nowPs, flowsDone, flowsTotal, share: bytesTotal === 0 ? 0 : bytesDelivered / bytesTotal, events };
}
