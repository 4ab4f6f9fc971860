/**
 * Senders that change their UDP source port on a Fast CNP: when, to which port, and the effect on two flows over one
 * link.
 */
import { describe, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { PortCapture } from '../../src/sim/files/capture.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FlowListSpec, HostSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { dissect } from '../../src/packet/index.js';

const DETOURS: HostSpec = { onFastCnp: 'slow-down-and-detour' };

/** Two flows that the hash sends over one uplink of four. */
const elephants = (hosts: HostSpec, rest: Partial<ScenarioSpec> = {}, sourcePort = 10_000): ScenarioSpec => ({
  name: 'elephants',
  topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 2 },
  workload: {
    kind: 'flows',
    flows: [
      { from: 'h0', to: 'h2', sizeBytes: 2_000_000, sourcePort },
      { from: 'h1', to: 'h3', sizeBytes: 2_000_000, sourcePort: PORT_THAT_COLLIDES },
    ],
  },
  switches: { fastCnp: { enabled: true } },
  hosts,
  ...rest,
});

/** The first UDP source port of the second flow with which both use the same uplink, found from their paths. */
const PORT_THAT_COLLIDES = 10_003;

const slowestUs = ({ summary }: SimResult): number => summary.completionPs!.max / 1e6;

/** All packets that hosts of the first leaf send and receive. */
function captured(spec: ScenarioSpec): { result: SimResult; records: PacketRecord[] } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync({ ...spec, record: { capture: ['h0:leaf0', 'h1:leaf0', 'leaf0:h0', 'leaf0:h1'] } }, {
    onPackets: (some) => {
      records.push(...some);
    },
  });
  return { result, records };
}

describe('Two flows that the hash sends over the same link', () => {
  const none = runScenarioSync(elephants({}));
  const detoured = runScenarioSync(elephants(DETOURS));

  it('share it for the whole run without source-port changes', () => {
    const [first, second] = none.flows.map(({ path = [] }) => path[1]);
    expect(first).toBe(second);
    expect(none.flows.every(({ detours }) => detours === undefined)).toBe(true);
  });

  it('separate with source-port changes, and end sooner', () => {
    expect(slowestUs(detoured)).toBeLessThan(0.75 * slowestUs(none));
    const uplinks = detoured.ports.filter(({ node, peer }) => node === 'leaf0' && peer.startsWith('spine'));
    expect(uplinks.filter(({ txPackets }) => txPackets > 100).length).toBeGreaterThan(1);
    expect(detoured.summary.detours).toBe(detoured.flows.reduce((sum, { detours = 0 }) => sum + detours, 0));
    expect(detoured.summary.detours).toBeGreaterThan(0);
  });

  it('change their port once per Fast CNP that they react to', () => {
    expect(detoured.flows.map(({ detours = 0 }) => detours)).toEqual(detoured.flows.map(({ fastCnps }) => fastCnps));
  });

  it('are mentioned by explain', () => {
    const about = explainResult(detoured).find(({ topic }) => topic === 'paths')!;
    expect(about.answer).toContain(`Senders changed UDP source ports ${detoured.summary.detours} time`);
    expect(explainResult(none).some(({ topic }) => topic === 'paths')).toBe(false);
  });

  it('change their port only if their host is set to do so', () => {
    const one = runScenarioSync(elephants({}, { overrides: [{ nodes: ['h1'], host: DETOURS }] }));
    expect(one.flows[0]!.detours).toBeUndefined();
    expect(one.flows[1]!.detours).toBeGreaterThan(0);
  });
});

describe('The UDP source port', () => {
  it('is incremented for later packets at each change, and an ACK has the port of its packet', () => {
    const { result, records } = captured(elephants(DETOURS));
    for (const { index, detours = 0 } of result.flows) {
      const first = [10_000, PORT_THAT_COLLIDES][index]!;
      const data = records.filter(({ kind, flow }) => kind === 'data' && flow === index);
      const ports = data.map(({ sourcePort }) => sourcePort!);
      expect([...new Set(ports)]).toEqual(Array.from(new Set(ports)).sort((a, b) => a - b));
      expect(ports[0]).toBe(first);
      expect(ports.at(-1)).toBeLessThanOrEqual(first + detours);
      expect(new Set(ports).size).toBeGreaterThan(1);
      const last = data.at(-1)!;
      const ack = records.filter(({ kind, flow }) => kind === 'ack' && flow === index).at(-1)!;
      expect(ack.sourcePort).toBe(last.sourcePort);
    }
  });

  it('of CNPs and Fast CNPs is that of the packet that caused them', () => {
    // Both flows to one host, over an uplink that is faster than it: its leaf marks, the first one sends Fast CNPs.
    const { workload, ...rest } = elephants(DETOURS, {
      topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 2, uplink: { rateGbps: 130 } },
      overrides: [{ nodes: ['leaf1'], switch: { fastCnp: { enabled: false } } }],
    });
    const { flows } = workload as FlowListSpec;
    const { result, records } = captured({
      ...rest,
      workload: { kind: 'flows', flows: flows.map((one) => ({ ...one, to: 'h2' })) },
    });
    const moved = result.flows.filter(({ detours = 0 }) => detours > 0);
    expect(moved.length).toBeGreaterThan(0);
    for (const { index } of moved) {
      const of = (kind: PacketRecord['kind']) => records.filter((one) => one.kind === kind && one.flow === index);
      const portsOf = (sequence: number) =>
        of('data').filter((one) => one.sequence === sequence).map(({ sourcePort }) => sourcePort);
      for (const { sequence, sourcePort } of of('fast-cnp')) expect(portsOf(sequence)).toContain(sourcePort);
      // The last CNPs are for packets long after the last detour.
      expect(of('cnp').at(-1)!.sourcePort).toBe(of('data').at(-1)!.sourcePort);
      expect(of('cnp').at(-1)!.sourcePort).not.toBe(of('data')[0]!.sourcePort);
    }
  });

  it('in CNPs is unchanged for a flow whose sender does not change it, even next to one whose sender does', () => {
    const { workload, ...rest } = elephants({}, {
      topology: { kind: 'leaf-spine', leaves: 2, spines: 1, hostsPerLeaf: 2, uplink: { rateGbps: 130 } },
      overrides: [
        { nodes: ['h1'], host: DETOURS },
        { nodes: ['leaf1'], switch: { fastCnp: { enabled: false } } },
      ],
    });
    const { flows } = workload as FlowListSpec;
    const { result, records } = captured({
      ...rest,
      workload: { kind: 'flows', flows: flows.map((one) => ({ ...one, to: 'h2' })) },
    });
    expect(result.flows[1]!.detours).toBeGreaterThan(0);
    const cnps = records.filter(({ kind, flow }) => kind === 'cnp' && flow === 0);
    expect(cnps.length).toBeGreaterThan(2);
    expect(new Set(cnps.map(({ sourcePort }) => sourcePort))).toEqual(new Set([10_000]));
  });

  it('wraps from 65,535 to 10,000', () => {
    const { records } = captured(elephants(DETOURS, {}, 65_535));
    const ports = new Set(records.filter(({ flow }) => flow === 0).map(({ sourcePort }) => sourcePort));
    expect([...ports].slice(0, 2)).toEqual([65_535, 10_000]);
    for (const port of ports) expect(port === 65_535 || (port! >= 10_000 && port! < 10_100)).toBe(true);
  });

  it('appears in captures', async () => {
    const { plan } = compileScenario(validateScenario(elephants(DETOURS)));
    const { records } = captured(elephants(DETOURS));
    const moved = records.find(({ sourcePort, flow }) => flow === 1 && sourcePort === PORT_THAT_COLLIDES + 1)!;
    const capture = new PortCapture(plan);
    capture.add(moved);
    for await (const { bytes } of readCapture(capture.finish())) {
      const udp = dissect(bytes).layers.find(({ kind }) => kind === 'udp')!;
      expect(udp.value).toMatchObject({ sourcePort: PORT_THAT_COLLIDES + 1 });
    }
    expect(capture.count).toBe(1);
  });
});

describe('The load on equal paths', () => {
  const run = (loadBalancing: 'ecmp' | 'round-robin'): SimResult =>
    runScenarioSync(elephants({}, { switches: { loadBalancing } }));

  it('is in the result for each set of equal paths, and as one figure of fairness', () => {
    const { equalPaths = [], summary, ports } = run('round-robin');
    const leaf0 = equalPaths.find(({ node }) => node === 'leaf0')!;
    expect(leaf0.ports).toHaveLength(4);
    expect(leaf0.txBytes).toEqual(leaf0.ports.map((name) => ports.find((port) => port.name === name)!.txBytes));
    expect(leaf0.fairness).toBeGreaterThan(0.999);
    expect(summary.pathFairness).toBeGreaterThan(0.5);
    expect(summary.pathFairness).toBeGreaterThan(run('ecmp').summary.pathFairness! + 0.2);
  });

  it('is omitted unless the scenario sets load balancing, as is the path of a flow whose packets are spread', () => {
    expect(run('round-robin').flows.every(({ path }) => path === undefined)).toBe(true);
    expect(run('ecmp').flows.every(({ path }) => path !== undefined)).toBe(true);
    expect(runScenarioSync(elephants({})).equalPaths).toBeUndefined();
  });

  it('is explained in a sentence', () => {
    const answer = explainResult(run('ecmp')).find(({ topic }) => topic === 'paths')!.answer;
    expect(answer).toContain('Most uneven was leaf0: its 4 paths sent');
    expect(answer).toContain('All data arrived in order.');
  });
});
