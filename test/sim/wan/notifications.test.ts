/**
 * Fast CNPs across the borders of a WAN: of its routers by END.CON, of switches of the far data centre through the tunnel; access
 * lists at both borders; times by closed forms (draft-hu-rtgwg-rocev2-fcn-00, section 4.2.2;
 * draft-xiao-rtgwg-rocev2-fast-cnp-01).
 */
import { describe, expect, test } from 'vitest';
import type { ScenarioSpec, WanSpec } from '../../../src/sim/index.js';
import { lineWan, runWan, txPs, type WanRun } from './wan-runs.js';

const OPEN: WanSpec = {
  accessLists: [{ at: 'gateways', permit: ['wan', 'dc0', 'dc1'] }, { at: 'edges', permit: ['wan', 'dc0', 'dc1'] }],
};
const DC_DELAY_PS = 1_000_000;
const WAN_DELAY_PS = 100_000_000;

interface Bottleneck {
  readonly links?: readonly { readonly rateGbps?: number }[];
  readonly slowUplink?: boolean;
}

function congested(wan: WanSpec, { links = [{}, { rateGbps: 10 }, {}] }: Bottleneck = {},
  more: Partial<ScenarioSpec> = {}): WanRun {
  return runWan(lineWan(wan, {
    topology: {
      ...lineWan().topology,
      wan: { edges: 1, routers: 2, delayNs: 100_000, links },
    } as ScenarioSpec['topology'],
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 4 * 1024 }] },
    algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
    switches: { ecn: { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false }, fastCnp: { enabled: true } },
    ...more,
  }));
}

const fastCnps = ({ packets }: WanRun) => packets.filter(({ kind }) => kind === 'fast-cnp');

/** The expected ports and times of a Fast CNP, from its creation on. */
function routeFrom(timePs: number, hops: readonly (readonly [string, number, number])[]) {
  let now = timePs;
  return hops.map(([port, lenBytes, delayPs]) => {
    const row = { timePs: now, port, lenBytes };
    now += txPs(lenBytes) + delayPs;
    return row;
  });
}

const HOME: readonly (readonly [string, number, number])[] = [
  ['pe0:dc0.gateway', 122, DC_DELAY_PS],
  ['dc0.gateway:dc0.spine0', 122, DC_DELAY_PS],
  ['dc0.spine0:dc0.leaf0', 122, DC_DELAY_PS],
  ['dc0.leaf0:h0', 122, DC_DELAY_PS],
];

describe('A Fast CNP of a router inside the WAN', () => {
  test('reaches the sender encapsulated up to END.CON, which decapsulates it, to the picosecond', () => {
    const run = congested(OPEN);
    const causes = run.packets.filter(({ port, kind }) => port === 'r0:r1' && kind === 'data');
    // The second packet leaves a queue of more than one packet at 10 Gb/s; the third finds no token (20,000 per
    // second).
    const made = causes[1]!.timePs;
    const route = routeFrom(made, [['r0:pe0', 162, WAN_DELAY_PS], ...HOME]);
    const first = fastCnps(run).filter(({ sequence }) => sequence === 1024);
    expect(first.map(({ timePs, port, lenBytes }) => ({ timePs, port, lenBytes }))).toEqual(route);
    expect(first.map(({ tunnel }) => tunnel?.endCon ?? false)).toEqual([true, false, false, false, false]);
    const arrivalPs = route.at(-1)!.timePs + txPs(122) + DC_DELAY_PS;
    expect(run.result.flows[0]).toMatchObject({ firstNotificationPs: arrivalPs, fastCnps: 1 });
    expect(run.result.wan?.nodes).toMatchObject([
      { node: 'pe0', endConReceived: 1, fastCnpsDeniedOut: 0 },
      { node: 'pe1', endConReceived: 0 },
      { node: 'r0', endConSent: 1 },
    ]);
    // The sender supports Fast CNPs, so none comes with a mark (checklist, 2).
    expect(run.result.totals.marks).toBe(0);
  });

  test('is sent without encapsulation by the ingress edge, whose SID it would be sent to', () => {
    const run = congested(OPEN, { links: [{ rateGbps: 10 }, {}, {}] });
    const made = run.packets.filter(({ port, kind }) => port === 'pe0:r0' && kind === 'data')[1]!.timePs;
    expect(fastCnps(run).filter(({ sequence }) => sequence === 1024).map(({ timePs, port, lenBytes }) => ({
      timePs,
      port,
      lenBytes,
    })))
      .toEqual(routeFrom(made, HOME));
  });

  test('passes both routers if it comes from the far end of the WAN', () => {
    const run = congested(OPEN, { links: [{}, {}, { rateGbps: 10 }] });
    const made = run.packets.filter(({ port, kind }) => port === 'r1:pe1' && kind === 'data')[1]!.timePs;
    expect(fastCnps(run).filter(({ sequence }) => sequence === 1024).map(({ timePs, port, lenBytes }) => ({
      timePs,
      port,
      lenBytes,
    })))
      .toEqual(routeFrom(made, [['r1:r0', 162, WAN_DELAY_PS], ['r0:pe0', 162, WAN_DELAY_PS], ...HOME]));
  });
});

describe('Domain borders (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5)', () => {
  const denied = ({ result }: WanRun) =>
    (result.wan?.nodes ?? []).filter(({ fastCnpsDeniedIn, fastCnpsDeniedOut }) =>
      fastCnpsDeniedIn + fastCnpsDeniedOut > 0
    )
      .map(({ node, fastCnpsDeniedIn, fastCnpsDeniedOut }) => [node, fastCnpsDeniedIn, fastCnpsDeniedOut]);

  test.each<readonly [string, WanSpec, readonly unknown[]]>([
    ['no list lets it out of the WAN', {}, ['pe0', 0, 1]],
    ['the gateway does not let it in', { accessLists: [{ at: 'edges', direction: 'out', permit: ['wan'] }] }, [
      'dc0.gateway',
      1,
      0,
    ]],
    ['a list names another router', {
      accessLists: [{ at: 'edges', permit: ['r1'] }, { at: 'gateways', permit: ['r1'] }],
    }, ['pe0', 0, 1]],
  ])('drop a Fast CNP and count it where %s', (_, wan, where) => {
    const run = congested(wan);
    expect(denied(run)).toEqual([where]);
    expect(run.result.totals.drops.accessList).toBe(1);
    expect(run.result.flows[0]).toMatchObject({ fastCnps: 0, firstNotificationPs: null });
  });

  test('let it pass if the lists on its path permit it out of the WAN and into the data centre', () => {
    const run = congested({
      accessLists: [{ at: 'pe0', direction: 'out', permit: ['r0'] }, {
        at: 'dc0.gateway',
        direction: 'in',
        permit: ['r0'],
      }],
    });
    expect(denied(run)).toEqual([]);
    expect(run.result.flows[0]!.fastCnps).toBe(1);
  });
});

describe('A Fast CNP of a switch in a data centre', () => {
  /** h1 and h0 send to h2, and dc0.leaf0 or dc1.leaf0 is the bottleneck. */
  const inside = (wan: WanSpec) =>
    runWan(lineWan(wan, {
      topology: { ...lineWan().topology, hostsPerLeaf: 2 } as ScenarioSpec['topology'],
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h2', sizeBytes: 8 * 1024 }, { from: 'h1', to: 'h2', sizeBytes: 8 * 1024 }],
      },
      algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
      switches: { ecn: { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false }, fastCnp: { enabled: true } },
    }));

  test('crosses no border if it is that of the sender, and needs no list', () => {
    const run = inside({});
    expect(fastCnps(run).some(({ port }) => port === 'dc0.leaf0:h0' || port === 'dc0.leaf0:h1')).toBe(true);
    expect(run.result.totals.drops.accessList).toBeUndefined();
  });
});

describe('A Fast CNP of the far data centre', () => {
  const far = (wan: WanSpec) =>
    runWan(lineWan(wan, {
      topology: { ...lineWan().topology, leaves: 2, hostsPerLeaf: 1 } as ScenarioSpec['topology'],
      workload: {
        kind: 'flows',
        flows: [{ from: 'h0', to: 'h2', sizeBytes: 16 * 1024 }, {
          from: 'h3',
          to: 'h2',
          sizeBytes: 16 * 1024,
          startUs: 305,
        }],
      },
      algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
      switches: { ecn: { kminKB: 1, kmaxKB: 1.001, pmax: 1, scaleWithRate: false }, fastCnp: { enabled: true } },
    }));
  const ofFirst = (run: WanRun) => fastCnps(run).filter(({ flow, origin }) => flow === 0 && origin !== undefined);

  test('is carried through the tunnel, and passes four lists', () => {
    const run = far(OPEN);
    const one = ofFirst(run)[0]!;
    const route = ofFirst(run).filter(({ sequence }) => sequence === one.sequence).map((
      { port, lenBytes },
    ) => [port, lenBytes]);
    expect(route.slice(-8)).toEqual([
      ['dc1.gateway:pe1', 122],
      ['pe1:r1', 162],
      ['r1:r0', 162],
      ['r0:pe0', 162],
      ['pe0:dc0.gateway', 122],
      ['dc0.gateway:dc0.spine0', 122],
      ['dc0.spine0:dc0.leaf0', 122],
      ['dc0.leaf0:h0', 122],
    ]);
    expect(run.result.flows[0]!.fastCnps).toBeGreaterThan(0);
    expect(run.result.wan?.nodes.every(({ endConSent }) => endConSent === 0)).toBe(true);
  });

  test.each<readonly [string, 'in' | 'out', string]>([
    ['dc1.gateway', 'out', 'fastCnpsDeniedOut'],
    ['pe1', 'in', 'fastCnpsDeniedIn'],
    ['pe0', 'out', 'fastCnpsDeniedOut'],
    ['dc0.gateway', 'in', 'fastCnpsDeniedIn'],
  ])('is dropped where the list of %s does not permit it %s', (at, _, counter) => {
    const all = [['dc1.gateway', 'out'], ['pe1', 'in'], ['pe0', 'out'], ['dc0.gateway', 'in']] as const;
    const accessLists = all.filter(([node]) => node !== at).map(([node, way]) => ({
      at: node,
      direction: way,
      permit: ['dc1'],
    }));
    const run = far({ accessLists });
    expect(run.result.flows[0]!.fastCnps).toBe(0);
    const nodes = run.result.wan!.nodes.filter((node) => node.fastCnpsDeniedIn + node.fastCnpsDeniedOut > 0);
    expect(nodes).toMatchObject([{ node: at, [counter]: run.result.totals.drops.accessList }]);
  });
});
