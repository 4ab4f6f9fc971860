/** The role hosts between ports: an incast over sockets in one process, and over interfaces in three processes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHosts, runSwitch, type HostFrame, type HostsResult, type SwitchResult,
  type UdpPort } from '../../src/live/index.js';
import { openUdpPair } from '../../src/live/ports/udp-port.js';
import type { ScenarioSpec } from '../../src/sim/index.js';
import { readCaptureFile } from '../../src/capture/node-file.js';
import { dissect } from '../../src/packet/index.js';
import { startInBackground } from '../cli/support/process.js';
import { starScenario } from './support/emulated-star.js';
import { describeWithNamespaces, NamespacePair } from './support/namespaces.js';

const SIZE_BYTES = 60_000;
const PACKETS = Math.ceil(SIZE_BYTES / 1024);

/** A star so slow that a busy machine keeps up; the switch marks early. */
function slowStar(hosts: number, senders: number): ScenarioSpec {
  const receiver = `h${hosts - 1}`;
  return starScenario(hosts, {
    topology: { kind: 'star', hosts, rateGbps: 0.01, delayNs: 1000 },
    workload: {
      kind: 'flows',
      flows: Array.from({ length: senders }, (_, at) => ({ from: `h${at}`, to: receiver, sizeBytes: SIZE_BYTES })),
    },
    algorithms: {
      default: { preset: 'dcqcn-sigcomm15', parameters: { minRateBps: 1e6, aiRateBps: 1e5, haiRateBps: 1e5 } },
    },
    switches: { ecn: { byRate: [{ rateGbps: 0.01, kminKB: 2, kmaxKB: 20, pmax: 1 }] } },
    hosts: { retransmitTimeoutUs: 500_000 },
  });
}

function expectThrough({ isComplete, sending }: HostsResult): void {
  expect(isComplete).toBe(true);
  for (const flow of sending) {
    expect(flow).toMatchObject({ packets: PACKETS, acknowledgedPackets: PACKETS });
    expect(flow.sentPackets).toBe(PACKETS + flow.resentPackets);
    expect(flow.completionPs).toBeGreaterThan(0);
  }
}

describe('hosts between UDP sockets', () => {
  const open: UdpPort[] = [];
  afterAll(() => {
    for (const port of open) port.close();
  });

  async function links(count: number): Promise<readonly (readonly [UdpPort, UdpPort])[]> {
    const pairs = await Promise.all(Array.from({ length: count }, () => openUdpPair({})));
    open.push(...pairs.flat());
    return pairs;
  }

  it('complete an incast of three senders through a switch, send CNPs for marks, and end automatically', async () => {
    const scenario = slowStar(4, 3);
    const pairs = await links(4);
    const abort = new AbortController();
    const forwarding = runSwitch(pairs.map(([near]) => near), { scenario, signal: abort.signal });
    const atHosts = pairs.map(([, far]) => far);
    const [senders, receiver] = await Promise.all([
      runHosts(atHosts.slice(0, 3), { scenario, hosts: ['h0', 'h1', 'h2'] }),
      runHosts(atHosts.slice(3), { scenario, hosts: ['h3'] }),
    ]);
    abort.abort();
    const switched: SwitchResult = await forwarding;
    expectThrough(senders);
    expect(receiver).toMatchObject({ isComplete: true, sending: [], rejected: 0 });
    expect(receiver.receiving.map(({ from, to, deliveredPackets }) => ({ from, to, deliveredPackets })))
      .toEqual(['h0', 'h1', 'h2'].map((from) => ({ from, to: 'h3', deliveredPackets: PACKETS })));
    const [counters] = receiver.hosts;
    expect(counters!.marked).toBeGreaterThan(0);
    expect(counters!.cnpsSent).toBeGreaterThan(0);
    expect(senders.hosts.reduce((all, { cnps }) => all + cnps, 0)).toBe(counters!.cnpsSent);
    expect(switched.interfaces[3]!.marks).toBe(counters!.marked);
    expect(counters!.sentFrames).toBe(switched.interfaces[3]!.in);
    expect(switched.unaccounted).toBe(0);
  }, 60_000);

  it('end on a signal, and report unfinished flows', async () => {
    const [[, far]] = (await links(1)) as [readonly [UdpPort, UdpPort]];
    const abort = new AbortController();
    const views: HostsResult[] = [];
    setTimeout(() => {
      abort.abort();
    }, 1200);
    const result = await runHosts([far], {
      scenario: slowStar(2, 1),
      hosts: ['h0'],
      endless: true,
      signal: abort.signal,
      onView: (view) => views.push(view),
    });
    expect(result).toMatchObject({ isComplete: false, sending: [{ packets: null, acknowledgedPackets: 0 }] });
    expect(result.sending[0]!.sentPackets).toBeGreaterThan(0);
    expect(views.length).toBeGreaterThan(0);
  });

  it('deliver ACKs to the right one of two senders at one port', async () => {
    const scenario = slowStar(3, 2);
    const [[near, far]] = (await links(1)) as [readonly [UdpPort, UdpPort]];
    const seen: HostFrame[] = [];
    const signal = AbortSignal.timeout(40_000);
    const [senders, receiver] = await Promise.all([
      runHosts([near, near], {
        scenario,
        hosts: ['h0', 'h1'],
        signal,
        onFrame: (frame) => {
          seen.push({ ...frame, frame: frame.frame.slice() });
        },
      }),
      runHosts([far], { scenario, hosts: ['h2'], signal }),
    ]);
    expectThrough(senders);
    expect(receiver.receiving).toMatchObject([0, 1].map((at) => ({ from: `h${at}`, deliveredPackets: PACKETS })));
    for (const { name, received, sentFrames, strays } of senders.hosts) {
      expect(strays).toBe(0);
      const own = seen.filter(({ host }) => host === name);
      expect(own.filter(({ direction }) => direction === 'in')).toHaveLength(received);
      expect(own.filter(({ direction }) => direction === 'out')).toHaveLength(sentFrames);
    }
  }, 60_000);

  it('reject hosts that are not in the scenario, and the wrong number of ports', async () => {
    const [[near]] = (await links(1)) as [readonly [UdpPort, UdpPort]];
    const scenario = slowStar(2, 1);
    await expect(runHosts([near], { scenario, hosts: ['h9'] })).rejects.toMatchObject({ where: 'options.hosts[0]' });
    await expect(runHosts([near], { scenario })).rejects.toMatchObject({ where: 'ports', got: 1 });
    const pint = {
      ...slowStar(2, 1),
      topology: { kind: 'star' as const, hosts: 2, rateGbps: 1 },
      algorithms: { default: { preset: 'hpcc-pint-ns3' } },
      switches: {},
    };
    await expect(runHosts([near], { scenario: pint, hosts: ['h0'] })).rejects.toMatchObject({
      where: 'algorithms',
      got: 'hpcc-pint',
    });
  });
});

describe('roce-cc live hosts', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-hosts-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s with its report', async (signal) => {
    const file = path.join(folder, 'star.json');
    writeFileSync(file, JSON.stringify(slowStar(2, 1)));
    // No socket is bound to this peer address.
    const at = 'h0=udp:127.0.0.1:0,127.0.0.1:9';
    const child = startInBackground(['live', 'hosts', at, '--scenario', file, '--endless', '--seconds', '30'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, COLUMNS: '200' },
    });
    let text = '';
    child.stdout!.on('data', (bytes: Buffer) => text += bytes.toString());
    const ended = once(child, 'close');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(text).toContain('stopped before all flows were complete');
    expect(text).toMatch(/Flows that begin here\n.*\n.*h0 to h1 +0 /);
  }, 60_000);
});

describeWithNamespaces('roce-cc live hosts between interfaces', () => {
  let pair: NamespacePair;
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-hosts-'));
  const children: ChildProcess[] = [];
  beforeAll(() => {
    pair = new NamespacePair();
    pair.twin();
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    pair.remove();
    rmSync(folder, { recursive: true });
  });

  /** Starts the command in a namespace, and collects its output. */
  async function start(namespace: string,
    args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly printed: Promise<string> }> {
    const child = await pair.within(namespace,
      () => Promise.resolve(startInBackground(['live', ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })));
    children.push(child);
    let text = '';
    child.stdout!.on('data', (bytes: Buffer) => text += bytes.toString());
    return { child, printed: once(child, 'close').then(() => text) };
  }

  it('completes a flow with a sender, a switch and a receiver in three processes', async () => {
    const file = path.join(folder, 'star.json');
    writeFileSync(file, JSON.stringify(slowStar(2, 1)));
    const forwarding = await start(pair.right, ['switch', 'right0', 'right1', '--scenario', file]);
    const receiving = await start(pair.left, ['hosts', 'h1=left1', '--scenario', file]);
    const pcap = path.join(folder, 'sender.pcapng');
    const sending = await start(pair.left, ['hosts', 'h0=left0', '--scenario', file, '--pcap', pcap]);
    const [sender, receiver] = (await Promise.all([sending.printed, receiving.printed]))
      .map((text) => JSON.parse(text) as HostsResult) as [HostsResult, HostsResult];
    forwarding.child.kill('SIGINT');
    const switched = JSON.parse(await forwarding.printed) as SwitchResult;
    expectThrough(sender);
    expect(receiver.receiving).toMatchObject([{ from: 'h0', to: 'h1', deliveredPackets: PACKETS }]);
    expect(switched.unaccounted).toBe(0);
    const classes: string[] = [];
    for await (const { bytes } of readCaptureFile(pcap)) classes.push(dissect(bytes).class);
    const [host] = sender.hosts as [HostsResult['hosts'][number]];
    expect(classes).toHaveLength(host.received + host.sentFrames);
    expect(classes.filter((name) => name === 'data')).toHaveLength(sender.sending[0]!.sentPackets);
  }, 60_000);
});
