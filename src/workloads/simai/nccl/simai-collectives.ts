/**
 * Collectives of a SimAI workload as messages: each group's by its plan. Groups of one form share the messages; what was run
 * by which algorithm, and what SimAI would have run otherwise, is noted.
 */
import type { CollectiveShape } from '../../collectives/collective-part.js';
import { addDirect } from '../../collectives/exchanges.js';
import { endsByRank } from '../../collectives/message-ends.js';
import { MessageList } from '../../collectives/message-list.js';
import { LeftOut } from '../../left-out.js';
import type { SimaiCollective } from '../simai-layers.js';
import { groupServers, type GroupServers } from './group-servers.js';
import { planOf, wireBytes, type NcclPlan } from './nccl-plan.js';
import type { CompleteNcclSettings } from './nccl-settings.js';
import { addNvls } from './nvls.js';
import { planCost, ringSteps, type PlanCost } from './plan-cost.js';
import { addRingChannels } from './ring-channels.js';
import { addTreeChannels } from './tree-channels.js';

const BPS_PER_GBPS = 1e9;
const PS_PER_NS = 1000;

export class SimaiCollectives {
  readonly #settings: CompleteNcclSettings;
  readonly #shapes = new Map<string, CollectiveShape>();
  /** By how it was run: number of collectives. */
  readonly #run = new Map<string, number>();
  readonly #leftOut = new LeftOut();
  #hasPxn = false;
  #hasNvls = false;

  constructor(settings: CompleteNcclSettings) {
    this.#settings = settings;
  }

  /** What a collective takes, before any is made; it is counted for the notes. @param where its place in the file. */
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

  /** What was run by which algorithm; settings that changed nothing; what SimAI would have run. */
  notes(): string[] {
    const { nvls, pxn, ncclAlgorithm, gpusPerServer } = this.#settings;
    const run = [...this.#run].map(([how, count]) => `${count} ${how}`).join('; ');
    if (run === '') return [];
    return [
      `Collectives run as ${ncclAlgorithm === 'nccl' ? 'NCCL chooses' : 'SimAI makes them'}: ${run}.`,
      ...(gpusPerServer === undefined ?
        [
          'gpusPerServer is not set: each GPU is taken for a server, and a group runs one ring where SimAI runs one ' +
          'for each GPU of a server.',
        ] :
        []),
      ...(nvls && ncclAlgorithm !== 'auto' ? [`nvls has no effect with ncclAlgorithm ${ncclAlgorithm}.`] : []),
      ...(nvls && !this.#hasNvls && ncclAlgorithm === 'auto' ?
        [
          'nvls is set, but SimAI uses NVLS only for tensor-parallel all-reduces of 8 or more H20, H100 or H800 of ' +
          'one server: there is none.',
        ] :
        []),
      ...(pxn && !this.#hasPxn ?
        ['pxn is set, but no ring passes several servers with more than one GPU in each.'] :
        []),
      ...(this.#hasNvls ?
        [`NVLS takes no packets: each GPU's NVLink is taken at ${this.#settings.nvlinkGbps} Gb/s, shared with nothing else.`] :
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
    const protocol = this.#settings.ncclAlgorithm === 'nccl' && kind !== 'all-to-all' ? ` with ${plan.protocol}` : '';
    const how = `${kind} of ${servers * perServer} GPUs ${inWords(plan)}${protocol}`;
    this.#run.set(how, (this.#run.get(how) ?? 0) + 1);
    this.#hasPxn ||= plan.pxn;
    this.#hasNvls ||= plan.algorithm === 'nvls';
    const { ncclAlgorithm } = this.#settings;
    const lacksNvls = kind === 'all-reduce' && ncclAlgorithm === 'nvls' && plan.algorithm === 'ring';
    if (lacksNvls) {
      this.#leftOut.add('all-reduces of several servers run by rings, as NVLS is within one', where, 1,
        'all-reduce of several servers runs by rings, as NVLS is within one');
    }
    if (isUneven) {
      this.#leftOut.add('collectives have groups that are unevenly spread over servers, and run as within one', where,
        1, 'collective has a group that is unevenly spread over servers, and runs as within one');
    }
    if (plan.algorithm !== 'ring' || plan.channels === perServer || isUneven) return;
    const rings = plan.channels === 1 ? 'one ring' : `${plan.channels} rings`;
    const instead = servers === 1 ? `${perServer} that visit the GPUs of a server in the same order` : perServer;
    const than = `${rings} where SimAI runs one per local GPU, ${instead}`;
    this.#leftOut.add(`collectives run ${than}`, where, 1, `collective runs ${than}`);
  }
}

function inWords({ algorithm, channels, pxn }: NcclPlan): string {
  if (algorithm === 'direct') return 'direct';
  if (algorithm === 'nvls') return 'by NVLS';
  if (algorithm === 'tree') return `by ${2 * channels} trees`;
  return `by ${channels === 1 ? '1 ring' : `${channels} rings`}${pxn ? ' with PXN' : ''}`;
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
