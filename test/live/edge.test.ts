/**
 * The role edge: its packets equal the simulator's captures of the same WAN byte for byte, except hop limits, which
 * captures do not decrement; and flows between hosts pass two edges.
 */
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { FrameTemplates } from '../../src/sim/files/capture-templates.js';
import { validateScenario, type ScenarioSpec } from '../../src/sim/index.js';
import { runEdge, runHosts, type EdgeResult, type HostsResult, type UdpPort } from '../../src/live/index.js';
import { EmulatedEdge, type EdgeSide, edgeSettings } from '../../src/live/edge/emulated-edge.js';
import { openUdpPair } from '../../src/live/ports/udp-port.js';
import { dissect } from '../../src/packet/index.js';
import { startInBackground } from '../cli/support/process.js';
import { lineWan, runWan } from '../sim/wan/wan-runs.js';
import { describeWithNamespaces, ip, NamespacePair } from './support/namespaces.js';

const IP = 14;
const HOP_LIMIT = 7;
const IPV6_BYTES = 40;

const LED = { services: [{ name: 'led', via: ['r0'] }] };
const OPEN = { accessLists: [{ at: 'gateways', permit: ['wan'] }, { at: 'edges', permit: ['wan'] }] } as const;

/** A router of the WAN is congested, marks, and sends Fast CNPs by END.CON. */
function congested(wan: ScenarioSpec['wan']): ScenarioSpec {
  return lineWan({ ...wan, flowControl: { kind: 'none' } }, {
    topology: {
      ...lineWan().topology,
      wan: { edges: 1, routers: 2, delayNs: 100_000, links: [{}, { rateGbps: 10 }, {}] },
    } as ScenarioSpec['topology'],
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 40 * 1024 }] },
    algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
    switches: { ecn: { kminKB: 1, kmaxKB: 8, pmax: 0.5, scaleWithRate: false }, fastCnp: { enabled: true } },
  });
}

/** The frame in hexadecimal, with the initial hop limit in all IPv6 headers. */
function withFullHopLimits(frame: Uint8Array): string {
  const bytes = frame.slice();
  for (const { kind, offset } of dissect(bytes).layers) if (kind === 'ipv6') bytes[offset + HOP_LIMIT] = 64;
  return Buffer.from(bytes).toString('hex');
}

/** The frames at the ports of a simulated node, and an edge with the settings of that node. */
function throughEdge(spec: ScenarioSpec, node: string): {
  readonly on: (port: string) => Uint8Array[];
  readonly feed: (side: EdgeSide, frames: readonly Uint8Array[]) => void;
  readonly out: Record<EdgeSide, Uint8Array[]>;
  readonly edge: EmulatedEdge;
} {
  const { compiled, packets } = runWan(spec);
  const templates = new FrameTemplates(compiled.plan);
  const out: Record<EdgeSide, Uint8Array[]> = { inside: [], outside: [] };
  const edge = new EmulatedEdge(edgeSettings(compiled.plan, node), (side, frame) => {
    out[side].push(frame);
  });
  return {
    on: (port) =>
      packets.filter((one) => one.port === port && !['pause', 'arn'].includes(one.kind))
        .map(({ port: name, ...rest }) =>
          templates.frameOf({ ...rest, port: compiled.portNames.indexOf(name) }).slice()
        ),
    feed: (side, frames) => {
      for (const frame of frames) edge.receive(side, frame);
    },
    out,
    edge,
  };
}

const sorted = (frames: readonly Uint8Array[]): string[] => frames.map(withFullHopLimits).sort();

describe('an edge', () => {
  it.each([
    ['without segments', OPEN],
    ['led by a router, with an SRH', { ...LED, ...OPEN }],
  ])('makes the same packets as captures of the simulated WAN, %s', (_, wan) => {
    const near = throughEdge(congested(wan), 'pe0');
    const came = near.on('dc0.gateway:pe0');
    near.feed('inside', came);
    expect(came.length).toBeGreaterThan(30);
    expect(sorted(near.out.outside)).toEqual(sorted(near.on('pe0:r0')));
    near.feed('outside', near.on('r0:pe0'));
    // Fast CNPs that the simulated node itself sends are excluded, since an edge has no queues.
    const own = Buffer.from(near.edge.settings.address).toString('hex');
    const left = near.on('pe0:dc0.gateway').filter((frame) =>
      Buffer.from(frame.subarray(22, 38)).toString('hex') !== own
    );
    expect(sorted(near.out.inside)).toEqual(sorted(left));
    expect(near.edge.endConCounters.forwarded).toBeGreaterThan(0);
    expect(near.out.inside.filter((frame) => dissect(frame).class === 'fast-cnp-1').length)
      .toBe(near.edge.endConCounters.forwarded);
  });

  it('decapsulates packets at the far end, with the mark that a router set on the outer header', () => {
    const wan = { ...OPEN, tunnel: { routersMark: 'ect' } } as const;
    const marking = { ...congested(wan), switches: { ...congested(wan).switches, fastCnp: { enabled: false } } };
    const far = throughEdge(marking, 'pe1');
    far.feed('outside', far.on('r1:pe1'));
    expect(sorted(far.out.inside)).toEqual(sorted(far.on('pe1:dc1.gateway')));
    const marked = far.out.inside.filter((frame) => (frame[IP + 1]! >> 4 & 3) === 3);
    expect(marked.length).toBeGreaterThan(0);
    expect(far.edge.counters.outside).toMatchObject({ in: far.out.inside.length, forwarded: far.out.inside.length });
  });

  it('decrements the hop limit once per pass, and drops expired packets', () => {
    const near = throughEdge(congested(OPEN), 'pe0');
    near.feed('inside', near.on('dc0.gateway:pe0'));
    for (const frame of near.out.outside) {
      expect([frame[IP + HOP_LIMIT], frame[IP + IPV6_BYTES + HOP_LIMIT]]).toEqual([64, 63]);
    }
    const [last] = near.on('dc0.gateway:pe0') as [Uint8Array];
    last[IP + HOP_LIMIT] = 1;
    near.feed('inside', [last]);
    expect(near.edge.counters.inside.dropped.hopLimit).toBe(1);
  });

  it('drops Fast CNPs that the access list does not allow', () => {
    const open = throughEdge(congested(OPEN), 'pe0');
    const shut = throughEdge(congested({}), 'pe0');
    const fromWan = open.on('r0:pe0');
    shut.feed('outside', fromWan);
    const { forwarded } = shut.edge.endConCounters;
    expect(forwarded).toBeGreaterThan(0);
    expect(shut.edge.counters.outside.dropped.accessList).toBe(forwarded);
    expect(shut.out.inside.length).toBe(fromWan.length - forwarded);
  });

  it('drops packets without a route, space or a tunnel, by reason', () => {
    const near = throughEdge(congested(OPEN), 'pe0');
    const [data] = near.on('dc0.gateway:pe0') as [Uint8Array];
    const toNobody = data.slice();
    toNobody[IP + 24] = 0xfc;
    const long = new Uint8Array(9100);
    long.set(data);
    new DataView(long.buffer).setUint16(IP + 4, long.length - IP - IPV6_BYTES);
    const cut = data.slice(0, 200);
    near.feed('inside', [toNobody, long, cut, data.slice(0, 13)]);
    near.edge.receive('inside', data, data.length + 1);
    near.feed('outside', [data]);
    expect(near.edge.counters.inside.dropped).toMatchObject({ noRoute: 1, tooBig: 1, malformed: 1, cut: 2 });
    expect(near.edge.counters.outside.dropped.noRoute).toBe(1);
  });

  it('is selected from the scenario by its name', () => {
    const { plan } = compileScenario(validateScenario(lineWan()));
    expect(() => edgeSettings(plan, 'pe9')).toThrow('the name of the edge must be "pe0" or "pe1" (got "pe9")');
  });
});

/** Suitable for a busy machine: few packets in flight, long timeouts. */
const SIZE_BYTES = 40 * 1024;
const CALM = lineWan(OPEN, {
  workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: SIZE_BYTES }] },
  hosts: { retransmitTimeoutUs: 500_000 },
});
const PACKETS = 40;

function expectThrough(sender: HostsResult, edges: readonly EdgeResult[]): void {
  expect(sender).toMatchObject({ isComplete: true });
  expect(sender.sending).toMatchObject([{ packets: PACKETS, acknowledgedPackets: PACKETS }]);
  for (const { interfaces, drops, unaccounted, ecn } of edges) {
    expect(unaccounted).toBe(0);
    expect(Object.values(drops).every((count) => count === 0)).toBe(true);
    for (const { forwarded } of interfaces) expect(forwarded).toBeGreaterThanOrEqual(PACKETS);
    expect(ecn.packets).toBeGreaterThanOrEqual(PACKETS);
  }
}

describe('two edges between UDP sockets', () => {
  const open: UdpPort[] = [];
  afterAll(() => {
    for (const port of open) port.close();
  });

  it('carry a flow from one data centre to the other', async () => {
    const pairs = await Promise.all([0, 1, 2].map(() => openUdpPair({})));
    open.push(...pairs.flat());
    const [near, wan, far] = pairs as [(typeof pairs)[number], (typeof pairs)[number], (typeof pairs)[number]];
    const abort = new AbortController();
    const { signal } = abort;
    const edges = [
      runEdge([near[1], wan[0]], { scenario: CALM, node: 'pe0', signal }),
      runEdge([far[1], wan[1]], { scenario: CALM, node: 'pe1', signal }),
    ];
    const options = { scenario: CALM, windowPackets: 4, signal: AbortSignal.timeout(40_000) };
    const [sender] = await Promise.all([
      runHosts([near[0]], { ...options, hosts: ['h0'] }),
      runHosts([far[0]], { ...options, hosts: ['h1'] }),
    ]);
    abort.abort();
    expectThrough(sender, await Promise.all(edges));
  }, 60_000);
});

describeWithNamespaces('roce-cc live edge between interfaces', () => {
  let pair: NamespacePair;
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-edge-'));
  const children: ChildProcess[] = [];
  beforeAll(() => {
    pair = new NamespacePair();
    pair.twin();
    ip('-n', pair.right, 'link', 'add', 'wan0', 'type', 'veth', 'peer', 'name', 'wan1');
    for (const name of ['wan0', 'wan1']) ip('-n', pair.right, 'link', 'set', name, 'up', 'arp', 'off', 'mtu', '9500');
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    pair.remove();
    rmSync(folder, { recursive: true });
  });

  async function start<T>(namespace: string,
    args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly printed: Promise<T> }> {
    const child = await pair.within(namespace,
      () => Promise.resolve(startInBackground(['live', ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })));
    children.push(child);
    let text = '';
    child.stdout!.on('data', (bytes: Buffer) => text += bytes.toString());
    return { child, printed: once(child, 'close').then(() => JSON.parse(text) as T) };
  }

  it('carries a flow through both tunnels in four processes, and prints counters on SIGINT and SIGTERM', async () => {
    const file = path.join(folder, 'wan.json');
    writeFileSync(file, JSON.stringify(CALM));
    const scenario = ['--scenario', file];
    const near = await start<EdgeResult>(pair.right, ['edge', 'right0', 'wan0', '--node', 'pe0', ...scenario]);
    const far = await start<EdgeResult>(pair.right, ['edge', 'right1', 'wan1', '--node', 'pe1', ...scenario]);
    const receiver = await start<HostsResult>(pair.left, [
      'hosts',
      'h1=left1',
      '--window',
      '4',
      '--seconds',
      '40',
      ...scenario,
    ]);
    const sender = await start<HostsResult>(pair.left, [
      'hosts',
      'h0=left0',
      '--window',
      '4',
      '--seconds',
      '40',
      ...scenario,
    ]);
    const sent = await sender.printed;
    await receiver.printed;
    near.child.kill('SIGINT');
    far.child.kill('SIGTERM');
    expectThrough(sent, await Promise.all([near.printed, far.printed]));
  }, 60_000);
});
