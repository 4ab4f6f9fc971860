/** Compares the emulated switch with the simulator's plain model: departures, marks and drops for the same arrivals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dissect } from '../../src/packet/index.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { Pfc } from '../../src/wire/index.js';
import { Emulated, starScenario } from './support/emulated-star.js';
import { runModelSwitch, type ModelArrival } from './support/model-switch.js';

const FCS_BYTES = 4;
const HOSTS = 5;
const NO_LOSSES = { dataLoss: 0, ackLoss: 0, cnpLoss: 0, corruption: 0 };

interface Sent {
  readonly kind: ModelArrival['kind'];
  readonly flow: number;
  readonly gapPs: number;
  readonly payloadBytes: number;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  kind: fc.constantFrom<ModelArrival['kind'][]>('data', 'data', 'data', 'data', 'data', 'ack', 'cnp', 'pause',
    'resume'),
  flow: fc.nat(HOSTS - 2),
  gapPs: fc.constantFrom(0, 0, 700_000, 2_000_000, 8_848_000, 30_000_000),
  payloadBytes: fc.constantFrom(4, 500, 1000),
});

const scenario: fc.Arbitrary<ScenarioSpec> = fc.record({
  seed: fc.nat(1e6),
  kminKB: fc.constantFrom(1, 4),
  pmax: fc.constantFrom(0.2, 1),
  markAt: fc.constantFrom('dequeue', 'enqueue'),
  pfc: fc.boolean(),
  small: fc.boolean(),
  pools: fc.boolean(),
  fastCnp: fc.boolean(),
  markWhenLimited: fc.boolean(),
  able: fc.boolean(),
  share: fc.constantFrom(0, 0.1),
}).map(({ seed, kminKB, pmax, markAt, pfc, small, pools, fastCnp, markWhenLimited, able, share }) =>
  starScenario(HOSTS, {
    seed,
    switches: {
      ecn: { byRate: [{ rateGbps: 1, kminKB, kmaxKB: 10, pmax }], markAt },
      pfc,
      bufferBytes: (pools ? 105_000 : 45_000) * (small ? 1 : 4),
      headroomBytes: 4000,
      fastCnp: { enabled: fastCnp, markWhenLimited, flowBurst: 2, portBurst: 5, flowRatePerSecond: 5000 },
      ...(pools && {
        buffer: { model: 'service-pools', lossyBytes: 60_000, losslessClasses: pfc ? [3] : [], reservedBytes: 100 },
      }),
    },
    overrides: [{ nodes: ['h0'], host: { acceptFastCnp: able && fastCnp } }],
    ...(share > 0 && { faults: [{ kind: 'loss', between: ['h1', 's0'], share, of: 'all' }] }),
  })
);

const pause = (kind: string): Uint8Array =>
  Pfc.frame(Uint8Array.of(2, 0, 0, 0, 0, 9), {
    classEnableVector: 8,
    pauseQuanta: Array.from({ length: 8 }, (_, one) => (one === 3 && kind === 'pause' ? 0xffff : 0)),
  });

/** Runs both with arrivals at the same times. Egress losses differ by design, so links lose only ingress frames. */
function both(spec: ScenarioSpec, packets: readonly Sent[]) {
  const star = new Emulated(spec, {}, undefined, (settings) => ({
    ...settings,
    ports: settings.ports.map((port) => ({ ...port, lossOut: NO_LOSSES })),
  }));
  const { plan } = star;
  const planIn = {
    ...plan,
    ports: plan.ports.map((port) => (plan.nodes[port.node]!.kind === 'switch' ? lossless(port) : port)),
  };
  let timePs = 0;
  const arrivals: ModelArrival[] = [];
  packets.forEach(({ kind, flow, gapPs, payloadBytes }, place) => {
    timePs += gapPs;
    const isPause = kind === 'pause' || kind === 'resume';
    const frame = isPause ? pause(kind) : star.frame(kind, flow, place * 1000, payloadBytes);
    const port = kind === 'data' ? flow : HOSTS - 1;
    star.arrive(port, frame, timePs);
    arrivals.push({
      port,
      timePs,
      kind,
      flow,
      sequence: place * 1000,
      lenBytes: frame.length + FCS_BYTES,
      trafficClass: 3,
    });
  });
  timePs += 1000;
  star.arrive(HOSTS - 1, pause('resume'), timePs);
  arrivals.push({ port: HOSTS - 1, timePs, kind: 'resume', flow: -1, sequence: 0, lenBytes: 64, trafficClass: 3 });
  star.drain();
  return { star, model: runModelSwitch(planIn, HOSTS, arrivals) };
}

function lossless<Port extends object>(port: Port): Port {
  return { ...port, ...NO_LOSSES };
}

const NAMES: Readonly<Record<string, string>> = { 'fast-cnp-1': 'fast-cnp', pfc: 'pfc', pause: 'pfc', resume: 'pfc' };

describe('an emulated switch and the plain model', () => {
  it('agree on 20 random scenarios: departures and drops, their times and marks', () => {
    const seen = { marks: 0, fastCnps: 0, pauses: 0, drops: 0, losses: 0 };
    fc.assert(fc.property(scenario, fc.array(sent, { minLength: 150, maxLength: 220 }), (spec, packets) => {
      const { star, model } = both(spec, packets);
      const byTime = <Of extends { timePs: number; port: number }>(all: Of[]): Of[] =>
        all.sort((a, b) => a.timePs - b.timePs || a.port - b.port);
      const live = star.left.map(({ port, arrivesPs, frame }) => {
        const { class: name } = dissect(frame);
        return { timePs: arrivesPs, port, kind: NAMES[name] ?? name };
      });
      const simulated = model.arrived.map(({ port, timePs, kind }) => ({ timePs, port, kind: NAMES[kind] ?? kind }));
      expect(byTime(live)).toEqual(byTime(simulated));
      expect(byTime(star.marks.slice())).toEqual(byTime(model.marks.slice()));
      const dropTimes = star.drops.filter(({ reason }) => reason !== 'loss').map(({ timePs }) => timePs);
      expect(dropTimes).toEqual(model.drops.map(({ timePs }) => timePs));
      expect(star.imbalances()).toEqual([]);
      for (const counters of star.switch.counters) {
        seen.marks += counters.marks;
        seen.fastCnps += counters.fastCnps;
        seen.pauses += counters.pausesSent;
        seen.drops += counters.droppedIn.buffer;
        seen.losses += counters.droppedIn.loss;
      }
    }), { numRuns: 20, seed: 1803, endOnFailure: true });
    // Each outcome must occur several times, or the comparison proves nothing.
    expect(Object.entries(seen).filter(([, count]) => count < 3)).toEqual([]);
  });
});
