/**
 * Converts the collectives of a SimAI workload to messages, according to each group's plan. Groups of the same shape
 * share their messages. Notes report the algorithms used, and where SimAI's would have differed.
 */
import { BPS_PER_GBPS, PS_PER_NS } from '../../../unit-sizes.js';
import type { CollectiveShape } from '../../collectives/collective-part.js';
import { addDirect } from '../../collectives/algorithms.js';
import { endsByRank, MessageList } from '../../collectives/message-list.js';
import { LeftOut } from '../../left-out.js';
import { workloadNote, type CollectiveRuns, type WorkloadNote } from '../../notes.js';
import type { SimaiCollective } from '../simai-layers.js';
import { groupServers, type GroupServers, type CompleteNcclSettings } from './nccl-settings.js';
import { planOf, wireBytes, type NcclPlan, planCost, ringSteps, type PlanCost } from './nccl-plan.js';
import { addNvls, addRingChannels, addTreeChannels } from './channels.js';

export class SimaiCollectives {
  readonly #settings: CompleteNcclSettings;
  readonly #shapes = new Map<string, CollectiveShape>();
  /** Counts by kind, group and plan. */
  readonly #runs = new Map<string, CollectiveRuns>();
  readonly #leftOut = new LeftOut();
  #hasPxn = false;
  #hasNvls = false;

  constructor(settings: CompleteNcclSettings) {
    this.#settings = settings;
  }

  /**
   * Estimates the cost of a collective before it is created, and counts it for the notes. @param where its place in the
   * file.
   */
  measure(collective: SimaiCollective, members: readonly number[], where: string): PlanCost {
    const servers = this.#serversOf(members);
    const plan = planOf({ ...collective, servers }, this.#settings);
    this.#count(collective, servers, plan, where);
    return planCost(plan, collective.kind, servers, collective.sizeBytes);
  }

  /** @param members ranks in ascending order. */
  shapeOf(collective: SimaiCollective, members: readonly number[]): CollectiveShape {
    const servers = this.#serversOf(members);
    const plan = planOf({ ...collective, servers }, this.#settings);
    const { kind, sizeBytes } = collective;
    const { algorithm, channels, pxn, protocol } = plan;
    const key = [kind, sizeBytes, servers.servers, servers.perServer, algorithm, channels, pxn, protocol].join(' ');
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const list = messagesOf(plan, collective, servers);
    const made = { kind, sizeBytes, list, ends: endsByRank(list, members.length), link: this.#link() };
    this.#shapes.set(key, made);
    return made;
  }

  /** Notes on the algorithms used, on settings without effect, and on what SimAI would have run. */
  notes(): WorkloadNote[] {
    const { nvls, pxn, ncclAlgorithm, gpusPerServer } = this.#settings;
    const runs = [...this.#runs.values()];
    if (runs.length === 0) return [];
    return [
      workloadNote('collectives-run', { ncclAlgorithm, runs }),
      ...(gpusPerServer === undefined ? [workloadNote('gpus-per-server-not-set')] : []),
      ...(nvls && ncclAlgorithm !== 'auto' ? [workloadNote('nvls-not-auto', { ncclAlgorithm })] : []),
      ...(nvls && !this.#hasNvls && ncclAlgorithm === 'auto' ? [workloadNote('nvls-unused')] : []),
      ...(pxn && !this.#hasPxn ? [workloadNote('pxn-unused')] : []),
      ...(this.#hasNvls ?
        [workloadNote('nvls-without-packets', { nvlinkGbps: this.#settings.nvlinkGbps })] :
        []),
      ...this.#leftOut.notes(),
    ];
  }

  #serversOf(members: readonly number[]): GroupServers {
    return groupServers(members, this.#settings.gpusPerServer ?? 1);
  }

  #link(): { readonly rateBps: number; readonly latencyPs: number } {
    const { nvlinkGbps, nvlinkLatencyNs } = this.#settings;
    return { rateBps: nvlinkGbps * BPS_PER_GBPS, latencyPs: Math.round(nvlinkLatencyNs * PS_PER_NS) };
  }

  #count({ kind }: SimaiCollective, { servers, perServer, isUneven }: GroupServers, plan: NcclPlan,
    where: string): void {
    const { algorithm, channels, pxn } = plan;
    const protocol = this.#settings.ncclAlgorithm === 'nccl' && kind !== 'all-to-all' ? plan.protocol : null;
    const run = { kind, gpus: servers * perServer, algorithm, channels, pxn, protocol };
    const key = JSON.stringify(run);
    this.#runs.set(key, { ...run, count: (this.#runs.get(key)?.count ?? 0) + 1 });
    this.#hasPxn ||= plan.pxn;
    this.#hasNvls ||= plan.algorithm === 'nvls';
    const { ncclAlgorithm } = this.#settings;
    const lacksNvls = kind === 'all-reduce' && ncclAlgorithm === 'nvls' && plan.algorithm === 'ring';
    if (lacksNvls) this.#leftOut.add('rings-for-nvls', where, 1);
    if (isUneven) this.#leftOut.add('uneven-groups', where, 1);
    if (algorithm !== 'ring' || channels === perServer || isUneven) return;
    this.#leftOut.add('fewer-rings', where, 1, { channels, perServer, servers });
  }
}

function messagesOf(plan: NcclPlan, collective: SimaiCollective, group: GroupServers): MessageList {
  const { algorithm, channels, pxn } = plan;
  const { kind } = collective;
  const sizeBytes = wireBytes(plan, collective.sizeBytes);
  const list = new MessageList();
  const n = group.servers * group.perServer;
  if (algorithm === 'direct') addDirect(list, n, sizeBytes);
  else if (algorithm === 'nvls') addNvls(list, n, sizeBytes);
  else if (algorithm === 'tree') addTreeChannels(list, group, sizeBytes, channels);
  else addRingChannels(list, { group, sizeBytes, steps: ringSteps(kind, n), channels, pxn });
  return list;
}
