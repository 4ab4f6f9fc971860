/**
 * One pass over the layers, as SimAI runs them (docs/specs/workloads.md, 4.3), for each rank:
 *
 *   transformer  up: compute, collective, waited for; down: input gradient and its collective, waited for, then weight gradient and
 *                its collective, not waited for
 *   data         up: compute; down: weight gradient and its collective, not waited for, then the input gradient, but of the first layer
 *   micro        each layer's weight gradient collective alone, one after the other
 *
 * Groups: tensor = neighbours; data = every n-th; expert = neighbours within a data group; data-expert = those at one place of
 * all expert groups of a data group. A group of one exchanges nothing.
 *
 * How a collective becomes messages: nccl/simai-collectives.ts.
 */
import { addPart, addPartDependencies, INSTANCES_MAX, joinedCollective,
  type JoinedCollective } from '../collectives/collective-part.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, MOST_OPERATIONS, NO_LANE, type WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';
import type { CompleteNcclSettings } from './nccl/nccl-settings.js';
import { SimaiCollectives } from './nccl/simai-collectives.js';
import type { SimaiHeader } from './simai-header.js';
import type { SimaiCollective, SimaiGroup, SimaiLayer, SimaiPhase } from './simai-layers.js';

const GPU_LANE = 0;

/** A phase as it comes in the pass. */
interface Step {
  readonly phase: SimaiPhase;
  readonly isAwaited: boolean;
  readonly layer: SimaiLayer;
}

export class SimaiGraph {
  readonly #header: SimaiHeader;
  readonly #steps: readonly Step[];
  readonly #builder: GraphBuilder;
  readonly #name: string;
  readonly #collectives: SimaiCollectives;
  readonly #groups = new Map<SimaiGroup, readonly (readonly number[])[]>();
  /** By step and first member: its collective. */
  readonly #joined = new Map<string, JoinedCollective>();

  constructor(header: SimaiHeader, layers: readonly SimaiLayer[], name: string, settings: CompleteNcclSettings) {
    this.#header = header;
    this.#collectives = new SimaiCollectives(settings);
    this.#steps = stepsOf(header.kind, layers);
    this.#builder = new GraphBuilder(name, 'line');
    this.#name = name;
  }

  build(): WorkloadGraph {
    this.#requireRoom();
    for (const note of [...this.#header.notes, ...this.#collectives.notes()]) this.#builder.note(note);
    for (let rank = 0; rank < this.#header.ranks; rank++) this.#addRank(rank);
    for (const joined of this.#joined.values()) addPartDependencies(this.#builder, joined);
    return this.#builder.finish(this.#header.ranks);
  }

  /** Before anything is made. */
  #requireRoom(): void {
    const { ranks } = this.#header;
    let [messages, bytes, instances, operations] = [0, 0, 0, 4 * ranks * this.#steps.length];
    for (const { phase: { collective }, layer: { line } } of this.#steps) {
      if (collective === undefined || this.#groupSize(collective.group) === 1) continue;
      for (const members of this.#groupsOf(collective.group)) {
        const cost = this.#collectives.measure(collective, members, `${this.#name}, line ${line}`);
        instances++;
        messages += cost.messages;
        bytes += cost.bytes;
        operations += cost.operations;
      }
    }
    const estimate = `${messages} messages of ${bytes} bytes in all`;
    if (operations > MOST_OPERATIONS || instances > INSTANCES_MAX) {
      rejectWorkload('TOO_LARGE', {
        what: 'the number of operations',
        got: operations,
        allowed: { max: MOST_OPERATIONS },
        where: this.#name,
        hint: `The collectives have ${estimate}`,
      });
    }
    this.#builder.note(`The collectives have ${estimate}.`);
  }

  /** All groups of a kind, each once. */
  #groupsOf(group: SimaiGroup): readonly (readonly number[])[] {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const { ranks } = this.#header;
    const isKnown = new Uint8Array(ranks);
    const groups: number[][] = [];
    for (let rank = 0; rank < ranks; rank++) {
      if (isKnown[rank] === 1) continue;
      const members = this.#membersOf(group, rank);
      for (const member of members) isKnown[member] = 1;
      groups.push(members);
    }
    this.#groups.set(group, groups);
    return groups;
  }

  #addRank(rank: number): void {
    this.#builder.beginRank(rank);
    let before = -1;
    this.#steps.forEach(({ phase, isAwaited, layer }, step) => {
      const compute = this.#builder.addRow(COMPUTE, phase.computePs, 0, 0, GPU_LANE, 0, layer.line);
      if (before >= 0) this.#builder.depend(compute, before);
      before = compute;
      const joined = phase.collective === undefined ? undefined : this.#join(phase.collective, step, rank);
      if (joined === undefined) return;
      const [begin, done] = addPart(this.#builder, joined, rank, layer.line);
      this.#builder.depend(begin, compute);
      const over = this.#builder.addRow(COMPUTE, layer.delayPs, 0, 0, NO_LANE, 0, layer.line);
      this.#builder.depend(over, done);
      if (isAwaited) before = over;
    });
  }

  #join(collective: SimaiCollective, step: number, rank: number): JoinedCollective | undefined {
    const members = this.#membersOf(collective.group, rank);
    if (members.length === 1) return undefined;
    const key = `${step} ${members[0]}`;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const made = joinedCollective(this.#joined.size, members, this.#collectives.shapeOf(collective, members));
    this.#joined.set(key, made);
    return made;
  }

  #groupSize(group: SimaiGroup): number {
    const { ranks, tensor, expert } = this.#header;
    const data = ranks / tensor;
    return { tensor, data, expert, 'data-expert': data / expert }[group];
  }

  /** First member, and how far the members are apart. */
  #membersOf(group: SimaiGroup, rank: number): number[] {
    const { tensor, expert } = this.#header;
    const place = Math.floor(rank / tensor);
    const first = {
      tensor: rank - (rank % tensor),
      data: rank % tensor,
      expert: (rank % tensor) + (place - (place % expert)) * tensor,
      'data-expert': (rank % tensor) + (place % expert) * tensor,
    }[group];
    const apart = { tensor: 1, data: tensor, expert: tensor, 'data-expert': tensor * expert }[group];
    return Array.from({ length: this.#groupSize(group) }, (_, index) => first + index * apart);
  }
}

function stepsOf(kind: SimaiHeader['kind'], layers: readonly SimaiLayer[]): Step[] {
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
