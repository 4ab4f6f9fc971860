/** The path of a flow: a second run follows its packets hop by hop, without an effect on the first. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileScenario, flowPathToCsv, followFlow, followFlowSync, runScenarioSync, validateScenario, type FlowPath,
  type PacketRoute, type ScenarioSpec, type SimResult } from '../../../src/sim/index.js';

interface Followed {
  readonly result: SimResult;
  readonly path: FlowPath;
}

function example(name: string): ScenarioSpec {
  return JSON.parse(
    readFileSync(new URL(`../../../examples/scenarios/${name}.json`, import.meta.url), 'utf8'),
  ) as ScenarioSpec;
}

function follow(spec: ScenarioSpec, flow?: number): Followed {
  const compiled = compileScenario(validateScenario(spec));
  const result = runScenarioSync(compiled);
  return { result, path: followFlowSync(compiled, result, flow)! };
}

const INCAST: ScenarioSpec = {
  name: 'incast',
  topology: { kind: 'star', hosts: 5 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 300_000 },
};

/** Checks that each hop starts where and when the one before ends. */
function expectChain({ hops }: PacketRoute): void {
  for (const [at, { arrivedPs, leftPs, reachedPs, peer }] of hops.entries()) {
    expect(leftPs).toBeGreaterThanOrEqual(arrivedPs);
    expect(reachedPs).toBeGreaterThan(leftPs);
    if (at + 1 < hops.length) expect([hops[at + 1]!.node, hops[at + 1]!.arrivedPs]).toEqual([peer, reachedPs]);
  }
}

/** Preamble and gap take time; rates here are those of the path's ports. */
const txPs = (lenBytes: number, rateBps: number): number => Math.ceil((lenBytes + 20) * 8e12 / rateBps);

describe('The path of a flow', () => {
  test('with a CNP leads from the marked packet to the receiver and back, until the notification', () => {
    const { path, result } = follow(INCAST);
    const flow = result.flows[path.flow]!;
    expect(flow.firstNotificationPs).toBe(
      Math.min(...result.flows.map(({ firstNotificationPs }) => firstNotificationPs!)),
    );
    expect([path.notification, path.congestedPort, path.from, path.to]).toEqual(['cnp', 's0:h4', flow.from, 'h4']);
    expectChain(path.data);
    expectChain(path.response!);
    expect(path.data.hops.map(({ port, marked }) => [port, marked])).toEqual([[`${flow.from}:s0`, false], [
      's0:h4',
      true,
    ]]);
    expect(path.response!.hops[0]!.leftPs).toBe(path.data.hops[1]!.reachedPs);
    expect(path.response!.hops.at(-1)!.reachedPs).toBe(flow.firstNotificationPs);
    expect([path.data.delivered, path.response!.delivered]).toEqual([true, true]);
  });

  test('has the bytes ahead of a packet, which explain its wait except for the frame in transmission', () => {
    const { path } = follow(INCAST);
    const { arrivedPs, leftPs, aheadBytes, lenBytes } = path.data.hops[1]!;
    const frames = aheadBytes / lenBytes;
    expect(frames).toBeGreaterThan(2);
    const sentPs = frames * txPs(lenBytes, 100e9);
    expect(leftPs - arrivedPs).toBeGreaterThanOrEqual(sentPs);
    expect(leftPs - arrivedPs).toBeLessThan(sentPs + txPs(lenBytes, 100e9));
  });

  test('has the queues along it until the sender is notified, and leaves the run unaffected', () => {
    const { path, result } = follow(INCAST);
    const [, port] = path.ports;
    expect(path.timesPs.length).toBeGreaterThan(50);
    expect(path.ports.every(({ queueBytes }) => queueBytes.length === path.timesPs.length)).toBe(true);
    expect(Math.max(...port!.queueBytes)).toBeLessThanOrEqual(port!.maxQueueBytes);
    expect(Math.max(...port!.queueBytes)).toBeGreaterThan(port!.maxQueueBytes / 20);
    expect(runScenarioSync(INCAST).hash).toBe(result.hash);
    expect(follow(INCAST).path).toEqual(path);
  });

  test('can be requested for any flow; without a notification it is that of the first packet and its ACK', () => {
    expect(follow(INCAST, 2).path).toMatchObject({ flow: 2, from: 'h2' });
    const { path } = follow({ ...INCAST, workload: { kind: 'incast', senders: 1, sizeBytes: 3000 } });
    expect(path).toMatchObject({ notification: null, congestedPort: null, notes: [] });
    expect([path.data.sequence, path.response!.kind, path.response!.sequence]).toEqual([0, 'ack', 1024]);
    expectChain(path.response!);
  });

  test('with a Fast CNP through END.CON leaves the WAN encapsulated, for the packet that found the queue', () => {
    const { path, result } = follow(example('wan-fast-cnp-end-con'));
    expect([path.notification, path.congestedPort]).toEqual(['fast-cnp', 'r0:r1']);
    expect(path.response!.hops.map(({ port, tunnel, lenBytes }) => [port, tunnel, lenBytes])).toEqual([
      ['r0:pe0', 'end-con', 162],
      ['pe0:dc0.gateway', 'none', 122],
      ['dc0.gateway:dc0.spine0', 'none', 122],
      ['dc0.spine0:dc0.leaf0', 'none', 122],
      ['dc0.leaf0:h0', 'none', 122],
    ]);
    expect(path.response!.sequence).toBe(path.data.sequence);
    const congested = path.data.hops.find(({ port }) => port === 'r0:r1')!;
    expect(path.response!.hops[0]!.leftPs).toBe(congested.leftPs);
    expect(path.response!.hops.at(-1)!.reachedPs).toBe(result.flows[path.flow]!.firstNotificationPs);
    expect(path.data.hops.filter(({ tunnel }) => tunnel === 'service').map(({ port }) => port))
      .toEqual(['pe0:r0', 'r0:r1', 'r1:pe1']);
    expectChain(path.data);
    expectChain(path.response!);
  });

  test('has the time that ARNs and pauses held the flow', () => {
    const { path } = follow(example('wan-all'));
    const held = path.ports.find(({ port }) => port === 'pe0:r0')!;
    expect([held.flowControl, held.held.map(({ by }) => by)]).toEqual(['arn', ['arn']]);
    expect(held.heldPs).toBeGreaterThan(0);
    const paused = follow({ ...INCAST, switches: { bufferBytes: 600_000 } });
    const [nic] = paused.path.ports;
    expect(paused.result.totals.packetsDropped).toBe(0);
    expect(nic!.pausedPs).toBeGreaterThan(0);
    expect(nic!.flowControl).toBe('pfc');
  });

  test('includes ACKs that repeat a mark, packets on different paths, and links that go down', () => {
    const reference = follow({ ...INCAST, fidelity: 'reference' });
    expect(reference.path.notification).toBe('ack');
    expect(reference.path.data.hops.some(({ marked }) => marked)).toBe(true);
    const many: ScenarioSpec = {
      name: 'many paths',
      topology: { kind: 'leaf-spine', leaves: 2, spines: 3, hostsPerLeaf: 3 },
      workload: { kind: 'incast', senders: 4, sizeBytes: 100_000 },
      switches: { loadBalancing: 'random' },
    };
    const spread = follow(many, 0);
    expect(spread.path.data.hops).toHaveLength(4);
    expectChain(spread.path.data);
    const cut = follow({
      ...many,
      switches: {},
      faults: [{ kind: 'link-down', between: ['leaf0', 'spine0'], fromUs: 0, toUs: 5 }],
    }, 0);
    expect(cut.path.data.delivered).toBe(true);
    for (const { result, path } of [reference, spread, cut])
      expect(path.response!.hops.at(-1)!.reachedPs).toBe(result.flows[path.flow]!.firstNotificationPs);
  });

  test('has one row per link as CSV', () => {
    const { path } = follow(INCAST);
    const [head, ...rows] = flowPathToCsv(path).trim().split('\r\n');
    expect(head).toBe(
      'flow,kind,sequence,hop,port,node,peer,arrived_ps,left_ps,reached_ps,len_bytes,ahead_bytes,marked,tunnel',
    );
    expect(rows).toHaveLength(path.data.hops.length + path.response!.hops.length);
    expect(rows[1]).toMatch(/^\d,data,\d+,2,s0:h4,s0,h4,\d+,\d+,\d+,1106,\d+,1,none$/);
  });

  test('is rejected by name for flows and results that do not belong to the scenario', () => {
    const compiled = compileScenario(validateScenario(INCAST));
    const result = runScenarioSync(compiled);
    expect(() => followFlowSync(compiled, result, 4)).toThrow(/flow must be at least 0 and below 4 \(got 4\)/);
    expect(() => followFlowSync(compiled, result, 0.5)).toThrow(
      /^flow must be a whole number of at least 0 and below 4 \(got 0\.5\)\.$/,
    );
    expect(() => [...followFlow(compiled, runScenarioSync({ ...INCAST, topology: { kind: 'star', hosts: 6 } }))])
      .toThrow(/a result of the same scenario/);
    expect(followFlowSync(compiled, { ...result, flows: [] })).toBeUndefined();
  });
});
