/** Several engines that must agree: each step is made on all of them, and everything visible must be equal. */
import { expect } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { createEngineSync, restoreEngineSync, type Engine, type EngineOptions,
  type Stats } from '../../../src/index.js';
import { BACKENDS, type BackendOption } from '../../support/backends.js';

type Named = readonly [name: string, engine: Engine];

/** Backends by name. */
export type NamedBackends = readonly (readonly [name: string, backend: BackendOption])[];

/** One seed, so that the flow tables of all runs are the same. */
const HASH_SEED = 42;

/** Leaves out counters that depend on the implementation and not on results. */
function comparableStats(stats: Stats): Stats {
  return { ...stats, timerSteps: 0 };
}

function describeQp(engine: Engine, qp: number) {
  const view = engine.qp(qp);
  return {
    qp,
    state: view.algorithmState(),
    windowBytes: view.windowBytes,
    flags: view.flags,
    nextDeadlinePs: engine.nextDeadlinePs(qp),
  };
}

function describeActions(engine: Engine) {
  const { actions } = engine;
  return Array.from({ length: actions.length }, (_, index) => ({
    kind: actions.kindCode(index),
    reason: actions.reasonCode(index),
    qp: actions.qp(index),
    timePs: actions.timePs(index),
    value: actions.value(index),
  }));
}

/** Everything that a user of the engine can see. */
export function describeEngine(engine: Engine) {
  return {
    actions: describeActions(engine),
    trace: { changes: [...engine.trace], lost: engine.trace.lost },
    qps: Array.from(engine.openQps(), (qp) => describeQp(engine, qp)),
    stats: comparableStats(engine.stats()),
    stateHash: engine.stateHash(),
  };
}

function attempt(step: (engine: Engine) => unknown, engine: Engine): unknown {
  try {
    return { value: step(engine) };
  } catch (error) {
    if (error instanceof RoceError) return { rejected: error.message };
    throw error;
  }
}

function expectOneOutcomeEach(name: string, { eventsIn, packetsIn, handled, ignored, rejected }: Stats): void {
  if (eventsIn + packetsIn === handled + ignored + rejected) return;
  expect(handled + ignored + rejected, `handled + ignored + rejected of ${name}`).toBe(eventsIn + packetsIn);
}

export class Herd {
  readonly #backends: NamedBackends;
  #engines: readonly Named[];

  constructor(options: Omit<EngineOptions, 'backend' | 'hashSeed'>, backends: NamedBackends = BACKENDS) {
    this.#backends = backends;
    this.#engines = backends.map(([name, backend]) => [
      name,
      createEngineSync({ ...options, backend, hashSeed: HASH_SEED }),
    ]);
  }

  /** The first engine, for values on which all agree. */
  get first(): Engine {
    return this.#engines[0]![1];
  }

  /** Makes the same step on every engine, which must return the same value or throw the same error. */
  step(step: (engine: Engine) => unknown): void {
    const [[, first], ...others] = this.#engines as [Named, ...Named[]];
    const wanted = attempt(step, first);
    for (const [name, engine] of others) {
      const got = attempt(step, engine);
      if (isSame(got, wanted)) continue;
      expect({ step: got, ...describeEngine(engine) }, name).toStrictEqual({ step: wanted, ...describeEngine(first) });
    }
  }

  /** All engines must be equal, and every input must be counted in exactly one outcome. */
  check(): void {
    const [[firstName, first], ...others] = this.#engines as [Named, ...Named[]];
    const wanted = describeEngine(first);
    expectOneOutcomeEach(firstName, wanted.stats);
    for (const [name, engine] of others) {
      const got = describeEngine(engine);
      if (!isSame(got, wanted)) expect(got, name).toStrictEqual(wanted);
      expectOneOutcomeEach(name, got.stats);
    }
  }

  /** Adds for each engine another one that is restored from its snapshot. */
  fork(): void {
    this.#engines = this.#engines.flatMap(([name, engine]) => [
      [name, engine] as const,
      [`${name} restored`, restoreEngineSync(engine.snapshot(), { backend: this.#backendNamed(name) })] as const,
    ]);
  }

  #backendNamed(engineName: string): BackendOption {
    return this.#backends.find(([name]) => engineName.startsWith(name))![1];
  }

  /** Makes some steps, restores each engine to its snapshot from before them, and repeats them. */
  rewindAndRepeat(steps: () => void): void {
    const snapshots = this.#engines.map(([, engine]) => engine.snapshot());
    steps();
    const wanted = describeEngine(this.first);
    this.#engines.forEach(([, engine], index) => {
      engine.restore(snapshots[index]!);
    });
    steps();
    this.check();
    expect(describeEngine(this.first)).toStrictEqual(wanted);
  }
}

/** Compares plain values, including NaN and the sign of zero, faster than `expect`, which prints the difference. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
