/**
 * One pass over the layers for each rank, as SimAI runs them (docs/specs/workloads.md, 4.3):
 *
 *   transformer  forward: compute and collective, waited for; backward: input gradient and its collective, waited for,
 *                then weight gradient and its collective, not waited for
 *   data         forward: compute; backward: weight gradient and its collective, not waited for, then the input
 *                gradient, except in the first layer
 *   micro        only the weight gradient collective of each layer, one after another
 *
 * A group of one rank exchanges nothing. Stages of a pipeline: pipeline.ts.
 *
 * Collectives are converted to messages according to each group's plan (nccl/nccl-plan.ts); groups of the same shape
 * share their messages. Notes report the algorithms used, and where SimAI's would have differed.
 */
import { BPS_PER_GBPS, PS_PER_NS } from '../../units.js';
import { addDirect } from '../collectives/algorithms.js';
import { addPart, addPartDependencies, type CollectiveShape, INSTANCES_MAX, joinedCollective,
  type JoinedCollective } from '../collectives/collective-graph.js';
import { endsByRank, MessageList } from '../collectives/message-list.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, MOST_OPERATIONS, NO_LANE, type WorkloadGraph } from '../graph/workload-graph.js';
import { type CollectiveRuns, LeftOut, messagesWords, workloadNote, type WorkloadNote } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';
import { addNvls, addRingChannels, addTreeChannels } from './nccl/channels.js';
import { planOf, wireBytes, type NcclPlan, planCost, ringSteps, type PlanCost } from './nccl/nccl-plan.js';
import { groupServers, type GroupServers, type CompleteNcclSettings } from './nccl/nccl-settings.js';
import { Pipeline, type SimaiStep } from './pipeline.js';
import type { SimaiHeader } from './simai-header.js';
import { groupSize, membersOf, type SimaiCollective, type SimaiGroup, type SimaiLayer,
  type SimaiPhase } from './simai-layers.js';

const GPU_LANE = 0;

export class SimaiGraph {
  readonly #header: SimaiHeader;
  readonly #steps: readonly SimaiStep[];
  readonly #pipeline: Pipeline | undefined;
  readonly #builder: GraphBuilder;
  readonly #name: string;
  readonly #collectives: SimaiCollectives;
  readonly #groups = new Map<SimaiGroup, readonly (readonly number[])[]>();
  /** Collectives by step and first member. */
  readonly #joined = new Map<string, JoinedCollective>();

  constructor(header: SimaiHeader, layers: readonly SimaiLayer[], name: string, settings: CompleteNcclSettings) {
    this.#header = header;
    this.#collectives = new SimaiCollectives(settings);
    this.#pipeline = header.stages > 1 ? new Pipeline(header, layers) : undefined;
    this.#steps = this.#pipeline?.steps ?? stepsOf(header.kind, layers);
    this.#builder = new GraphBuilder(name, 'line');
    this.#name = name;
  }

  build(): WorkloadGraph {
    this.#requireRoom();
    const notes = [...(this.#pipeline?.notes ?? []), ...this.#header.notes, ...this.#collectives.notes()];
    for (const note of notes) this.#builder.note(note);
    for (let rank = 0; rank < this.#header.ranks; rank++) this.#addRank(rank);
    for (const joined of this.#joined.values()) addPartDependencies(this.#builder, joined);
    return this.#builder.finish(this.#header.ranks);
  }

  /** Checks the size of the graph before creating anything. */
  #requireRoom(): void {
    const { ranks } = this.#header;
    let [messages, bytes, instances, operations] = [
      0,
      0,
      0,
      4 * ranks * this.#steps.length + 2 * (this.#pipeline?.messages ?? 0),
    ];
    for (const { phase: { collective }, layer: { line } } of this.#steps) {
      if (collective === undefined || groupSize(this.#header, collective.group) === 1) continue;
      for (const members of this.#groupsOf(collective.group)) {
        const cost = this.#collectives.measure(collective, members, `${this.#name}, line ${line}`);
        instances++;
        messages += cost.messages;
        bytes += cost.bytes;
        operations += cost.operations;
      }
    }
    if (operations > MOST_OPERATIONS || instances > INSTANCES_MAX) {
      rejectWorkload('TOO_LARGE', {
        what: 'the number of operations',
        got: operations,
        allowed: { max: MOST_OPERATIONS },
        where: this.#name,
        hint: `The collectives have ${messagesWords({ messages, bytes })}`,
      });
    }
    this.#builder.note(workloadNote('collective-messages', { messages, bytes }));
  }

  /** The distinct groups of a kind. */
  #groupsOf(group: SimaiGroup): readonly (readonly number[])[] {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const { ranks } = this.#header;
    const isKnown = new Uint8Array(ranks);
    const groups: number[][] = [];
    for (let rank = 0; rank < ranks; rank++) {
      if (isKnown[rank] === 1) continue;
      const members = membersOf(this.#header, group, rank);
      for (const member of members) isKnown[member] = 1;
      groups.push(members);
    }
    this.#groups.set(group, groups);
    return groups;
  }

  #addRank(rank: number): void {
    this.#builder.beginRank(rank);
    let before = -1;
    this.#steps.forEach((one, step) => {
      const { phase, isAwaited, layer } = one;
      const received = this.#pipeline?.receive(this.#builder, rank, one);
      const compute = this.#builder.addRow(COMPUTE, phase.computePs, 0, 0, GPU_LANE, 0, layer.line);
      if (before >= 0) this.#builder.depend(compute, before);
      if (received !== undefined) this.#builder.depend(compute, received);
      const over = this.#addCollective(one, step, rank, compute);
      before = isAwaited ? over : compute;
      const sent = this.#pipeline?.send(this.#builder, rank, one);
      if (sent !== undefined) this.#builder.depend(sent, before);
    });
  }

  /**
   * Adds the collective after a compute. @returns the operation whose end is that of the collective, or the compute if
   * there is none.
   */
  #addCollective({ phase, layer }: SimaiStep, step: number, rank: number, compute: number): number {
    const joined = phase.collective === undefined ? undefined : this.#join(phase.collective, step, rank);
    if (joined === undefined) return compute;
    const [begin, done] = addPart(this.#builder, joined, rank, layer.line);
    this.#builder.depend(begin, compute);
    const over = this.#builder.addRow(COMPUTE, layer.delayPs, 0, 0, NO_LANE, 0, layer.line);
    this.#builder.depend(over, done);
    return over;
  }

  #join(collective: SimaiCollective, step: number, rank: number): JoinedCollective | undefined {
    const members = membersOf(this.#header, collective.group, rank);
    if (members.length === 1) return undefined;
    const key = `${step} ${members[0]}`;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const made = joinedCollective(this.#joined.size, members, this.#collectives.shapeOf(collective, members));
    this.#joined.set(key, made);
    return made;
  }
}

function stepsOf(kind: SimaiHeader['kind'], layers: readonly SimaiLayer[]): SimaiStep[] {
  const silent = (phase: SimaiPhase): SimaiPhase => ({ ...phase, collective: undefined });
  const down = [...layers].reverse();
  if (kind === 'micro') {
    return layers.map((layer) => ({ phase: { ...layer.weightGradient, computePs: 0 }, isAwaited: true, layer }));
  }
  if (kind === 'data') {
    return [
      ...layers.map((layer) => ({ phase: silent(layer.forward), isAwaited: true, layer })),
      ...down.flatMap((layer, index) => [
        { phase: layer.weightGradient, isAwaited: false, layer },
        ...(index === down.length - 1 ? [] : [{ phase: silent(layer.inputGradient), isAwaited: true, layer }]),
      ]),
    ];
  }
  return [
    ...layers.map((layer) => ({ phase: layer.forward, isAwaited: true, layer })),
    ...down.flatMap((layer) => [
      { phase: layer.inputGradient, isAwaited: true, layer },
      { phase: layer.weightGradient, isAwaited: false, layer },
    ]),
  ];
}

class SimaiCollectives {
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
