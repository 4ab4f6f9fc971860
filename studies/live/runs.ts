/** One scenario in the simulator, between emulated hosts and switch by virtual time, and between them over real links. */
import { dropsIn } from '../../src/live/switch/switch-counters.js';
import { type DemoMode, demoScenario } from '../../src/live/demo/incast.js';
import { replayArrivals, runHosts, runNamespaceDemo, runSwitch, runUdpDemo, startLiveClock, type DemoResult,
  type SwitchArrival, type SwitchCounters } from '../../src/live/index.js';
import { openUdpPair } from '../../src/live/ports/udp-port.js';
import { FrameFacts, KIND_ACK, KIND_CNP, KIND_DATA } from '../../src/live/switch/frame-facts.js';
import { recordedArrival } from '../../src/live/switch/emulation.js';
import { compileScenario, runScenarioSync, validateScenario, type ScenarioSpec } from '../../src/sim/index.js';
import { receiverQpnOf, senderQpnOf } from '../../src/switching/network-addresses.js';
import { PS_PER_SECOND } from '../../src/units.js';
import { runModelSwitch, type ModelArrival } from '../../test/live/support/model-switch.js';
import { VirtualWire } from '../../test/live/support/virtual-wire.js';

export const RATE_MBPS = 50;
export const SECONDS = 16;
export const MODES: readonly DemoMode[] = ['dcqcn', 'dcqcn-fast-cnp'];

const BITS = 8;
const MTU_BYTES = 1024;
const FCS_BYTES = 4;
const CHECK_INTERVAL_PS = PS_PER_SECOND / 100;
/** As the demo has them. */
const DEMO_HOSTS = { endless: true, ackEveryPackets: 4, windowPackets: 16 } as const;

/** An incast over its second half, with counters of all of it. */
export interface IncastRun {
  readonly goodputsBps: readonly number[];
  readonly marks: number;
  readonly cnps: number;
  readonly fastCnps: number;
  readonly dropped: number;
  /** Of the receiver's port at the switch, 100 times a second; over real links, twice. */
  readonly queueBytes: readonly number[];
  readonly maxLagPs: number;
}

export function simulated(mode: DemoMode, senders: number): IncastRun {
  const port = `s0:h${senders}`;
  const run = (seconds: number) =>
    runScenarioSync({
      ...demoScenario(mode, RATE_MBPS, senders),
      durationUs: seconds * 1e6,
      record: { intervalUs: 1e4, ports: [port] },
    });
  const [half, all] = [run(SECONDS / 2), run(SECONDS)];
  const before = Array.from(half.flows, ({ deliveredBytes }) => deliveredBytes);
  const { totals, series } = all;
  return {
    goodputsBps: Array.from(all.flows,
      ({ deliveredBytes }, flow) => ((deliveredBytes - before[flow]) * BITS) / (SECONDS / 2)),
    marks: totals.marks,
    cnps: totals.cnps,
    fastCnps: totals.fastCnps,
    dropped: totals.packetsDropped,
    queueBytes: secondHalf(series.queueBytes[port]),
    maxLagPs: 0,
  };
}

export function virtual(mode: DemoMode, senders: number): IncastRun {
  const wire = new VirtualWire(demoScenario(mode, RATE_MBPS, senders), DEMO_HOSTS);
  const delivered = () => wire.hosts.receivers.map(({ responder }) => responder.expected);
  const queueBytes: number[] = [];
  let before: number[] = [];
  const look = (timePs: number): void => {
    queueBytes.push(wire.switch.queues.bytesOf(senders));
    if (timePs <= (SECONDS / 2) * PS_PER_SECOND) before = delivered();
  };
  wire.run(SECONDS * PS_PER_SECOND, { everyPs: CHECK_INTERVAL_PS, look });
  const { counters } = wire.switch;
  const all = (of: (port: (typeof counters)[number]) => number): number =>
    counters.reduce((sum, port) => sum + of(port), 0);
  return {
    goodputsBps: delivered().map((packets, flow) => ((packets - before[flow]) * MTU_BYTES * BITS) / (SECONDS / 2)),
    marks: all((port) => port.marks),
    cnps: wire.hosts.countersOf(senders).cnpsSent,
    fastCnps: all((port) => port.fastCnps),
    dropped: all((port) => dropsIn(port.droppedIn) + dropsIn(port.droppedOut)),
    queueBytes: secondHalf(queueBytes),
    maxLagPs: 0,
  };
}

/** Over real links, by the program of the demo: sixteen senders. */
export async function real(mode: DemoMode, over: 'udp' | 'namespaces'): Promise<IncastRun> {
  const queueBytes: number[] = [];
  const run = over === 'udp' ? runUdpDemo : runNamespaceDemo;
  const result: DemoResult = await run({
    mode,
    rateBps: RATE_MBPS * 1e6,
    seconds: SECONDS,
    onView: (view) => {
      queueBytes.push(view.queueBytes);
    },
  });
  const { goodputsBps, marks, cnpsSent, fastCnps, drops, maxLagPs } = result;
  const dropped = Object.values(drops).reduce((sum, count) => sum + count, 0);
  return { goodputsBps, marks, cnps: cnpsSent, fastCnps, dropped, queueBytes: secondHalf(queueBytes), maxLagPs };
}

/** Presets that hosts can run, and how a burst of three times 3 MB to one host ends. */
export const PRESETS = [
  'dcqcn-sigcomm15',
  'hpcc-sigcomm19',
  'hpcc-pp-draft',
  'hpcc-pp-fast-cnp',
  'dctcp-ns3',
  'timely-sigcomm15',
  'swift-sigcomm20',
] as const;

/** A burst: its longest queue, and when its last packet was acknowledged. */
export interface BurstRun {
  readonly queueBytes: number;
  readonly lastPs: number;
}

const BURST_SENDERS = 3;

function burst(preset: (typeof PRESETS)[number]): ScenarioSpec {
  return {
    name: `burst, ${preset}`,
    topology: { kind: 'star', hosts: BURST_SENDERS + 1, rateGbps: 10, delayNs: 1000 },
    workload: { kind: 'incast', senders: BURST_SENDERS, sizeBytes: 3_000_000 },
    algorithms: { default: { preset } },
  };
}

export function simulatedBurst(preset: (typeof PRESETS)[number]): BurstRun {
  const { flows, summary } = runScenarioSync(burst(preset));
  const lastPs = Math.max(...Array.from(flows, ({ completionPs }) => completionPs ?? Infinity));
  return { queueBytes: summary.maxQueueBytes, lastPs };
}

export function virtualBurst(preset: (typeof PRESETS)[number]): BurstRun {
  const wire = new VirtualWire(burst(preset));
  let lastPs = 0;
  const look = (timePs: number): void => {
    if (wire.hosts.senders.some(({ requester }) => !requester.isDone)) lastPs = timePs;
  };
  wire.run(PS_PER_SECOND, { everyPs: 1e6, look });
  return { queueBytes: Math.max(...wire.switch.queues.maxBytes), lastPs };
}

/** Results of a switch for the same arrivals: live, and replayed from its record. */
export interface ReplayedRun {
  readonly frames: number;
  readonly live: SwitchCounters;
  readonly replayed: SwitchCounters;
  /** By the simulator's plain switch. */
  readonly modelMarks: number;
  readonly modelDrops: number;
}

/** Three hosts of one process send to a fourth over UDP sockets, through a switch whose buffer is short; its arrivals are recorded. */
export async function replayed(): Promise<ReplayedRun> {
  const senders = 3;
  const base = demoScenario('dcqcn', RATE_MBPS, senders);
  const scenario: ScenarioSpec = {
    ...base,
    workload: { kind: 'incast', senders, sizeBytes: 2_000_000 },
    switches: { ...base.switches, bufferBytes: 60_000, pfc: false },
  };
  const clock = startLiveClock();
  const pairs = await Promise.all(Array.from({ length: senders + 1 }, () => openUdpPair({ clock })));
  const arrivals: ReturnType<typeof recordedArrival>[] = [];
  const model: ModelArrival[] = [];
  const facts = new FrameFacts();
  const abort = new AbortController();
  const { signal } = abort;
  const forwarding = runSwitch(pairs.map(([atSwitch]) => atSwitch), {
    scenario,
    clock,
    signal,
    onArrival: (arrival) => {
      arrivals.push(recordedArrival(arrival));
      const one = modelArrival(facts, arrival);
      if (one !== undefined) model.push(one);
    },
  });
  await runHosts(pairs.map(([, atHost]) => atHost), { scenario, clock, signal: AbortSignal.timeout(60_000) });
  abort.abort();
  const live = await forwarding;
  for (const port of pairs.flat()) port.close();
  const frames = arrivals.map(({ bytes, originalBytes = 0, interfaceId = 0, epochSeconds = 0, picoseconds = 0 }) => ({
    bytes,
    originalBytes,
    interfaceId,
    epochSeconds,
    picoseconds,
    hasTime: true,
  }));
  const { plan } = compileScenario(validateScenario(scenario));
  const outcome = runModelSwitch(plan, plan.nodes.findIndex(({ kind }) => kind === 'switch'), model);
  return {
    frames: arrivals.length,
    live,
    replayed: await replayArrivals(frames as unknown as Parameters<typeof replayArrivals>[0], scenario),
    modelMarks: outcome.marks.length,
    modelDrops: outcome.drops.length,
  };
}

function modelArrival(facts: FrameFacts, { port, timePs, frame }: SwitchArrival): ModelArrival | undefined {
  facts.read(frame, 0, frame.length);
  const kind = ({ [KIND_DATA]: 'data', [KIND_ACK]: 'ack', [KIND_CNP]: 'cnp' } as const)[facts.kind];
  if (kind === undefined) return undefined;
  const flow = facts.destQpn - (kind === 'data' ? receiverQpnOf(0) : senderQpnOf(0));
  return {
    port,
    timePs,
    kind,
    flow,
    sequence: 0,
    lenBytes: frame.length + FCS_BYTES,
    trafficClass: facts.trafficClass,
  };
}

function secondHalf(values: readonly number[]): readonly number[] {
  return values.slice(Math.floor(values.length / 2));
}
