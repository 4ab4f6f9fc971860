/**
 * The reference simulator's golden runs as network plans, made directly from their files, and their results.
 *
 * Kept apart from the library's reader of such files and from its compiler, so that each can be checked against the other.
 * Rules: the reference's description, sections 1 (numbers, sizes), 2 (windows), 9 (switch), 10 (parameters).
 */
import { existsSync, readFileSync } from 'node:fs';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import { dcqcnNs3Custom } from '../../src/config/algorithms/dcqcn/preset-ns3.js';
import { dctcpNs3 } from '../../src/config/algorithms/dctcp.js';
import { hpccNs3 } from '../../src/config/algorithms/hpcc-presets.js';
import { hpccPintNs3 } from '../../src/config/algorithms/hpcc-pint.js';
import { timelyNs3 } from '../../src/config/algorithms/timely.js';
import { FlowPlans } from '../../src/sim/flow-plans.js';
import { RouteTable } from '../../src/sim/route-table.js';
import type { FlowPlan, NetworkPlan, NodePlan, PortPlan, Rules } from '../../src/sim/plan.js';
import { mbps, ns, us } from '../../src/units.js';
import { GOLDEN_SYSTEM, readGolden, type Row } from './golden.js';

const HOST_PORT_SEED = 0x8bad_f00d;
const FIRST_SOURCE_PORT = 10_000;
const RESERVED_BYTES = 4096;
/** Ethernet 14, IPv4 20, UDP 8, sequence number and class 6. */
const DATA_HEADER_BYTES = 48;
const ACK_HEADER_BYTES = 46;
const MIN_ACK_BYTES = 60;
/** Bytes that each CC_MODE adds for telemetry. */
const TELEMETRY_BYTES: Readonly<Record<string, number>> = { 0: 0, 1: 0, 3: 42, 7: 8, 8: 0, 10: 2 };

/** A golden run as a plan. @example goldenPlan('incast16_1MB', 'dcqcn_step') */
export function goldenPlan(scenario: string, cc: string): NetworkPlan {
  const folder = `${GOLDEN_SYSTEM}${scenario}/`;
  return new GoldenPlan(readText(`${folder}topology.txt`), readText(`${folder}flow.txt`),
    readConfig(readText(`${folder}config_${cc}.txt`)), readGolden(folder, 'routes.csv')).build();
}

export type Config = ReadonlyMap<string, string>;

interface Link {
  readonly a: number;
  readonly b: number;
  readonly rateBps: number;
  readonly delayNs: number;
  readonly errorRate: number;
}
interface Path {
  readonly rttNs: number;
  readonly rateBps: number;
  readonly bdpBytes: number;
}
export interface FlowLine {
  readonly source: number;
  readonly destination: number;
  readonly trafficClass: number;
  readonly port: number;
  readonly sizeBytes: number;
  readonly startNs: number;
}

/** A golden run's files as a plan. Another reference's may differ in parts. */
export class GoldenPlan {
  protected readonly isSwitch: readonly boolean[];
  protected readonly links: readonly Link[];
  protected readonly flowLines: readonly FlowLine[];
  protected readonly firstPort: number[] = [];
  /** Ends of links by node, in the order of the file. */
  protected readonly ends: { readonly link: Link; readonly peer: number }[][];
  protected readonly groups: number[][] = [];
  /** Group by node and destination; -1: none. */
  protected readonly groupOf: number[][];
  protected readonly parameterSets: AlgorithmParameters[] = [];
  protected readonly parameterSetOf = new Map<string, number>();
  protected readonly paths = new Map<number, ReadonlyMap<number, Path>>();

  constructor(topology: string, flows: string, protected readonly config: Config, routes: readonly Row[]) {
    const [[nodeCount, , linkCount], switches, ...lines] = wordsOf(topology).map((line) => line.map(Number));
    this.isSwitch = Array.from({ length: nodeCount }, (_, node) => switches.includes(node));
    this.links = wordsOf(topology).slice(2, 2 + linkCount).map(linkOf);
    if (lines.length < linkCount) throw new Error('too few links');
    this.flowLines = this.readFlows(wordsOf(flows).slice(1));
    this.ends = this.isSwitch.map((_, node) =>
      this.links
        .filter(({ a, b }) => a === node || b === node).map((link) => ({
          link,
          peer: link.a === node ? link.b : link.a,
        }))
    );
    for (const [node] of this.isSwitch.entries()) {
      this.firstPort.push(node === 0 ? 0 : this.firstPort[node - 1] + this.ends[node - 1].length);
    }
    this.groupOf = this.isSwitch.map(() => Array<number>(nodeCount).fill(-1));
    for (const row of routes) this.addRoute(row);
  }

  /** Source, destination, class, port, size, start. */
  protected readFlows(lines: readonly (readonly string[])[]): FlowLine[] {
    return lines.map(flowOf);
  }

  build(): NetworkPlan {
    const flows = this.flowPlans();
    return {
      fidelity: 'reference',
      seed: 1,
      endPs: ns(this.endNs()),
      rules: this.rules(),
      nodes: this.isSwitch.map((_, node) => this.nodePlan(node)),
      ports: this.ends.flatMap((ends, node) => ends.map((_, port) => this.portPlan(node, port))),
      routes: RouteTable.of(this.groupOf.map((row, node) => (this.isSwitch[node] ? row : []))),
      groups: this.groups,
      parameterSets: this.parameterSets,
      flows: FlowPlans.of(flows),
      linkEvents: [],
      fastCnp: {
        accepted: false,
        option: 1,
        flowRatePerSecond: 20_000,
        flowBurst: 1,
        portRatePerSecond: 1e6,
        portBurst: 64,
        markWhenLimited: false,
        duplicateWindowPs: 0,
      },
    };
  }

  protected endNs(): number {
    return secondsToNs(this.word('SIMULATOR_STOP_TIME'));
  }

  protected word(key: string): string {
    const value = this.config.get(key);
    if (value === undefined) throw new Error(`no ${key}`);
    return value;
  }

  protected number(key: string): number {
    return Number(this.word(key));
  }

  protected rules(): Rules {
    const mode = this.word('CC_MODE');
    return {
      txTime: 'ns3',
      mtuBytes: this.number('PACKET_PAYLOAD_SIZE'),
      wireOverheadBytes: 0,
      pauseFrameBytes: 43,
      cnpBytes: MIN_ACK_BYTES,
      fastCnpBytes: MIN_ACK_BYTES,
      notification: 'ack-flag',
      cnpIntervalPs: 0,
      cnpDelayPs: 0,
      cnpClass: 6,
      strictClasses: 0,
      markAt: 'dequeue',
      markable: 'all',
      telemetry: mode === '3' ? 'int64' : 'none',
      intMultiplier: this.number('INT_MULTI'),
      nakIntervalPs: us(500),
      retransmitTimeoutPs: 0,
      pacing: this.word('RATE_BOUND') === '1',
      resumeOffsetBytes: 3072,
      reservedBytes: RESERVED_BYTES,
      ackPauseClass: this.config.get('ACK_HIGH_PRIO') === '1' ? 0 : 3,
      ...(mode === '10' ? { pintRttPs: ns(this.longest().rttNs) } : {}),
    };
  }

  protected nodePlan(node: number): NodePlan {
    const isSwitch = this.isSwitch[node];
    return {
      name: `${isSwitch ? 's' : 'h'}${node}`,
      kind: isSwitch ? 'switch' : 'host',
      firstPort: this.firstPort[node],
      portCount: this.ends[node].length,
      bufferBytes: isSwitch ? this.number('BUFFER_SIZE') * 1024 * 1024 : 0,
      pfc: true,
      fastCnp: false,
      hashSeed: isSwitch ? node : HOST_PORT_SEED,
      address: addressOf(node),
    };
  }

  protected portPlan(node: number, port: number): PortPlan {
    const { link, peer } = this.ends[node][port];
    const { rateBps, delayNs, errorRate } = link;
    const isSwitch = this.isSwitch[node];
    const peerPort = this.firstPort[peer] + this.ends[peer].findIndex((end) => end.link === link);
    return {
      node,
      peerPort,
      rateBps,
      delayPs: ns(delayNs),
      headroomBytes: isSwitch ? Math.trunc((rateBps * delayNs) / 8 / 1e9) * 3 : 0,
      thresholdShift: isSwitch ? this.thresholdShift(rateBps) : 0,
      ecn: isSwitch && this.word('ENABLE_QCN') === '1',
      kminBytes: isSwitch ? this.byRate('KMIN_MAP', rateBps) * 1000 : 0,
      kmaxBytes: isSwitch ? this.byRate('KMAX_MAP', rateBps) * 1000 : 0,
      pmax: isSwitch ? this.byRate('PMAX_MAP', rateBps) : 0,
      dataLoss: errorRate,
      ackLoss: errorRate,
      cnpLoss: errorRate,
      corruption: 0,
    };
  }

  /** 3, and one less for each doubling beyond the rate of the first host's port. */
  protected thresholdShift(rateBps: number): number {
    const nicRateBps = this.ends[this.isSwitch.indexOf(false)][0].link.rateBps;
    let shift = 3;
    for (let rate = rateBps; rate > nicRateBps && shift > 0; rate = Math.trunc(rate / 2)) shift -= 1;
    return shift;
  }

  protected byRate(key: string, rateBps: number): number {
    const [, ...pairs] = this.word(key).split(/\s+/).map(Number);
    for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === rateBps) return pairs[i + 1];
    throw new Error(`${key} has no ${rateBps}`);
  }

  protected addRoute(row: Row): void {
    const [node, destination, port] = [row.node, row.dst, row.out_ifindex].map(Number);
    const index = Number(row.path_index ?? row.hash_index);
    if (index === 0) this.groupOf[node][destination] = this.groups.push([]) - 1;
    this.groups[this.groupOf[node][destination]].push(this.firstPort[node] + port - 1);
  }

  protected flowPlans(): FlowPlan[] {
    const ofPair = new Map<string, number>();
    return this.flowLines.map((line) => {
      const pair = `${line.source} ${line.destination}`;
      const before = ofPair.get(pair) ?? 0;
      ofPair.set(pair, before + 1);
      return this.flowPlan(line, FIRST_SOURCE_PORT + before);
    });
  }

  protected responses(trafficClass: number): { readonly ackHeaderBytes: number; readonly ackClass: number } {
    return { ackHeaderBytes: ACK_HEADER_BYTES, ackClass: trafficClass };
  }

  protected flowPlan(line: FlowLine, udpSourcePort: number): FlowPlan {
    const { source, destination, trafficClass, port, sizeBytes, startNs } = line;
    const telemetryBytes = TELEMETRY_BYTES[this.word('CC_MODE')];
    const { ackHeaderBytes, ackClass } = this.responses(trafficClass);
    const sourcePort = this.hostPort(source, destination, udpSourcePort, port);
    const path = this.path(source, destination);
    const hasWindow = this.word('HAS_WIN') === '1';
    const base = this.word('GLOBAL_T') === '1' ? this.longest() : path;
    const windowMode = !hasWindow ? 'none' : this.word('VAR_WIN') === '1' ? 'variable' : 'fixed';
    return {
      source,
      destination,
      sourcePort,
      responsePort: this.hostPort(destination, source, port, udpSourcePort),
      sizeBytes,
      startPs: ns(startNs),
      after: -1,
      dataClass: trafficClass,
      ackClass,
      udpSourcePort,
      udpDestinationPort: port,
      parameterSet: this.parameterSet(this.ends[source][sourcePort - this.firstPort[source]].link.rateBps, base),
      windowBytes: hasWindow ? base.bdpBytes : 0,
      windowMode,
      headerBytes: DATA_HEADER_BYTES + telemetryBytes,
      ackBytes: Math.max(MIN_ACK_BYTES, ackHeaderBytes + telemetryBytes),
      idealPs: ns(this.standaloneNs(sizeBytes, path)),
    };
  }

  /** The reference's completion time of a flow that is alone: headers without telemetry, one bottleneck. */
  protected standaloneNs(sizeBytes: number, path: Path): number {
    const packets = Math.trunc((sizeBytes - 1) / this.number('PACKET_PAYLOAD_SIZE')) + 1;
    return path.rttNs + Math.trunc(((sizeBytes + packets * DATA_HEADER_BYTES) * 8e9) / path.rateBps);
  }

  protected hostPort(node: number, to: number, sourcePort: number, destinationPort: number): number {
    const group = this.groups[this.groupOf[node][to]];
    return group[ecmpHash(addressOf(node), addressOf(to), sourcePort, destinationPort, HOST_PORT_SEED) % group.length];
  }

  protected parameterSet(lineRateBps: number, base: Path): number {
    const key = `${lineRateBps} ${base.rttNs} ${base.bdpBytes}`;
    const known = this.parameterSetOf.get(key);
    if (known !== undefined) return known;
    const index = this.parameterSets.push(this.parameters(lineRateBps, base)) - 1;
    this.parameterSetOf.set(key, index);
    return index;
  }

  protected parameters(lineRateBps: number, base: Path): AlgorithmParameters {
    const common = { lineRateBps, minRateBps: this.rate('MIN_RATE'), aiRateBps: this.rate('RATE_AI') };
    const windowed = {
      ...common,
      baseRttPs: ns(base.rttNs),
      windowBytes: base.bdpBytes,
      windowMode: this.word('VAR_WIN') === '1' ? 'variable' : 'fixed',
      targetUtilization: this.number('U_TARGET'),
      maxStage: this.number('MI_THRESH'),
      fastReact: this.word('FAST_REACT') === '1',
    } as const;
    switch (this.word('CC_MODE')) {
      case '0':
        // The rate can't fall.
        return this.dcqcn(lineRateBps, lineRateBps);
      case '1':
        return this.dcqcn(lineRateBps);
      case '3':
        return hpccNs3('run.py', {
          ...windowed,
          multiRate: this.word('MULTI_RATE') === '1',
          sampleFeedback: this.word('SAMPLE_FEEDBACK') === '1',
          intMultiplier: this.number('INT_MULTI'),
        });
      case '7':
        return timelyNs3({ ...common, haiRateBps: this.rate('RATE_HAI') });
      case '8':
        return dctcpNs3({ ...common, alphaGain: this.number('EWMA_GAIN'), aiRateBps: this.rate('DCTCP_RATE_AI') });
      case '10':
        return hpccPintNs3({
          ...windowed,
          pintBase: this.number('PINT_LOG_BASE'),
          pintBits: this.number('PINT_LOG_BASE') === 1.01 ? 11 : 8,
          pintProbability: this.number('PINT_PROB'),
        });
      default:
        throw new Error(`CC_MODE ${this.word('CC_MODE')}`);
    }
  }

  protected dcqcn(lineRateBps: number, minRateBps = this.rate('MIN_RATE')): AlgorithmParameters {
    return dcqcnNs3Custom({
      lineRateBps,
      alphaIntervalUs: this.number('ALPHA_RESUME_INTERVAL'),
      decreaseIntervalUs: this.number('RATE_DECREASE_INTERVAL'),
      increaseTimerUs: this.number('RP_TIMER'),
      g: this.number('EWMA_GAIN'),
      fastRecoveryTimes: this.number('FAST_RECOVERY_TIMES'),
      raiBps: this.rate('RATE_AI'),
      rhaiBps: this.rate('RATE_HAI'),
      minRateBps,
      clampTarget: this.word('CLAMP_TARGET_RATE') === '1',
      rateOnFirstCnp: 1,
    });
  }

  protected rate(key: string): number {
    const match = /^([0-9.]+)Mb\/s$/.exec(this.word(key));
    if (match === null) throw new Error(`${key} ${this.word(key)}`);
    return mbps(Number(match[1]));
  }

  /** Round trip and bottleneck to every node, over the first shortest path found; hosts don't forward. */
  protected pathsFrom(source: number): ReadonlyMap<number, Path> {
    const known = this.paths.get(source);
    if (known !== undefined) return known;
    const found = new Map<number, { delayNs: number; txNs: number; rateBps: number }>([[source, {
      delayNs: 0,
      txNs: 0,
      rateBps: Infinity,
    }]]);
    for (const [node, sum] of found) {
      if (node !== source && !this.isSwitch[node]) continue;
      for (const { link, peer } of this.ends[node]) {
        if (found.has(peer)) continue;
        const txNs = sum.txNs + Math.trunc((this.number('PACKET_PAYLOAD_SIZE') * 8e9) / link.rateBps);
        found.set(peer, { delayNs: sum.delayNs + link.delayNs, txNs, rateBps: Math.min(sum.rateBps, link.rateBps) });
      }
    }
    const paths = new Map([...found].map(([node, { delayNs, txNs, rateBps }]) => {
      const rttNs = 2 * delayNs + txNs;
      return [node, {
        rttNs,
        rateBps,
        bdpBytes: Number((BigInt(rttNs) * BigInt(node === source ? 0 : rateBps)) / 8_000_000_000n),
      }] as const;
    }));
    this.paths.set(source, paths);
    return paths;
  }

  protected path(source: number, destination: number): Path {
    const path = this.pathsFrom(source).get(destination);
    if (path === undefined) throw new Error(`no way from ${source} to ${destination}`);
    return path;
  }

  /** Largest round trip and largest product of rate and round trip of all pairs of hosts. */
  protected longest(): Path {
    let [rttNs, bdpBytes] = [0, 0];
    for (const [source, isSwitch] of this.isSwitch.entries()) {
      if (isSwitch) continue;
      for (const [node, path] of this.pathsFrom(source)) {
        if (this.isSwitch[node]) continue;
        rttNs = Math.max(rttNs, path.rttNs);
        bdpBytes = Math.max(bdpBytes, path.bdpBytes);
      }
    }
    return { rttNs, bdpBytes, rateBps: 0 };
  }
}

/** The result of a golden run. */
export interface GoldenExpectations {
  /** Start to last ACK, by flow. */
  readonly completionPs: readonly number[];
  readonly startPs: readonly number[];
  readonly standalonePs: readonly number[];
  /** The run's row of summary.csv, all numbers. */
  readonly summary: Readonly<Record<string, number>>;
  /** Rows of the queue histogram, and of the log of pause frames received. */
  readonly queues: readonly Row[];
  readonly pauses: readonly Row[];
}

export function goldenExpectations(scenario: string, cc: string): GoldenExpectations {
  const folder = `${GOLDEN_SYSTEM}${scenario}/`;
  const rows = new Map(
    readGolden(folder, `fct_${cc}.csv`).map((row) => [`${row.src} ${row.dst} ${row.sport} ${row.dport}`, row]),
  );
  const flows = goldenPlan(scenario, cc).flows.map((flow) => {
    const row = rows.get([flow.source, flow.destination, flow.udpSourcePort, flow.udpDestinationPort].join(' '));
    if (row === undefined) throw new Error('a flow without a golden completion time');
    return row;
  });
  const summary = readGolden(GOLDEN_SYSTEM, 'summary.csv').find((row) => row.scenario === scenario && row.cc === cc);
  if (summary === undefined) throw new Error(`no summary of ${scenario} ${cc}`);
  const pauseLog = `pfc_${cc}.csv`;
  return {
    completionPs: flows.map((row) => ns(Number(row.fct_ns))),
    startPs: flows.map((row) => ns(Number(row.start_ns))),
    standalonePs: flows.map((row) => ns(Number(row.standalone_ns))),
    summary: Object.fromEntries(Object.entries(summary).map(([key, value]) => [key, Number(value)])),
    queues: readGolden(folder, `qlen_${cc}.csv`),
    pauses: existsSync(folder + pauseLog) ? readGolden(folder, pauseLog) : [],
  };
}

/** Scenario and algorithm of every golden run, in the order of summary.csv. */
export function goldenRuns(): readonly (readonly [scenario: string, cc: string])[] {
  return readGolden(GOLDEN_SYSTEM, 'summary.csv').map((row) => [row.scenario, row.cc] as const);
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function wordsOf(text: string): string[][] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '').map((line) => line.split(/\s+/));
}

export function readConfig(text: string): Config {
  return new Map(wordsOf(text).map(([key, ...rest]) => [key, rest.join(' ')]));
}

function linkOf([a, b, rate, delay, errorRate]: readonly string[]): Link {
  if (!rate.endsWith('Gbps') || !delay.endsWith('ns')) throw new Error(`link ${rate} ${delay}`);
  return {
    a: Number(a),
    b: Number(b),
    rateBps: parseFloat(rate) * 1e9,
    delayNs: parseFloat(delay),
    errorRate: Number(errorRate),
  };
}

export function flowOf([source, destination, trafficClass, port, size, start]: readonly string[]): FlowLine {
  return {
    source: Number(source),
    destination: Number(destination),
    trafficClass: Number(trafficClass),
    port: Number(port),
    sizeBytes: Number(size),
    startNs: secondsToNs(start),
  };
}

/** As the reference converts seconds: a double, then 64 bits after the point, then whole nanoseconds, all truncated. */
export function secondsToNs(text: string): number {
  const seconds = Number(text);
  const whole = Math.floor(seconds);
  const fraction = BigInt(Math.floor((seconds - whole) * 2 ** 64));
  return whole * 1e9 + Number((fraction * 1_000_000_000n) >> 64n);
}

function addressOf(node: number): number {
  return 0x0b000001 + Math.trunc(node / 256) * 65_536 + (node % 256) * 256;
}

/** MurmurHash3 (32 bits, seeded) of 12 bytes: two addresses and two ports, little endian. */
export function ecmpHash(sourceAddress: number, destinationAddress: number, sourcePort: number, destinationPort: number,
  seed: number): number {
  let hash = seed;
  for (const block of [sourceAddress, destinationAddress, destinationPort * 65_536 + sourcePort]) {
    const mixed = Math.imul(rotateLeft(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
    hash = Math.imul(rotateLeft(hash ^ mixed, 13), 5) + 0xe6546b64;
  }
  hash ^= 12;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
