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
 * Conversion of collectives to messages: nccl/simai-collectives.ts.
 */
import { addPart, addPartDependencies, INSTANCES_MAX, joinedCollective,
  type JoinedCollective } from '../collectives/collective-part.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, MOST_OPERATIONS, NO_LANE, type WorkloadGraph } from '../graph/workload-graph.js';
import { messagesWords, workloadNote } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';
import type { CompleteNcclSettings } from './nccl/nccl-settings.js';
import { SimaiCollectives } from './nccl/simai-collectives.js';
import { Pipeline, type SimaiStep } from './pipeline.js';
import { groupSize, membersOf, type SimaiCollective, type SimaiGroup, type SimaiLayer,
  type SimaiPhase } from './simai-layers.js';
import type { SimaiHeader } from './simai-header.js';

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
