/** Estimates the messages of a collective before creating any: upper bounds, since empty parts are not sent. */
import type { CollectiveKind } from '../../collectives/algorithms.js';
import type { GroupServers } from './group-servers.js';
import { wireBytes, type NcclPlan } from './nccl-plan.js';
import { NVLS_CHUNKS } from './nvls.js';
import { TREE_CHUNKS } from './tree-channels.js';

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
