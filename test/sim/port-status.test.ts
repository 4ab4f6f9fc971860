/**
 * Port status updates of MRC, `hosts.mrc.portStatus`: when a host notifies its peers of its ports, and how they react,
 * with times computed by hand.
 */
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import type { FaultSpec, HostSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { readPackets } from '../support/mrc-captures.js';
import { PS_PER_US } from '../../src/units.js';
import { captured } from './support/mrc-star.js';

const MTU = 4096;
/** Octets from the IPv6 header to the ICRC as in docs/specs/mrc-formats.md, and Ethernet. */
const REQUEST = 80 + 18;
const RESPONSE = 100 + 18;
const DOWN_US = 10;
const UP_US = 60;

interface Setting {
  readonly faults?: readonly FaultSpec[];
  readonly mrc?: HostSpec['mrc'];
  readonly packets?: number;
  readonly capture?: readonly string[];
  readonly hosts?: Partial<HostSpec>;
  readonly from?: string;
}

/** The port of h1 into plane 0 is down for a while; h0 sends to h1. */
const FAR_DOWN: FaultSpec = {
  kind: 'link-down',
  between: ['nic1', 'p0.leaf1'],
  fromUs: DOWN_US,
  toUs: UP_US,
};

function scenario(
  { faults = [FAR_DOWN], mrc = {}, packets = 1000, capture = [], hosts = {}, from = 'h0' }: Setting,
): ScenarioSpec {
  return {
    name: 'port status',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 1, planes: 2, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'flows', flows: [{ from, to: from === 'h0' ? 'h1' : 'h0', sizeBytes: packets * MTU }] },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false },
    hosts: {
      transport: 'mrc',
      mtuBytes: MTU,
      pathSelection: 'entropy-states',
      entropies: 2,
      retransmitTimeoutUs: 1000,
      mrc: { reorderUs: 0, portStatus: true, ...mrc },
      ...hosts,
    },
    faults,
    record: { capture },
  };
}

const endpoints = (records: readonly PacketRecord[]): PacketRecord[] =>
  records.filter(({ kind }) => kind.startsWith('endpoint'));
/** When data leaves a port after a time, us. */
const firstAfter = (records: readonly PacketRecord[], timeUs: number): number =>
  records.find(({ kind, timePs }) => kind === 'data' && timePs > timeUs * PS_PER_US)!.timePs / PS_PER_US;
const lastBefore = (records: readonly PacketRecord[], timeUs: number): number =>
  records.filter(({ kind, timePs }) => kind === 'data' && timePs < timeUs * PS_PER_US).at(-1)!.timePs / PS_PER_US;

describe('A host whose port into a plane goes down and comes up', () => {
  it('sends an update for each change, and its peer responds', () => {
    const { result, records } = captured(scenario({ capture: ['h1:nic1', 'h0:nic0'] }));
    const seen = endpoints(records).map(({ kind, timePs, lenBytes, trafficClass, mrc }) => [
      kind,
      Math.floor(timePs / PS_PER_US),
      lenBytes,
      trafficClass,
      mrc!.map,
      mrc!.cause,
    ]);
    // Three links of 1 us and the adapters' times.
    expect(seen).toEqual([
      ['endpoint-request', DOWN_US, REQUEST, 6, 0b10n, 1],
      ['endpoint-response', DOWN_US + 4, RESPONSE, 6, 0b10n, 1],
      ['endpoint-request', UP_US, REQUEST, 6, 0b11n, 2],
      ['endpoint-response', UP_US + 4, RESPONSE, 6, 0b11n, 2],
    ]);
    expect(result.totals).toMatchObject({ endpointRequests: 2, endpointResponses: 2 });
    expect(result.summary.flowsDone).toBe(1);
  });

  it('sends updates also if the fault names the switch first, or takes the switch down', () => {
    const ends = { kind: 'link-down', fromUs: DOWN_US, toUs: UP_US } as const;
    const atSwitch: FaultSpec = { kind: 'switch-down', node: 'p0.leaf1', fromUs: DOWN_US, toUs: UP_US };
    for (const fault of [{ ...ends, between: ['p0.leaf1', 'nic1'] as const }, atSwitch]) {
      const { records } = captured(scenario({ faults: [fault], capture: ['h1:nic1'] }));
      const sent = endpoints(records).filter(({ kind }) => kind === 'endpoint-request');
      expect(sent.map(({ timePs, mrc }) => [Math.floor(timePs / PS_PER_US), mrc!.map])).toEqual([
        [DOWN_US, 0b10n],
        [UP_US, 0b11n],
      ]);
    }
  });

  it('sends updates once its adapter has detected the change', () => {
    const { records } = captured(scenario({ mrc: { portDetectUs: 20 }, capture: ['h1:nic1'] }));
    expect(endpoints(records).map(({ timePs }) => Math.floor(timePs / PS_PER_US))).toEqual([DOWN_US + 20, UP_US + 20]);
  });

  it('sends no update for a change that it never detects', () => {
    const { totals } = runScenarioSync(scenario({ mrc: { portDetectUs: 50 } }));
    expect([totals.endpointRequests, totals.endpointResponses]).toEqual([undefined, undefined]);
  });

  it('sends no update for the link between host and adapter, which is in no plane', () => {
    const { totals, summary } = runScenarioSync(scenario({
      faults: [{ ...FAR_DOWN, between: ['h1', 'nic1'] } as FaultSpec],
    }));
    expect(totals.drops.linkDown + totals.drops.noRoute).toBeGreaterThan(0);
    expect([totals.endpointRequests, summary.flowsDone]).toEqual([undefined, 1]);
  });

  it('notifies the peers that send to it, and those that it sends to', () => {
    const { result, records } = captured(scenario({ from: 'h1', capture: ['h1:nic1', 'h0:nic0'] }));
    expect(endpoints(records)).toHaveLength(4);
    expect(endpoints(records)[0]!.mrc!.towardsDestination).toBe(true);
    expect(result.summary.flowsDone).toBe(1);
  });
});

describe('The peer', () => {
  const capture = ['nic0:p0.leaf0'];

  it('sends into the plane until it receives the update, and again after the next one', () => {
    const { records } = captured(scenario({ capture }));
    // The update takes a little over 4 us; packets queued in the adapter are still sent.
    expect(lastBefore(records, UP_US)).toBeGreaterThan(DOWN_US + 4);
    expect(firstAfter(records, UP_US - 20)).toBeGreaterThan(UP_US + 4);
    expect(firstAfter(records, UP_US - 20)).toBeLessThan(UP_US + 6);
  });

  it('loses the packets sent until then, and no others', () => {
    const drops = (mrc: HostSpec['mrc']): number => runScenarioSync(scenario({ mrc })).totals.drops.noRoute;
    // Of 4.1 us, at 100 Gb/s: 0.34 us each.
    const more = drops({}) - drops({ portStatus: false });
    expect(more).toBeGreaterThanOrEqual(12);
    expect(more).toBeLessThanOrEqual(13);
  });

  it('uses the plane for traffic to other hosts', () => {
    const spec: ScenarioSpec = {
      ...scenario({ capture }),
      topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 2, planes: 2, rateGbps: 100, delayNs: 1000 },
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h2', sizeBytes: MTU }, { from: 'h0', to: 'h3', sizeBytes: 500 * MTU }],
      },
      faults: [{ ...FAR_DOWN, between: ['nic2', 'p0.leaf1'] } as FaultSpec],
    };
    const { records } = captured(spec);
    const while_ = records.filter(({ timePs, flow }) =>
      flow === 1 && timePs > (DOWN_US + 10) * PS_PER_US && timePs < UP_US * PS_PER_US
    );
    expect(while_.length).toBeGreaterThan(50);
  });
});

it('A response to an earlier update does not stop the retransmission of a lost one', () => {
  // The second update leaves before the response to the first arrives, and is lost on either plane.
  const lost = [0, 1].map((plane): FaultSpec => ({
    kind: 'loss',
    between: ['nic1', `p${plane}.leaf1`],
    share: 1,
    of: 'all',
    fromUs: DOWN_US + 3,
    toUs: DOWN_US + 6,
  }));
  const { records } = captured(scenario({
    faults: [{ ...FAR_DOWN, toUs: DOWN_US + 2 } as FaultSpec, ...lost],
    hosts: { retransmitTimeoutUs: 100 },
    capture: ['h1:nic1', 'nic1:h1'],
  }));
  const seen = endpoints(records);
  expect(seen.map(({ kind, mrc }) => [kind, mrc!.cause])).toEqual([
    ['endpoint-request', 1],
    ['endpoint-request', 2],
    ['endpoint-response', 1],
    ['endpoint-request', 2],
    ['endpoint-response', 2],
  ]);
  expect(seen[3]!.timePs - seen[1]!.timePs).toBeCloseTo(100 * PS_PER_US, -6);
});

describe('A lost update', () => {
  /** All that h1 sends over its other plane is lost for a while. */
  const silent = (toUs: number): FaultSpec => ({
    kind: 'loss',
    between: ['nic1', 'p1.leaf1'],
    share: 1,
    of: 'all',
    fromUs: 0,
    toUs,
  });
  const requests = ({ records }: { readonly records: PacketRecord[] }): number[] =>
    endpoints(records).filter(({ kind }) => kind === 'endpoint-request').map(({ timePs }) =>
      Math.round(timePs / PS_PER_US)
    );
  const run = (toUs: number): { readonly records: PacketRecord[]; readonly result: SimResult } =>
    captured(scenario({
      faults: [{ ...FAR_DOWN, toUs: 5000 }, silent(toUs)],
      hosts: { retransmitTimeoutUs: 100 },
      capture: ['h1:nic1'],
    }));

  it('is retransmitted after the timeout until a response arrives', () => {
    const { records, result } = run(250);
    expect(requests({ records })).toEqual([10, 110, 210, 310]);
    expect(result.summary.flowsDone).toBe(1);
  });

  it('is sent at most eight times', () => {
    expect(requests(run(2000))).toEqual([10, 110, 210, 310, 410, 510, 610, 710]);
  });
});

it('A capture has requests and responses with ports, number and operation', async () => {
  const spec = scenario({ capture: ['h1:nic1', 'h0:nic0'] });
  const packets = (await readPackets(spec, captured(spec).records)).filter(({ mrc }) =>
    mrc?.kind.startsWith('endpoint')
  );
  expect(packets.map(({ mrc }) => [mrc!.kind, mrc!.psn, mrc!.destQpn, mrc!.problems])).toEqual([
    ['endpoint-request', 1, 2, []],
    ['endpoint-response', 1, 2, []],
    ['endpoint-request', 2, 2, []],
    ['endpoint-response', 2, 2, []],
  ]);
});

it('Updates are rejected with source routes, which contain planes', () => {
  const spec = scenario({});
  const routed = { ...spec, switches: { ...spec.switches, loadBalancing: 'source-route' as const } };
  expect(() => runScenarioSync(routed)).toThrow('hosts.mrc.portStatus');
});

it.each([0, 5, 20])('Kernel and model agree, with port changes detected after %i us', (portDetectUs) => {
  for (const from of ['h0', 'h1']) {
    for (const toUs of [DOWN_US + 3, DOWN_US + 15, UP_US, 400]) {
      const plan = planOf(scenario({ from, mrc: { portDetectUs }, faults: [{ ...FAR_DOWN, toUs }] }));
      if (plan === undefined) throw new Error('The scenario does not compile.');
      expectAgreement(plan);
    }
  }
});
