/** The npm package's engine and the library's: each step runs on both, and the visible state must be equal. */
import { expect } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { createEngineSync, type Engine, type EngineOptions } from '../../../src/index.js';
import { OUTCOME_NAMES } from '../../../src/abi/names.js';
import { NativeEngine } from './native-engine.js';

const HASH_SEED = 42;

/** The result of a step, or the code of its error; error texts differ. */
function attempt(step: (engine: Engine) => unknown, engine: Engine): unknown {
  try {
    return { value: step(engine) };
  } catch (error) {
    if (error instanceof RoceError) return { rejected: error.code };
    throw error;
  }
}

/** Has the steps and checks of the `Herd` of the engine tests. */
export class NativePair {
  readonly first: Engine;
  readonly native: NativeEngine;

  constructor(options: Omit<EngineOptions, 'backend' | 'hashSeed'>) {
    const all = { ...options, trace: false, hashSeed: HASH_SEED };
    this.first = createEngineSync(all);
    this.native = new NativeEngine(all);
  }

  step(step: (engine: Engine) => unknown): void {
    const wanted = attempt(step, this.first);
    const got = attempt(step, this.native as unknown as Engine);
    expect(got).toStrictEqual(wanted);
  }

  check(): void {
    const qps = [...this.first.openQps()];
    const { actions } = this.first;
    const stats = this.first.stats();
    const outcomes = new Array<number>(48).fill(0);
    for (const [name, code] of Object.entries(OUTCOME_NAMES))
      outcomes[code] = stats.outcomes[name as keyof typeof OUTCOME_NAMES];
    const got = this.native.describe(qps) as { stats: Record<string, unknown> };
    expect(got).toMatchObject({
      actions: Array.from({ length: actions.length }, (_, index) => ({
        kind: actions.kindCode(index),
        reason: actions.reasonCode(index),
        qp: actions.qp(index),
        timePs: actions.timePs(index),
        value: actions.value(index),
      })),
      qps: qps.map((qp) => this.#describeQp(qp)),
      stateHash: this.first.stateHash(),
      stats: {
        events_in: stats.eventsIn,
        packets_in: stats.packetsIn,
        packet_bytes_in: stats.packetBytesIn,
        handled: stats.handled,
        ignored: stats.ignored,
        rejected: stats.rejected,
        cnps_sent: stats.np_cnp_sent,
        late_clamped: stats.lateClamped,
      },
    });
    expect([...got.stats['outcomes'] as number[]]).toStrictEqual(outcomes);
  }

  #describeQp(qp: number): object {
    const view = this.first.qp(qp);
    const { endpoint, localQpn, peerQpn } = this.first.flowOf(qp);
    const state = view.algorithmState();
    const creditBytes = state.algorithm === 'rccc' ? state.creditBytes : NaN;
    return {
      qp,
      rateBps: view.rateBps,
      windowBytes: view.windowBytes,
      creditBytes: [creditBytes, creditBytes],
      nextSendPs: view.nextSendPs,
      lastEventPs: view.lastEventPs,
      isLimited: view.isLimited,
      parameterSet: view.parameterSet,
      endpoint,
      localQpn,
      peerQpn,
      nextDeadlinePs: this.first.nextDeadlinePs(qp),
    };
  }

  dispose(): void {
    this.native.dispose();
  }
}
