/**
 * Chooses how a group runs a collective: as SimAI would (docs/specs/workloads.md, 4.4), or as configured.
 *
 *   all-to-all                                   direct
 *   all-reduce, auto                             nvls: tensor-parallel, at least 8 GPUs of a server, H20, H100 or H800, `nvls` set
 *   all-reduce, `tree` or `nvls`                 as configured; NVLS only if the group is in one server
 *   all but all-to-all, `nccl`                   the fastest by NCCL's model, with its protocol
 *   all others                                   rings
 *
 * NCCL's tuning model takes the fastest algorithm and protocol by size:
 *
 *   time, us = latency + size / (1000 bandwidth)      size in bytes, bandwidth in GB/s, of the algorithm
 *   ring     latency: base + (steps - inter) max(intra, overhead) + inter net;   bandwidth: bus n / steps
 *   tree     latency: base + 2 ((GPUs per server - 1) intra + floor(log2 servers) net);   bandwidth: bus / 2, corrected by size
 *   NVLS     latency: intra;   bandwidth: bus 5/6;   within one server only
 *
 * Constants are of NCCL 2.20, as in SimAI's MockNccl.h; formulas are from the copy of NCCL's tuning.cc in SimAI's
 * SimCCL folder (docs/specs/workloads.md, 4.4). Assumptions here: the bus is the NVLink within a server, otherwise the
 * smaller of the NVLink and all NICs of a server; one channel per GPU of a server; Intel CPUs; unnamed GPU types count
 * as A100.
 */
import type { CollectiveKind } from '../../collectives/algorithms.js';
import type { SimaiGroup } from '../simai-layers.js';
import { hasRelays, NVLS_CHUNKS, TREE_CHUNKS } from './channels.js';
import { type GroupServers, CHANNELS_MAX, type CompleteNcclSettings } from './nccl-settings.js';

/** A collective to plan. */
export interface PlannedCollective {
  readonly kind: CollectiveKind;
  readonly group: SimaiGroup;
  readonly servers: GroupServers;
  readonly sizeBytes: number;
}

/** Algorithm, and number of rings or pairs of trees. */
export interface NcclPlan {
  readonly algorithm: 'ring' | 'tree' | 'nvls' | 'direct';
  readonly channels: number;
  /** Whether messages between servers are relayed by the GPU on the same rail. */
  readonly pxn: boolean;
  /** Protocol. SimAI has none: its messages are only data, like those of `Simple`. */
  readonly protocol: Protocol;
}

const NVLS_TYPES = ['H20', 'H100', 'H800'];
const NVLS_LEAST_RANKS = 8;

export function planOf(collective: PlannedCollective, settings: CompleteNcclSettings): NcclPlan {
  const { servers } = collective;
  const { algorithm, protocol } = choiceOf(collective, settings);
  if (algorithm === 'direct' || algorithm === 'nvls') return { algorithm, protocol, channels: 1, pxn: false };
  const most = algorithm === 'tree' ? servers.perServer : channelsOf(servers);
  const channels = Math.min(servers.perServer, settings.channels ?? most, CHANNELS_MAX);
  return { algorithm, protocol, channels, pxn: settings.pxn && algorithm === 'ring' && hasRelays(servers) };
}

/** Within one server, all rings visit the members in the same order, so one ring carries all bytes. */
function channelsOf({ servers, perServer }: GroupServers): number {
  return servers === 1 ? 1 : perServer;
}

/** Bytes on the wire for this many bytes of data. */
export function wireBytes({ protocol }: NcclPlan, sizeBytes: number): number {
  return Math.ceil(sizeBytes * WIRE_FACTORS[protocol]);
}

function choiceOf(collective: PlannedCollective,
  settings: CompleteNcclSettings): Pick<NcclPlan, 'algorithm' | 'protocol'> {
  const isTuned = settings.ncclAlgorithm === 'nccl' && collective.kind !== 'all-to-all';
  return isTuned ?
    tunedChoices(collective, settings)[0] :
    { algorithm: algorithmOf(collective, settings), protocol: 'Simple' };
}

function algorithmOf({ kind, group, servers }: PlannedCollective,
  { ncclAlgorithm, nvls, gpuType }: CompleteNcclSettings): NcclPlan['algorithm'] {
  if (kind === 'all-to-all') return 'direct';
  if (kind !== 'all-reduce' || ncclAlgorithm === 'ring') return 'ring';
  if (ncclAlgorithm === 'tree') return 'tree';
  const isWithinServer = servers.servers === 1 && !servers.isUneven;
  if (ncclAlgorithm === 'nvls') return isWithinServer ? 'nvls' : 'ring';
  const isLarge = servers.perServer >= NVLS_LEAST_RANKS;
  return nvls && group === 'tensor' && NVLS_TYPES.includes(gpuType) && isWithinServer && isLarge ? 'nvls' : 'ring';
}

/** Totals over all members. */
export interface PlanCost {
  readonly messages: number;
  readonly bytes: number;
  /** Operations of the graph: ends of messages, and computes for NVLS links. */
  readonly operations: number;
}

/** Number of steps of a ring. */
export function ringSteps(kind: CollectiveKind, n: number): number {
  return (kind === 'all-reduce' ? 2 : 1) * (n - 1);
}

/** @param dataBytes size of the collective. */
export function planCost(plan: NcclPlan, kind: CollectiveKind, { servers, perServer }: GroupServers,
  dataBytes: number): PlanCost {
  const { algorithm, channels, pxn } = plan;
  const n = servers * perServer;
  const sizeBytes = wireBytes(plan, dataBytes);
  const ofMessages = (messages: number, bytes: number): PlanCost => ({ messages, bytes, operations: 2 * messages });
  if (algorithm === 'nvls') return { messages: 0, bytes: 0, operations: NVLS_CHUNKS * 4 * n };
  if (algorithm === 'direct') return ofMessages(n * (n - 1), (n - 1) * Math.floor(sizeBytes / n) * n);
  if (algorithm === 'tree') {
    const trees = Math.min(2 * channels, sizeBytes);
    return ofMessages(trees * TREE_CHUNKS * 2 * (n - 1), 2 * (n - 1) * sizeBytes);
  }
  const perStep = n + (pxn ? servers : 0);
  const steps = ringSteps(kind, n);
  return ofMessages(channels * steps * perStep, (steps * sizeBytes * perStep) / n);
}

/** NCCL's protocols, in the order of the tables below. */
export const PROTOCOLS = ['LL', 'LL128', 'Simple'] as const;
/** Message layout: LL has a flag for each 4 bytes of data, LL128 has 8 bytes of flags in each 128. */
export type Protocol = typeof PROTOCOLS[number];

/** Bytes on the wire per byte of data, by protocol. */
const WIRE_FACTORS: Readonly<Record<Protocol, number>> = { LL: 2, LL128: 128 / 120, Simple: 1 };

type ByProtocol = readonly [number, number, number];
/** Latencies in us: base, per step within a server, per step over the network. */
const TREE = { base: [6.8, 14, 0], intra: [0.6, 1.25, 4], net: [5, 8.5, 14] } as const satisfies Record<
  string,
  ByProtocol
>;
const RING = { base: [6.6, 14, 8.4], intra: [0.6, 1.9, 3.4], net: [2.7, 4, 14] } as const satisfies Record<
  string,
  ByProtocol
>;
const NVLS_LATENCY_US = 23;
/** Overhead of a ring step over servers, us; three times that with Simple. */
const NET_OVERHEAD_US = 1;
/** Latency factor of a ring with Simple over servers, for parts of at least 64 bytes. */
const PLATEAU = 1.4;
const PLATEAU_BYTES = 64;
const NVLS_RATIO = 5 / 6;
const HOPPER = ['H20', 'H100', 'H800'];

/** Maximum GB/s for 1, 2 and more servers: for LL in total, for the others per channel. */
const LL_MOST_AMPERE_OR_LATER = 87.7;
const LL_MOST_INTEL = [39, 39, 20.4] as const;
const MOST_PER_CHANNEL = {
  ampere: { ringLL128: [20, 20, 20], treeLL128: [20, 20, 20], tree: [24, 23.6, 17.8] },
  hopper: { ringLL128: [36.7, 36.7, 36.7], treeLL128: [36.7, 36.7, 29], tree: [38.7, 41.4, 36] },
} as const;

/** Factors of a tree's bandwidth by size, starting at 64 bytes and doubling. */
const TREE_CORRECTION: readonly (readonly number[])[] = [
  [1, 1, 1, 1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1, 1],
  [1, 1, 1, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1],
  [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9],
];
const CORRECTION_BYTES = 64;

/** A collective to tune. */
export interface TunedCollective {
  readonly kind: CollectiveKind;
  readonly servers: GroupServers;
  readonly sizeBytes: number;
}

/** A candidate, and its time according to the model. */
export interface TunedChoice {
  readonly algorithm: 'ring' | 'tree' | 'nvls';
  readonly protocol: Protocol;
  readonly timeUs: number;
}

/** All candidates for a collective, the fastest first; in NCCL's order if times are equal. */
export function tunedChoices(collective: TunedCollective, settings: CompleteNcclSettings): TunedChoice[] {
  const model = modelOf(collective, settings);
  const { kind, servers, sizeBytes } = collective;
  const isReduced = kind === 'all-reduce';
  const hasNvls = isReduced && servers.servers === 1 && !servers.isUneven && HOPPER.includes(settings.gpuType);
  const choices = PROTOCOLS.flatMap((protocol, at): TunedChoice[] => [
    ...(isReduced ? [{ algorithm: 'tree' as const, protocol, timeUs: treeUs(model, at, sizeBytes) }] : []),
    { algorithm: 'ring', protocol, timeUs: ringUs(model, at, collective) },
  ]);
  const nvlsUs = NVLS_LATENCY_US + sizeBytes / (1000 * model.busGBps * NVLS_RATIO);
  if (hasNvls) choices.push({ algorithm: 'nvls', protocol: 'Simple', timeUs: nvlsUs });
  return choices.sort((a, b) => a.timeUs - b.timeUs);
}

interface Model {
  readonly servers: number;
  readonly perServer: number;
  readonly busGBps: number;
  /** Maximum bandwidth of LL, of a ring with LL128, of a tree, and of a tree with LL128. */
  readonly most: Readonly<Record<'ll' | 'ringLL128' | 'tree' | 'treeLL128', number>>;
}

const GBPS_PER_GIGABIT = 1 / 8;

function modelOf({ servers: { servers, perServer } }: TunedCollective,
  { gpuType, nvlinkGbps, nicGbps }: CompleteNcclSettings): Model {
  const size = Math.min(servers, 3) - 1;
  const { ringLL128, treeLL128, tree } = MOST_PER_CHANNEL[HOPPER.includes(gpuType) ? 'hopper' : 'ampere'];
  const busGbps = servers === 1 ? nvlinkGbps : perServer === 1 ? nicGbps : Math.min(nvlinkGbps, perServer * nicGbps);
  return {
    servers,
    perServer,
    busGBps: busGbps * GBPS_PER_GIGABIT,
    most: {
      ll: servers === 1 ? LL_MOST_AMPERE_OR_LATER : LL_MOST_INTEL[size],
      ringLL128: perServer * ringLL128[size],
      tree: perServer * tree[size],
      treeLL128: perServer * treeLL128[size],
    },
  };
}

/** @param at index of the protocol. */
function ringUs({ servers, perServer, busGBps, most }: Model, at: number,
  { kind, sizeBytes }: TunedCollective): number {
  const n = servers * perServer;
  const isReduced = kind === 'all-reduce';
  const steps = (isReduced ? 2 : 1) * (n - 1);
  const overServers = isReduced ? (servers > 1 ? 2 * servers : 0) : servers - 1;
  const overheadUs = servers > 1 ? NET_OVERHEAD_US * (at === 2 ? 3 : 1) : 0;
  const latencyUs = RING.base[at] + (steps - overServers) * Math.max(RING.intra[at], overheadUs) +
    overServers * RING.net[at];
  const ofLL = busGBps * (servers > 1 || isReduced ? 1 / 4 : 1 / 3);
  const bus = [Math.min(most.ll, ofLL), Math.min(busGBps * (perServer < 2 ? 0.7 : 0.92), most.ringLL128), busGBps][at];
  const isPlateau = at === 2 && servers > 1 && isReduced && sizeBytes / (perServer * n) >= PLATEAU_BYTES;
  return latencyUs * (isPlateau ? PLATEAU : 1) + sizeBytes / (1000 * ((bus * n) / steps));
}

function treeUs({ servers, perServer, busGBps, most }: Model, at: number, sizeBytes: number): number {
  const latencyUs = TREE.base[at] +
    2 * ((perServer - 1) * TREE.intra[at] + Math.floor(Math.log2(servers)) * TREE.net[at]);
  const ofTree = Math.min(busGBps * 0.92, most.tree);
  const ofLL128 = Math.min(ofTree * (servers === 1 ? 7 / 9 : 120 / 128), most.treeLL128);
  const bus = [Math.min(ofTree / 3.8, most.ll), ofLL128, ofTree][at];
  const place = Math.max(0, Math.floor(Math.log2(Math.max(1, sizeBytes / CORRECTION_BYTES))));
  const correction = TREE_CORRECTION[at][place] as number | undefined ?? 1;
  return latencyUs + sizeBytes / (1000 * bus * 0.5 * correction);
}
