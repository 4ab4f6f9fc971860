/**
 * The detection time of a failed or recovered port, `hosts.mrc.portDetectUs`: a flow over two planes, computed by hand.
 */
import { describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { MrcSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { captured } from './support/mrc-star.js';

const MTU = 4096;
const DATA = MTU + 106;
const DETECT_US = 20;
const DOWN_US = 10;
/** Time of a packet from host to adapter, at the rate of both ports. */
const INTO_ADAPTER_US = 40 * (DATA + 20) / 1e6;
/** The adapter sends every other packet into each plane. */
const lostIn = (timeUs: number): number => timeUs / INTO_ADAPTER_US / 2;

type End = readonly [from: string, to: string];
const OWN: End = ['nic0', 'p0.leaf0'];
const FAR: End = ['nic1', 'p0.leaf1'];

/** No loss is detected before the timeout, and no entropy is excluded. */
function scenario(between: End, mrc: MrcSpec, toUs = 4000): ScenarioSpec {
  return {
    name: 'a dead port',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 1, planes: 2, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 400 * MTU }] },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false },
    hosts: {
      transport: 'mrc',
      mtuBytes: MTU,
      pathSelection: 'entropy-states',
      entropies: 2,
      retransmitTimeoutUs: 1000,
      mrc: { reorderUs: 0, ...mrc },
    },
    faults: [{ kind: 'link-down', between, fromUs: DOWN_US, toUs }],
  };
}

const run = (between: End, mrc: MrcSpec = {}, toUs?: number): SimResult =>
  runScenarioSync(scenario(between, mrc, toUs));
const dropsAt = ({ ports }: SimResult, port: string): number => ports.find(({ name }) => name === port)!.drops;

describe('A sender whose own port into a plane fails', () => {
  it('loses the packets that it sends into the plane before it detects the failure', () => {
    const [late, once] = [run(OWN, { portDetectUs: DETECT_US }), run(OWN)];
    expect([late, once].map(({ summary }) => summary.flowsDone)).toEqual([1, 1]);
    const more = dropsAt(late, 'nic0:p0.leaf0') - dropsAt(once, 'nic0:p0.leaf0');
    expect(Math.abs(more - lostIn(DETECT_US))).toBeLessThan(1);
    expect(late.totals.drops.linkDown).toBeGreaterThan(once.totals.drops.linkDown);
  });

  it('loses only packets on the link and in the queue if it detects the failure at once, the default', () => {
    const once = run(OWN);
    expect(run(OWN, { portDetectUs: 0 }).flows).toEqual(once.flows);
    // A microsecond of the link's delay, and the packet that it sends.
    expect(dropsAt(once, 'nic0:p0.leaf0')).toBeLessThanOrEqual(5);
  });

  it('uses the plane again without a detection if the link recovers earlier', () => {
    const results = [run(OWN, { portDetectUs: 1000 }, DOWN_US + 5), run(OWN, { portDetectUs: 5 }, DOWN_US + 5)];
    for (const result of results) {
      const lost = dropsAt(result, 'nic0:p0.leaf0') - dropsAt(run(OWN, {}, DOWN_US + 5), 'nic0:p0.leaf0');
      expect(Math.abs(lost - lostIn(5))).toBeLessThan(1);
    }
    expect(results[0]!.flows).toEqual(results[1]!.flows);
  });
});

describe("A sender that has not detected that the receiver's port failed", () => {
  it('sends into a plane without a path to it', () => {
    const [late, once] = [run(FAR, { portDetectUs: DETECT_US }), run(FAR)];
    expect([late, once].map(({ summary }) => summary.flowsDone)).toEqual([1, 1]);
    const more = late.totals.drops.noRoute - once.totals.drops.noRoute;
    expect(Math.abs(more - lostIn(DETECT_US))).toBeLessThan(1);
  });
});

describe('A sender whose port into a plane recovers', () => {
  const UP_US = 60;
  /** When the first packet leaves for the plane after the failure, us. */
  function backUs(between: End, mrc: MrcSpec): number {
    const spec = {
      ...scenario(between, mrc, UP_US),
      workload: { kind: 'flows' as const, flows: [{ from: 'h0', to: 'h1', sizeBytes: 1000 * MTU }] },
      record: { capture: ['nic0:p0.leaf0'] },
    };
    const later = captured(spec).records.filter(({ timePs }) => timePs > (DOWN_US + DETECT_US) * 1e6 + 1e6);
    return later[0]!.timePs / 1e6;
  }

  it.each([['own', OWN], ['far', FAR]] as const)('avoids the plane until it detects the recovery, %s', (_, between) => {
    expect(backUs(between, {})).toBeGreaterThan(UP_US);
    expect(backUs(between, {})).toBeLessThan(UP_US + 1);
    expect(backUs(between, { portDetectUs: DETECT_US })).toBeGreaterThan(UP_US + DETECT_US);
    expect(backUs(between, { portDetectUs: DETECT_US })).toBeLessThan(UP_US + DETECT_US + 1);
  });

  it('does not notice a failure that lasts exactly the detection time', () => {
    const [short, none] = [DETECT_US, 1e4].map((portDetectUs) => run(OWN, { portDetectUs }, DOWN_US + DETECT_US));
    expect(short!.flows).toEqual(none!.flows);
  });
});

it('No adapter forwards packets of other hosts', () => {
  const { ports } = runScenarioSync({
    ...scenario(FAR, { portDetectUs: DETECT_US }),
    topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 2, planes: 2, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h2', sizeBytes: 400 * MTU }] },
    faults: [{ kind: 'link-down', between: ['nic2', 'p0.leaf1'], fromUs: DOWN_US, toUs: 4000 }],
  });
  const ofOthers = ports.filter(({ node, peer }) => ['nic1', 'nic3'].includes(node) || ['nic1', 'nic3'].includes(peer));
  expect(ofOthers.length).toBeGreaterThan(0);
  expect(ofOthers.every(({ txPackets }) => txPackets === 0)).toBe(true);
});

it.each([['own', OWN], ['far', FAR]] as const)('Kernel and model agree on a failed port, %s', (_, between) => {
  for (const portDetectUs of [0, DETECT_US, 1e4]) {
    for (const toUs of [DOWN_US + 15, DOWN_US + 50, 4000]) {
      const plan = planOf(scenario(between, { portDetectUs }, toUs));
      if (plan === undefined) throw new Error('The scenario does not compile.');
      expectAgreement(plan);
    }
  }
});
