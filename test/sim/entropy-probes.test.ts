/**
 * Probes of MRC: closed forms, recovery of a link with silent loss, packets in captures, and agreement with the model.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LayerKind, Packet } from '../../src/packet/index.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { EntropyStatesSpec, HostSpec, LossSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { receiverQpnOf, senderQpnOf } from '../../src/switching/network-addresses.js';
import { PS_PER_US } from '../../src/units.js';
import { probeNetworks } from '../support/agreement/probe-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { readPackets } from '../support/mrc-captures.js';
import { caseCount } from '../support/effort.js';
import { rejectionOf } from '../support/rejection.js';

const RUNS = caseCount('ROCE_PROBE_NETWORKS', { few: 100, all: 3000 });
const SEED = 20_261_129;
const MTU = 1024;
const TIMEOUT_US = 50;
/** Link of a host to its leaf. */
const PROBE_BYTES = 98;
const FCS_BYTES = 4;

/** A flow over four spines; the link from the leaf to the first one silently loses packets for a while. */
function overSpines(states: EntropyStatesSpec,
  { toUs = 300, hosts = {}, ...rest }: Partial<Omit<ScenarioSpec, 'hosts'>> & {
    readonly toUs?: number;
    readonly hosts?: HostSpec;
  } = {}): ScenarioSpec {
  return {
    name: 'probes',
    durationUs: 2000,
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 4,
      hostsPerLeaf: 1,
      rateGbps: 100,
      uplink: { rateGbps: 100 },
    },
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 20_000 * MTU }] },
    hosts: {
      transport: 'mrc',
      pathSelection: 'entropy-states',
      entropies: 16,
      retransmitTimeoutUs: TIMEOUT_US,
      ...hosts,
      mrc: { reorderUs: 0, ...hosts.mrc },
      entropyStates: { reserve: 0, probes: true, ...states },
    },
    switches: { pfc: false, ecn: false },
    faults: [{ kind: 'loss', between: ['leaf0', 'spine0'], share: 1, of: 'data', toUs }],
    record: { capture: ['h0:leaf0', 'leaf0:spine0', 'leaf0:h0'] },
    ...rest,
  };
}

function captured(spec: ScenarioSpec): { readonly result: SimResult; readonly records: readonly PacketRecord[] } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, {
    onPackets: (some) => {
      records.push(...some);
    },
  });
  return { result, records };
}

/** Times of the packets of a kind that the first host sent with a UDP source port, us. */
const timesUs = (records: readonly PacketRecord[], kind: PacketRecord['kind'], port: number): number[] =>
  records.filter((one) => one.port === 0 && one.kind === kind && one.sourcePort === port)
    .map(({ timePs }) => timePs / PS_PER_US);

const portsOf = (records: readonly PacketRecord[], kind: PacketRecord['kind']): number[] => [
  ...new Set(records.filter((one) => one.port === 0 && one.kind === kind).map(({ sourcePort = 0 }) => sourcePort)),
];

describe('An entropy that is assumed bad', () => {
  it.each([[10, 1], [10, 3], [37, 2]])('is probed every %d us, and returns to use after %d acknowledged probes',
    (probeIntervalUs, probesToReturn) => {
      const healedUs = 300;
      const { records, result } = captured(overSpines({ probeIntervalUs, probesToReturn }, { toUs: healedUs }));
      const ports = portsOf(records, 'probe');
      expect(ports.length).toBeGreaterThan(1);
      for (const port of ports) {
        const data = timesUs(records, 'data', port);
        const badUs = data[0]! + TIMEOUT_US;
        const probes = timesUs(records, 'probe', port);
        // The leaf is at least a microsecond away, and a probe that reaches the recovered link is not lost.
        const healedProbe = Math.ceil((healedUs - 1.2 - badUs) / probeIntervalUs);
        const last = healedProbe + probesToReturn - 1;
        expect(probes.length).toBeGreaterThanOrEqual(last);
        expect(probes.length).toBeLessThanOrEqual(last + 1);
        probes.forEach((timeUs, i) => {
          // A packet may be in transmission.
          expect(timeUs - badUs - (i + 1) * probeIntervalUs).toBeGreaterThanOrEqual(0);
          expect(timeUs - badUs - (i + 1) * probeIntervalUs).toBeLessThan(0.2);
        });
        const again = data.filter((timeUs) => timeUs > badUs);
        const backUs = probes.at(-1)!;
        expect(again[0]!).toBeGreaterThan(backUs);
        // A round trip, and a rotation of the others.
        expect(again[0]!).toBeLessThan(backUs + 10);
      }
      const { probes = 0, probesAcknowledged, probesLost } = result.totals;
      expect(probesAcknowledged).toBe(ports.length * probesToReturn);
      expect(probesLost).toBe(probes - ports.length * probesToReturn);
    });

  it('is probed once per timeout by default, and returns after three probes', () => {
    const { records, result } = captured(overSpines({}));
    const [port = 0] = portsOf(records, 'probe');
    const probes = timesUs(records, 'probe', port);
    expect(probes[0]! - timesUs(records, 'data', port)[0]!).toBeCloseTo(2 * TIMEOUT_US, 0);
    expect(probes[1]! - probes[0]!).toBeCloseTo(TIMEOUT_US, 0);
    expect(result.totals.probesAcknowledged).toBe(3 * portsOf(records, 'probe').length);
  });

  it('stays unused while its link loses packets, and if probes are off', () => {
    const silent = captured(overSpines({ probeIntervalUs: 10 }, { toUs: 1e6 })).result.totals;
    expect(silent).toMatchObject({ probesAcknowledged: 0 });
    expect(silent.probes! - silent.probesLost!).toBeLessThanOrEqual(16);
    const { totals } = captured(overSpines({ probes: false })).result;
    expect('probes' in totals || 'probesLost' in totals).toBe(false);
  });

  it('returns to SKIP or to GOOD, depending on whether its last probe was marked', () => {
    const marking: Partial<ScenarioSpec> = {
      topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 1, rateGbps: 100, uplink: { rateGbps: 20 } },
      switches: { pfc: false, ecn: { kminKB: 1, kmaxKB: 1, pmax: 1 } },
    };
    const hashOf = (markedProbe: 'skip' | 'good'): string =>
      JSON.stringify(captured(overSpines({ markedProbe, probesToReturn: 1 }, marking)).result.totals);
    expect(hashOf('skip')).not.toBe(hashOf('good'));
  });
});

it('A link that recovers from silent loss regains its share of the goodput', () => {
  /** Gb/s from 1 ms on, for a millisecond. */
  const goodput = (probes: boolean, faults?: ScenarioSpec['faults']): number => {
    const bytesAt = (durationUs: number): number =>
      runScenarioSync(overSpines({ probes }, {
        durationUs,
        topology: {
          kind: 'leaf-spine',
          leaves: 2,
          spines: 4,
          hostsPerLeaf: 1,
          rateGbps: 100,
          uplink: { rateGbps: 25 },
        },
        algorithms: { nscc: { preset: 'nscc-mrc' } },
        switches: { pfc: false, trimming: true },
        hosts: { entropies: 128, mrc: { reorderUs: 5 } },
        workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 100_000 * MTU }] },
        record: {},
        ...(faults === undefined ? {} : { faults }),
      })).flows[0]!.deliveredBytes;
    return (bytesAt(2000) - bytesAt(1000)) * 8 / 1e6;
  };
  const unharmed = goodput(true, []);
  expect(goodput(true) / unharmed).toBeGreaterThan(0.95);
  expect(goodput(false) / unharmed).toBeLessThan(0.5);
});

const layerOf = (packet: Packet | undefined, kind: LayerKind): unknown =>
  packet?.layers.find((layer) => layer.kind === kind)?.value;

/** Connection ids of a packet, by the QPs of its sender and of its peer. */
const idsOf = (own: number, peer: number): { spdcid: number; dpdcid: number } => ({
  spdcid: own & 0xffff,
  dpdcid: peer & 0xffff,
});

const ticks = (timePs: number): number => Math.floor(timePs / 128_000) % 65_536;

describe('Probes in captures', () => {
  it('are MRC packets whose SACKs echo their numbers', async () => {
    const spec = overSpines({ probeIntervalUs: 10 });
    const { records } = captured(spec);
    const probes = records.filter(({ kind, port }) => kind === 'probe' && port === 0);
    const sacks = records.filter(({ kind, mrc }) => kind === 'ack' && mrc?.probe === true);
    expect(probes.every(({ lenBytes, payloadBytes }) => lenBytes === PROBE_BYTES && payloadBytes === 0)).toBe(true);
    const probe = probes[1]!;
    const first = sacks[0]!;
    const [frame, sack] = await readPackets(spec, [probe, first]);
    for (const packet of [frame, sack]) {
      expect(packet?.icrc).toBe('right');
      expect(packet?.mrc?.problems).toEqual([]);
    }
    expect(frame?.mrc).toMatchObject({ kind: 'probe', psn: 0, entropy: probe.sourcePort, dscpName: 'NO_TRIM' });
    expect(frame?.capturedBytes).toBe(PROBE_BYTES - FCS_BYTES);
    expect(layerOf(frame, 'peth')).toMatchObject({
      probeId: probe.mrc?.cause,
      ...idsOf(senderQpnOf(probe.flow), receiverQpnOf(probe.flow)),
      timestamp: ticks(probe.mrc?.sentPs ?? 0),
    });
    expect(layerOf(sack, 'seth')).toMatchObject({
      probeResponse: true,
      probeId: first.mrc?.cause,
      entropy: first.sourcePort,
      ...idsOf(receiverQpnOf(first.flow), senderQpnOf(first.flow)),
    });
    expect(layerOf(sack, 'mrc-cc-state')).toMatchObject({ timestamp: ticks(first.mrc?.sentPs ?? 0) });
  });
});

describe('A link that loses packets during an interval', () => {
  it('loses the packets that reach its end within the interval', () => {
    const [fromUs, toUs] = [100, 200];
    const spec = overSpines({ probes: false }, {
      faults: [
        { kind: 'loss', between: ['leaf0', 'spine0'], share: 1, of: 'data', fromUs, toUs },
        { kind: 'loss', between: ['leaf0', 'spine1'], share: 1, fromUs: 5000 },
      ],
      hosts: { pathSelection: 'oblivious', transport: 'mrc' },
      record: { capture: ['leaf0:spine0', 'spine0:leaf1'] },
    });
    const { records, result } = captured(spec);
    const [inPort, outPort] = [...new Set(records.filter(({ kind }) => kind === 'data').map(({ port }) => port))];
    const at = (port?: number) => records.filter((one) => one.kind === 'data' && one.port === port);
    const { plan } = compileScenario(validateScenario(spec));
    const { rateBps, delayPs } = plan.ports[inPort!]!;
    const arrivalsPs = at(inPort).map(({ timePs, lenBytes }) => timePs + lenBytes * 8e12 / rateBps + delayPs);
    const lost = arrivalsPs.filter((timePs) => timePs >= fromUs * PS_PER_US && timePs < toUs * PS_PER_US);
    expect(lost.length).toBeGreaterThan(20);
    expect(result.totals.drops.loss).toBe(lost.length);
    expect(at(outPort)).toHaveLength(at(inPort).length - lost.length);
  });

  it('is rejected if the interval ends before it begins, or under other fidelities than standard', () => {
    const reject = (more: Partial<LossSpec>, rest: Partial<ScenarioSpec> = {}): ReturnType<typeof rejectionOf> =>
      rejectionOf(() =>
        validateScenario({
          name: 'loss',
          topology: { kind: 'star', hosts: 2 },
          workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1 }] },
          faults: [{ kind: 'loss', between: ['h0', 's0'], share: 1, ...more }],
          ...rest,
        })
      );
    expect(reject({ fromUs: 5, toUs: 5 })).toMatchObject({ where: 'faults[0].toUs', code: 'invalid-scenario' });
    expect(reject({ toUs: 0 })).toMatchObject({ where: 'faults[0].toUs' });
    expect(reject({ fromUs: 5 }, { fidelity: 'reference' })).toMatchObject({ where: 'faults[0].fromUs' });
  });
});

it('Probes once per timeout are rejected without a timeout', () => {
  const reject = (states: EntropyStatesSpec): ReturnType<typeof rejectionOf> =>
    rejectionOf(() => compileScenario(validateScenario(overSpines(states, { hosts: { retransmitTimeoutUs: 0 } }))));
  expect(reject({})).toMatchObject({ code: 'invalid-scenario', where: 'hosts.entropyStates.probes' });
  const spec = overSpines({ probeIntervalUs: 9 }, { hosts: { retransmitTimeoutUs: 0 } });
  expect(() => compileScenario(validateScenario(spec))).not.toThrow();
});

it(`Kernel and model agree on ${RUNS} random networks with links that silently lose packets during an interval`, () => {
  const seen = { probed: 0, acked: 0, lost: 0, healed: 0, marked: 0, shared: 0, done: 0 };
  const property = fc.property(probeNetworks, (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    const { totals, flows } = expectAgreement(plan);
    const { probes = 0, probesAcknowledged = 0, probesLost = 0, marks } = totals;
    seen.probed += Number(probes > 0);
    seen.acked += Number(probesAcknowledged > 0);
    seen.lost += Number(probesLost > 0);
    seen.healed += Number(probesAcknowledged >= 3 && probesLost > 0);
    seen.marked += Number(probesAcknowledged > 0 && marks > 0);
    seen.shared += Number(probes > 0 && plan.connections !== undefined);
    seen.done += Number(probes > 0 && flows.every(({ completionPs }) => completionPs !== null));
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 20);
}, 60_000 + 300 * RUNS);
