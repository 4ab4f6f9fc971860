/**
 * Packets in tunnels inside runs: sizes, ECN fields and times on each link of an idle network by closed forms; the steps of
 * draft-hu-rtgwg-rocev2-fcn-00, sections 4 and 4.2.1.
 */
import { describe, expect, test } from 'vitest';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import { validateScenario, type ScenarioSpec, type WanSpec } from '../../../src/sim/index.js';
import { lineWan, runWan, txPs, type SeenPacket, type WanRun } from './wan-runs.js';

const DC_DELAY_PS = 1_000_000;
const WAN_DELAY_PS = 100_000_000;
const INNER = ['h0:dc0.leaf0', 'dc0.leaf0:dc0.spine0', 'dc0.spine0:dc0.gateway', 'dc0.gateway:pe0'];
const OUTER = ['pe0:r0', 'r0:r1', 'r1:pe1'];
const FAR = ['pe1:dc1.gateway', 'dc1.gateway:dc1.spine0', 'dc1.spine0:dc1.leaf0', 'dc1.leaf0:h1'];

/** Times and lengths of one packet, link by link: store and forward, nothing in its way. */
function closedForm(lenBytes: number, overheadBytes: number): (readonly [number, string, number])[] {
  let timePs = 0;
  return [...INNER, ...OUTER, ...FAR].map((port) => {
    const isOuter = OUTER.includes(port);
    const bytes = lenBytes + (isOuter ? overheadBytes : 0);
    const row = [timePs, port, bytes] as const;
    timePs += txPs(bytes) + (isOuter ? WAN_DELAY_PS : DC_DELAY_PS);
    return row;
  });
}

const rows = (packets: readonly SeenPacket[]) => packets.map(({ timePs, port, lenBytes }) => [timePs, port, lenBytes]);
const dataOf = ({ packets }: WanRun) => packets.filter(({ kind }) => kind === 'data');
const ecnOn = (run: WanRun, port: string) =>
  dataOf(run).filter((one) => one.port === port).map((
    { tunnel, marked },
  ) => [tunnel?.innerEcn, tunnel?.outerEcn, marked]);

describe('Data over an idle WAN', () => {
  test('is encapsulated by the ingress edge and decapsulated by the egress edge, to the picosecond', () => {
    const run = runWan(lineWan());
    expect(rows(dataOf(run))).toEqual(closedForm(1106, 40));
    expect(dataOf(run).map(({ tunnel }) => tunnel !== undefined)).toEqual([
      ...INNER.map(() => false),
      ...OUTER.map(() => true),
      ...FAR.map(() => false),
    ]);
    const [flow] = run.result.flows;
    expect(flow!.completionPs).toBe(flow!.idealPs);
  });

  test('has a Segment Routing Header if its service lists routers, and passes them', () => {
    const run = runWan(lineWan({ services: [{ name: 'led', via: ['r0', 'r1'] }] }));
    expect(rows(dataOf(run))).toEqual(closedForm(1106, 40 + 8 + 3 * 16));
    expect(OUTER.map((port) => dataOf(run).find((one) => one.port === port)?.tunnel?.segmentsVisited)).toEqual([
      0,
      1,
      2,
    ]);
    const back = run.packets.filter(({ kind }) => kind === 'ack');
    expect(['pe1:r1', 'r1:r0', 'r0:pe0'].map((port) => {
      const ack = back.find((one) => one.port === port);
      return [ack?.lenBytes, ack?.tunnel?.segmentsVisited];
    })).toEqual([[86 + 96, 0], [86 + 96, 1], [86 + 96, 2]]);
    expect(run.result.flows[0]!.completionPs).toBe(run.result.flows[0]!.idealPs);
  });

  test.each([['normal', 2], ['compatibility', 0]] as const)('keeps its inner ECN field; the outer one in %s mode is %i',
    (ecn, outer) => {
      const run = runWan(lineWan({ tunnel: { ecn } }));
      for (const port of OUTER) expect(ecnOn(run, port)).toEqual([[2, outer, false]]);
      // ACKs are Not-ECT, and stay so.
      expect(run.packets.find(({ kind, port }) => kind === 'ack' && port === 'r1:r0')?.tunnel).toMatchObject({
        innerEcn: 0,
        outerEcn: 0,
      });
    });

  test('is counted at both edges, in both directions', () => {
    const { result } = runWan(lineWan());
    const none = {
      endConSent: 0,
      endConReceived: 0,
      fastCnpsDeniedIn: 0,
      fastCnpsDeniedOut: 0,
      ecnUnused: 0,
      ecnDangerous: 0,
      ecnDropped: 0,
    };
    expect(result.wan).toEqual({
      nodes: [
        { node: 'pe0', encapsulated: 1, decapsulated: 1, ...none },
        { node: 'pe1', encapsulated: 1, decapsulated: 1, ...none },
      ],
      services: [{ name: 'default', edges: ['pe0', 'pe1'], via: [], overheadBytes: 40, flows: 1 }],
    });
    const { bytesIn, bytesOut, packetsIn, packetsOut } = result.totals;
    expect([bytesIn, bytesOut, packetsIn, packetsOut]).toEqual([1106 + 86 + 80, 1106 + 86 + 80, 2, 2]);
  });

  test('takes the edges of its service, or the first ones by default', () => {
    const topology = {
      ...lineWan().topology,
      hostsPerLeaf: 2,
      wan: { edges: 2, paths: 2, routers: 1 },
    } as ScenarioSpec['topology'];
    const flows = [{ from: 'h0', to: 'h2', sizeBytes: 100 }, { from: 'h1', to: 'h3', sizeBytes: 100 }];
    const wan: WanSpec = { services: [{ name: 'gold', hosts: ['h3'], edges: ['pe1', 'pe2'], via: ['r1'] }] };
    const run = runWan(lineWan(wan, { topology, workload: { kind: 'flows', flows } }));
    const portsOf = (flow: number, kind: string) =>
      run.packets.filter((one) => one.flow === flow && one.kind === kind).map(({ port }) => port).filter((port) =>
        /pe|r\d/.test(port)
      );
    expect(portsOf(1, 'data')).toEqual(['dc0.gateway:pe1', 'pe1:r1', 'r1:pe2', 'pe2:dc1.gateway']);
    expect(portsOf(1, 'ack')).toEqual(['dc1.gateway:pe2', 'pe2:r1', 'r1:pe1', 'pe1:dc0.gateway']);
    expect(portsOf(0, 'data')[0]).toBe('dc0.gateway:pe0');
    expect(portsOf(0, 'data').at(-1)).toBe('pe2:dc1.gateway');
    expect(run.result.flows.map(({ path = [] }) => path)).toEqual(
      [0, 1].map((flow) =>
        run.packets.filter((one) => one.flow === flow && one.kind === 'data').map(({ port }) => port)
      ),
    );
  });

  test('is rejected if the tunnel makes it too long, with link, sizes and remedy', () => {
    const long = (mtuBytes: number) =>
      compileScenario(validateScenario(lineWan({ tunnel: { mtuBytes } }, { hosts: { mtuBytes: 1500 } })));
    // 1500 + IPv6 40, UDP 8, BTH 12, ICRC 4; outer IPv6 40.
    expect(() => long(1604)).not.toThrow();
    expect(() => long(1603)).toThrow(
      /link from pe0 to the next router .*at most 1,603 bytes \(got 1,604\)\. .*packets of 1564 bytes.*service default adds 40.*smaller hosts.mtuBytes/i,
    );
  });
});

describe('Congestion of a router of the WAN', () => {
  /** r0:r1 is the bottleneck, and marks all but the first packets; two flows of four packets. */
  const congested = (wan: WanSpec, more: Partial<ScenarioSpec> = {}) =>
    runWan(lineWan(wan, {
      topology: {
        ...lineWan().topology,
        wan: { edges: 1, routers: 2, delayNs: 100_000, links: [{}, { rateGbps: 10 }, {}] },
      } as ScenarioSpec['topology'],
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 4 * 1024 }] },
      switches: { ecn: { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false } },
      ...more,
    }));

  test('marks the outer header; the egress edge copies the mark, and the receiver sends a CNP', () => {
    const run = congested({});
    expect(ecnOn(run, 'pe0:r0')).toEqual([2, 2, 2, 2].map((ecn) => [2, ecn, false]));
    expect(ecnOn(run, 'r0:r1')).toEqual([[2, 2, false], [2, 3, true], [2, 3, true], [2, 2, false]]);
    expect(ecnOn(run, 'pe1:dc1.gateway').map(([, , marked]) => marked)).toEqual([false, true, true, false]);
    const cnps = run.packets.filter(({ kind }) => kind === 'cnp');
    expect(cnps.map(({ port }) => port)).toEqual([
      'h1:dc1.leaf0',
      'dc1.leaf0:dc1.spine0',
      'dc1.spine0:dc1.gateway',
      'dc1.gateway:pe1',
      'pe1:r1',
      'r1:r0',
      'r0:pe0',
      'pe0:dc0.gateway',
      'dc0.gateway:dc0.spine0',
      'dc0.spine0:dc0.leaf0',
      'dc0.leaf0:h0',
    ]);
    expect(cnps.map(({ lenBytes }) => lenBytes)).toEqual([98, 98, 98, 98, 138, 138, 138, 98, 98, 98, 98]);
  });

  test('is not visible after an edge in compatibility mode', () => {
    const run = congested({ tunnel: { ecnOfEdges: { pe0: 'compatibility' } } });
    expect(ecnOn(run, 'r0:r1')).toEqual([[2, 0, false], [2, 0, false], [2, 0, false], [2, 0, false]]);
    expect(run.result.totals.cnps).toBe(0);
  });

  test('makes the egress edge drop and count marked packets that are not ECN-capable (RFC 6040)', () => {
    const none = congested({ tunnel: { dataEcn: 'not-ect' } });
    expect([none.result.totals.marks, none.result.totals.packetsDropped]).toEqual([0, 0]);
    const { result } = congested({ tunnel: { dataEcn: 'not-ect', routersMark: 'all' } }, { durationUs: 600 });
    expect(result.totals.drops.tunnelEcn).toBe(2);
    expect(result.totals.packetsDropped).toBe(2);
    expect(result.wan?.nodes.find(({ node }) => node === 'pe1')).toMatchObject({
      ecnDangerous: 2,
      ecnDropped: 2,
      ecnUnused: 0,
    });
  });
});
