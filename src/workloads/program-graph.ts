/**
 * Converts a program that all ranks run step by step to a graph: computes on one lane, collectives, messages. A step
 * waits for the steps that it names, or by default for the previous step in which its rank takes part; so communication
 * overlaps with steps that do not wait for it.
 */
import type { CollectiveAlgorithm, CollectiveKind } from './collectives/algorithms.js';
import { addPart, addPartDependencies, CollectiveShapes, joinedCollective,
  type JoinedCollective } from './collectives/collective-graph.js';
import { GraphBuilder } from './graph/graph-builder.js';
import { COMPUTE, NO_LANE, RECEIVE, SEND, type WorkloadGraph } from './graph/workload-graph.js';

/** Fields of every step. */
interface StepCommon {
  readonly name: string;
  /** Indices of the steps that it waits for; undefined for the previous step. */
  readonly after: readonly number[] | undefined;
}

/** A validated step. */
export type ProgramStep = (StepCommon & {
  readonly kind: 'compute';
  readonly durationPs: number;
  readonly ranks: readonly number[] | undefined;
}) | (StepCommon & {
  readonly kind: 'collective';
  readonly collective: CollectiveKind;
  readonly by: CollectiveAlgorithm;
  /** Size in bytes; of an all-gather, that of the result. */
  readonly sizeBytes: number;
  readonly chunks: number;
  /** Groups that run the collective separately; undefined for all ranks together. */
  readonly groups: readonly (readonly number[])[] | undefined;
})
  | (StepCommon & { readonly kind: 'message'; readonly from: number; readonly to: number; readonly sizeBytes: number });

const COMPUTE_LANE = 0;
const NONE = -1;

export function programGraph(steps: readonly ProgramStep[], ranks: number, name: string): WorkloadGraph {
  return new Program(steps, ranks, name).build();
}

class Program {
  readonly #steps: readonly ProgramStep[];
  readonly #ranks: number;
  readonly #builder: GraphBuilder;
  readonly #shapes = new CollectiveShapes();
  /** For each step: its collectives, and the one that each rank takes part in. */
  readonly #joined = new Map<ProgramStep, { readonly all: readonly JoinedCollective[]; readonly ofRank: Int32Array }>();

  constructor(steps: readonly ProgramStep[], ranks: number, name: string) {
    this.#steps = steps;
    this.#ranks = ranks;
    this.#builder = new GraphBuilder(name, 'step');
    let number = 0;
    for (const step of steps) {
      if (step.kind !== 'collective') continue;
      const groups = step.groups ?? [Array.from({ length: ranks }, (_, rank) => rank)];
      const ofRank = new Int32Array(ranks).fill(NONE);
      const all = groups.map((members, place) => {
        for (const rank of members) ofRank[rank] = place;
        return joinedCollective(number++, members,
          this.#shapes.of(step.collective, members.length, step.sizeBytes, step));
      });
      this.#joined.set(step, { all, ofRank });
    }
  }

  build(): WorkloadGraph {
    for (let rank = 0; rank < this.#ranks; rank++) this.#addRank(rank);
    for (const [{ name }, { all }] of this.#joined) {
      for (const joined of all) addPartDependencies(this.#builder, joined, name);
    }
    return this.#builder.finish(this.#ranks);
  }

  #addRank(rank: number): void {
    this.#builder.beginRank(rank);
    const dones = new Int32Array(this.#steps.length).fill(NONE);
    let before = NONE;
    this.#steps.forEach((step, place) => {
      const added = this.#add(step, rank, place);
      if (added === undefined) return;
      const [begin, done] = added;
      if (step.after === undefined) this.#depend(begin, before);
      else for (const one of step.after) this.#depend(begin, dones[one]);
      this.#nameIt(begin, step.name);
      dones[place] = done;
      before = done;
    });
  }

  #nameIt(operation: number, name: string): void {
    if (name === '') return;
    const bytes = new TextEncoder().encode(name);
    this.#builder.name(operation, bytes, 0, bytes.length);
  }

  /** A step in which the rank takes no part is not waited for. */
  #depend(operation: number, awaited: number): void {
    if (awaited !== NONE) this.#builder.depend(operation, awaited);
  }

  /** Adds a rank's part; returns its first and last operations, or undefined if it has none. */
  #add(step: ProgramStep, rank: number, place: number): readonly [number, number] | undefined {
    if (step.kind === 'compute') {
      if (step.ranks?.includes(rank) === false) return undefined;
      return both(this.#builder.addRow(COMPUTE, step.durationPs, 0, 0, COMPUTE_LANE, 0, place + 1));
    }
    if (step.kind === 'message') {
      const { from, to, sizeBytes } = step;
      if (rank === from) return both(this.#builder.addRow(SEND, sizeBytes, to, place, NO_LANE, 0, place + 1));
      return rank === to ?
        both(this.#builder.addRow(RECEIVE, sizeBytes, from, place, NO_LANE, 0, place + 1)) :
        undefined;
    }
    const joined = this.#joined.get(step);
    const own = joined?.all[joined.ofRank[rank]];
    return own === undefined ? undefined : addPart(this.#builder, own, rank, place + 1);
  }
}

function both(operation: number): readonly [number, number] {
  return [operation, operation];
}
