/**
 * Chooses how a group runs a collective: as SimAI would (docs/specs/workloads.md, 4.4), or as configured.
 *
 *   all-to-all                                   direct
 *   all-reduce, auto                             nvls: tensor-parallel, at least 8 GPUs of a server, H20, H100 or H800, `nvls` set
 *   all-reduce, `tree` or `nvls`                 as configured; NVLS only if the group is in one server
 *   all but all-to-all, `nccl`                   the fastest by NCCL's model (nccl-tuning.ts), with its protocol
 *   all others                                   rings
 */
import type { CollectiveKind } from '../../collectives/algorithms.js';
import type { SimaiGroup } from '../simai-layers.js';
import { hasRelays, NVLS_CHUNKS, TREE_CHUNKS } from './channels.js';
import { type GroupServers, CHANNELS_MAX, type CompleteNcclSettings } from './nccl-settings.js';
import { tunedChoices, WIRE_FACTORS, type Protocol } from './nccl-tuning.js';

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

/* Estimates the messages of a collective before creating any: upper bounds, since empty parts are not sent. */

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
