/**
 * Frames per second of live roles over veth, between two network namespaces that the program makes and that go with it:
 *
 *   npm run live-bench [-- --seconds 3]     as root, with koffi and iproute2
 *
 * Another process, or two where one is too slow, sends frames of 1,082 bytes at rates that rise until frames are lost; a row per rate, of tcpdump
 * (where it is installed), of a bare reader of the ring, the
 * watch and the switch, which sends them back. Then the switch at 10,000 frames/s, for the time that frames are in flight, and the CPU of a
 * watch to which nothing comes.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { makeFrameBatch, runSwitch, startLiveClock, watch, type FramePort } from '../../src/live/index.js';
import { loadLibc } from '../../src/live/ports/linux/libc.js';
import { NetworkNamespace } from '../../src/live/ports/linux/network-namespace.js';
import { openPacketPortIn } from '../../src/live/ports/linux/packet-port.js';
import { parseFlows } from '../../src/replay/index.js';
import { US_PER_MS } from '../../src/units.js';
import { RING, type PeerCounts } from './shared.js';

const RATES = [100e3, 200e3, 300e3, 400e3, 600e3];
/** Beyond it two processes send: one hands the system some 450,000 frames/s. */
const ONE_SENDER_RATE = 400e3;
const SLOW_RATE = 10e3;
const IDLE_MS = 3000;
const QUIET_MS = 400;
const TCPDUMP_BLOCK_MS = 1500;
const PEER = fileURLToPath(new URL('peer.ts', import.meta.url));
const FLOWS = parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n', 'flows.csv');
const SCENARIO = {
  name: 'live bench',
  topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 0 },
  workload: { kind: 'incast', senders: 1, sizeBytes: 1000 },
} as const;

/** @returns frames that came, and the CPU time of another process that took them, seconds. */
type Role = (ports: readonly FramePort[], signal: AbortSignal) => Promise<number | readonly [number, number]>;

interface Row {
  readonly role: string;
  readonly ratePerSecond: number;
  readonly counts: PeerCounts;
  readonly came: number;
  readonly cpuShare: number;
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const seconds = Number(values.seconds);
if (!(seconds >= 1 && seconds <= 60)) throw new RangeError(`--seconds: got ${values.seconds}, allowed: 1 to 60`);

const clock = startLiveClock();
const libc = await loadLibc('the benchmark');
const [near, far] = [new NetworkNamespace(libc), new NetworkNamespace(libc)];
const link = (name: string, peer: string): string[] => [
  `link add ${name} type veth peer name ${peer} netns ${far.path}`,
  `link set ${name} up arp off`,
];
for (const space of [near, far]) space.within(forbidIpv6);
runIp(near, [...link('role0', 'peer0'), ...link('role1', 'peer1')]);
runIp(far, ['link set peer0 up arp off', 'link set peer1 up arp off']);

say('| role | sent/s | came | lost | back | CPU of the role |\n|---|---:|---:|---:|---:|---:|');
const hasTcpdump = spawnSync('tcpdump', ['--version']).status === 0;
for (
  const [name, role] of [['tcpdump', runTcpdump], ['bare ring', readRing], ['watch', runWatch], [
    'switch',
    runRole,
  ]] as const
) {
  if (name === 'tcpdump' && !hasTcpdump) continue;
  for (const ratePerSecond of RATES) {
    const row = await measure(name, role, ratePerSecond);
    say(rowText(row));
    if (row.came < row.counts.sent) break;
  }
}
const { counts } = await measure('switch', runRole, SLOW_RATE);
say(
  `\nSwitch at ${SLOW_RATE} frames/s: there and back ${(counts.p50Ms * US_PER_MS).toFixed(0)} us p50, ${
    (counts.p99Ms * US_PER_MS).toFixed(0)
  } us p99.`,
);
say(`Watch to which nothing comes: ${(await idleCpu() * 100).toFixed(1)} % of a core.`);
near.close();
far.close();

async function measure(role: string, run: Role, ratePerSecond: number): Promise<Row> {
  const ports = [
    await openPacketPortIn(near, 'role0', { ...RING, clock }),
    await openPacketPortIn(near, 'role1', { ...RING, clock }),
  ];
  const abort = new AbortController();
  const beginCpu = process.cpuUsage();
  const running = run(ports, abort.signal);
  // Returning frames would be counted by both.
  const senders = ratePerSecond > ONE_SENDER_RATE && role !== 'switch' ? 2 : 1;
  const all = await Promise.all(Array.from({ length: senders }, () => runPeer(ratePerSecond / senders)));
  const [first] = all as [PeerCounts];
  const counts = { ...first, sent: all.reduce((sum, { sent }) => sum + sent, 0) };
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const { user, system } = process.cpuUsage(beginCpu);
  abort.abort();
  const taken = await running;
  for (const port of ports) port.close();
  const [came, cpuSeconds] = typeof taken === 'number' ? [taken, (user + system) / 1e6] : taken;
  return { role, ratePerSecond, counts, came, cpuShare: cpuSeconds / seconds };
}

function rowText({ role, counts: { sent, back }, came, cpuShare }: Row): string {
  return `| ${role} | ${Math.round(sent / seconds)} | ${came} | ${sent - came} | ${role === 'switch' ? back : ''} | ${
    (cpuShare * 100).toFixed(0)
  } % |`;
}

function runPeer(ratePerSecond: number): Promise<PeerCounts> {
  const child = far.within(() =>
    spawn(process.execPath, ['--import', 'tsx', PEER, String(ratePerSecond), String(seconds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  );
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(text) as PeerCounts);
      else reject(new Error(`the peer ended with ${code}`));
    });
  });
}

/** With a buffer as large as the rings; what it takes goes to no file. */
async function runTcpdump(ports: readonly FramePort[], signal: AbortSignal): Promise<readonly [number, number]> {
  for (const port of ports) port.close();
  const options = ['-i', 'role0', '-w', '/dev/null', '-B', '65536'];
  const child = near.within(() => spawn('tcpdump', options, { stdio: ['ignore', 'ignore', 'pipe'] }));
  let text = '';
  child.stderr.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  await once(signal, 'abort');
  // It reads a block that is not full after a second.
  await new Promise((resolve) => setTimeout(resolve, TCPDUMP_BLOCK_MS));
  const cpuSeconds = cpuSecondsOf(child.pid ?? 0);
  child.kill('SIGINT');
  await once(child, 'close');
  return [Number(/\b(\d+) packets? captured/.exec(text)?.[1] ?? 0), cpuSeconds];
}

/** Of a process, as /proc says it, in hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function readRing([port]: readonly FramePort[], signal: AbortSignal): Promise<number> {
  const batch = makeFrameBatch({ frames: 4096, bytes: 2 ** 23 });
  let frames = 0;
  while (port !== undefined && !signal.aborted) {
    const count = port.receive(batch);
    frames += count;
    if (count === 0) await port.wait(100);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return frames;
}

async function runWatch([port]: readonly FramePort[], signal: AbortSignal): Promise<number> {
  if (port === undefined) return 0;
  const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
  const { report } = await watch(port, { parameters, flows: FLOWS, signal });
  return report.capture.frames;
}

async function runRole(ports: readonly FramePort[], signal: AbortSignal): Promise<number> {
  const addresses = { h0: '10.0.0.1', h1: '10.0.0.2' };
  const { interfaces } = await runSwitch(ports, { scenario: SCENARIO, addresses, clock, signal });
  return interfaces[0]?.in ?? 0;
}

async function idleCpu(): Promise<number> {
  const port = await openPacketPortIn(near, 'role0', { ...RING, clock });
  const abort = new AbortController();
  const running = runWatch([port], abort.signal);
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const begin = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { user, system } = process.cpuUsage(begin);
  abort.abort();
  await running;
  port.close();
  return (user + system) / US_PER_MS / IDLE_MS;
}

function runIp(space: NetworkNamespace, commands: readonly string[]): void {
  space.within(() => {
    execFileSync('ip', ['-batch', '-'], { input: `${commands.join('\n')}\n`, stdio: ['pipe', 'ignore', 'inherit'] });
  });
}

/** Neighbour discovery would add frames. */
function forbidIpv6(): void {
  try {
    for (const which of ['all', 'default']) writeFileSync(`/proc/sys/net/ipv6/conf/${which}/disable_ipv6`, '1');
  } catch {
    // Without, a frame more may come.
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
