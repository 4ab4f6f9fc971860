/** A simulator that computes results by a formula: for tests of the command line. */
import { RoceError } from '../../../src/errors.js';
import { PhaseClock } from '../../../src/sim/steps.js';
import type { PacketRecord, Progress, SimResult } from '../../../src/sim/result.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import type { CaptureMaker, RunningScenario, Simulator, SimulatorOptions } from '../../../src/cli/run/simulator.js';
import { fakeResult } from './fake-results.js';

const STEPS = 4;

export interface FakeSimulator extends Simulator {
  /** Scenarios that were run, in order. */
  readonly runs: readonly ScenarioSpec[];
}

/** @param onStep is called before each step, and may interrupt the run. */
export function fakeSimulator(onStep: (spec: ScenarioSpec, step: number) => void = () => undefined): FakeSimulator {
  const runs: ScenarioSpec[] = [];
  return {
    runs,
    prepare: (given) => {
      const spec = given as ScenarioSpec;
      checkTopology(spec);
      return {
        spec,
        phases: new PhaseClock(() => 0),
        run: (options) => {
          runs.push(spec);
          return running(steps(spec, options, onStep));
        },
        captures: { portNames: ['h0:s0', 'h1:s0'], make: () => new CountedPackets() },
      };
    },
  };
}

function checkTopology({ topology }: ScenarioSpec): void {
  if (topology.kind === 'star' || topology.kind === 'dumbbell') return;
  throw new RoceError('invalid-scenario', {
    what: 'unknown topology',
    got: topology.kind,
    allowed: 'star',
    where: 'topology.kind',
  });
}

/** A capture that only states its number of packets. */
class CountedPackets implements CaptureMaker {
  readonly notes = [{ code: 'counted-only', figures: {}, text: 'Counted only.' }];
  #count = 0;
  add(): void {
    this.#count += 1;
  }
  drain(): readonly Uint8Array[] {
    return [];
  }
  finish(): Uint8Array {
    return new TextEncoder().encode(`${this.#count} packets`);
  }
}

function packetAt(port: number): PacketRecord {
  return {
    timePs: 0,
    port,
    kind: 'data',
    flow: 0,
    sequence: 0,
    lenBytes: 1082,
    payloadBytes: 1024,
    trafficClass: 3,
    marked: false,
  };
}

/** A run that continues while its steps are read. */
function running(steps: AsyncGenerator<Progress, SimResult>): RunningScenario {
  let end: (result: SimResult) => void = () => undefined;
  return {
    result: new Promise((resolve) => {
      end = resolve;
    }),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const step = await steps.next();
        if (step.done === true) {
          end(step.value);
          return;
        }
        yield step.value;
      }
    },
  };
}

async function* steps(spec: ScenarioSpec, { signal, onPackets }: SimulatorOptions,
  onStep: (spec: ScenarioSpec, step: number) => void): AsyncGenerator<Progress, SimResult> {
  const { name, seed = 1, workload } = spec;
  const senders = 'senders' in workload ? workload.senders : 16;
  for (let step = 1; step <= STEPS; step++) {
    onStep(spec, step);
    await Promise.resolve();
    if (signal.aborted) return { ...fakeResult({ name, seed, senders, ended: 'cancelled' }), scenario: spec };
    onPackets?.([packetAt(1), packetAt(0), packetAt(1)]);
    const share = step / STEPS;
    yield {
      nowPs: share * 1e9,
      flowsDone: Math.floor(share * senders),
      flowsTotal: senders,
      bytesDelivered: share * 1e6,
      bytesTotal: 1e6,
      packetHops: 1000 * step,
      events: 1000 * step,
    };
  }
  return { ...fakeResult({ name, seed, senders }), scenario: spec };
}
