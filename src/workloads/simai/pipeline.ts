/**
 * A pipeline of stages (`pp` in SimAI's workload text; docs/specs/workloads.md, 4.5). Each stage has an equal share of
 * the ranks, and runs all rows, as AICB writes those of one stage. With `vpp` above 1, a stage has that many parts of
 * its layers, virtual stages:
 *
 *   forward    micro-batch m in part p of stage s: receive from part p of stage s - 1, or for stage 0 from part p - 1
 *              of the last stage; compute; send to the next in this order
 *   backward   the reverse, starting at the last part of the last stage
 *
 * A rank runs: head, forward passes, tail; then all of them backward. As many micro-batches as there are stages go
 * through part 0, then part 1, and so on; then the next micro-batches (interleaved as in Megatron-LM). Sends are not
 * waited for.
 */
import type { GraphBuilder } from '../graph/graph-builder.js';
import { NO_LANE, RECEIVE, SEND } from '../graph/workload-graph.js';
import { workloadNote, type WorkloadNote } from '../notes.js';
import type { SimaiHeader } from './simai-header.js';
import type { SimaiLayer, SimaiPhase } from './simai-layers.js';

/** The stages, and the messages between them. */
export class Pipeline {
  readonly steps: readonly SimaiStep[];
  readonly notes: readonly WorkloadNote[];
  /** Number of sends by all ranks. */
  readonly messages: number;
  /** Size of each send. */
  readonly sizeBytes: number;
  readonly #ranks: number;
  readonly #stages: number;
  readonly #parts: number;
  readonly #microBatches: number;

  constructor(header: SimaiHeader, layers: readonly SimaiLayer[]) {
    const rows = microBatchesOf(layers, header.microBatches, header.virtualStages);
    this.#ranks = header.ranks;
    this.#stages = header.stages;
    this.#microBatches = rows.parts.length;
    this.#parts = rows.parts[0].length;
    this.sizeBytes = header.stageBytes;
    this.messages = this.sizeBytes === 0 ?
      0 :
      2 * this.#microBatches * (this.#parts * this.#stages - 1) * (this.#ranks / this.#stages);
    this.steps = stepsOf(rows, this.#stages);
    this.notes = this.#notes(header, rows);
  }

  /** Adds the receive before a step if it begins a part that a stage sends to; returns its operation. */
  receive(builder: GraphBuilder, rank: number, { receives, layer }: SimaiStep): number | undefined {
    const from = receives === undefined ? undefined : this.#before(rank, receives);
    if (receives === undefined || from === undefined || this.sizeBytes === 0) return undefined;
    return builder.addRow(RECEIVE, this.sizeBytes, from.rank, this.#tag(receives), NO_LANE, 0, layer.line);
  }

  /** Adds the send after a step if it ends a part whose output another stage needs; returns its operation. */
  send(builder: GraphBuilder, rank: number, { sends, layer }: SimaiStep): number | undefined {
    const to = sends === undefined ? undefined : this.#after(rank, sends);
    if (sends === undefined || to === undefined || this.sizeBytes === 0) return undefined;
    const tag = this.#tag({ ...sends, part: to.part });
    return builder.addRow(SEND, this.sizeBytes, to.rank, tag, NO_LANE, 0, layer.line);
  }

  #after(rank: number, { direction, part }: StageExchange): Place | undefined {
    return this.#neighbour(rank, part, direction === 'forward' ? 1 : -1);
  }

  #before(rank: number, { direction, part }: StageExchange): Place | undefined {
    return this.#neighbour(rank, part, direction === 'forward' ? -1 : 1);
  }

  /** The counterpart at the next or previous stage; past either end of the pipeline, in the next or previous part. */
  #neighbour(rank: number, part: number, step: 1 | -1): Place | undefined {
    const perStage = this.#ranks / this.#stages;
    const stage = Math.floor(rank / perStage) + step;
    const turn = stage < 0 ? -1 : stage === this.#stages ? 1 : 0;
    const there = part + turn;
    if (there < 0 || there === this.#parts) return undefined;
    return { rank: (rank + step * perStage + this.#ranks) % this.#ranks, part: there };
  }

  /** Tag by the part that receives. */
  #tag({ direction, part, microBatch }: StageExchange): number {
    return ((direction === 'forward' ? 0 : 1) * this.#parts + part) * this.#microBatches + microBatch;
  }

  #notes({ virtualStages, microBatches, stageBytes }: SimaiHeader, { isNamed }: MicroBatches): WorkloadNote[] {
    const [stages, parts] = [this.#stages, this.#parts];
    return [
      workloadNote('pipeline', {
        stages,
        gpus: this.#ranks / stages,
        microBatches: this.#microBatches,
        parts,
        sends: this.messages,
        stageBytes,
      }),
      ...(stageBytes === 0 ? [workloadNote('stages-without-messages')] : []),
      ...(isNamed ? [] : [workloadNote('equal-micro-batches', { microBatches })]),
      ...(parts < virtualStages ? [workloadNote('virtual-stages-limited', { virtualStages, parts })] : []),
    ];
  }
}

interface Place {
  readonly rank: number;
  readonly part: number;
}

function stepsOf({ head, parts, tail }: MicroBatches, stages: number): SimaiStep[] {
  const order = interleaved(parts.length, parts[0].length, stages);
  return [
    ...head.map(forwardStep),
    ...order.flatMap(({ part, microBatch }) =>
      exchanged(parts[microBatch][part].map(forwardStep), { direction: 'forward', part, microBatch })
    ),
    ...tail.map(forwardStep),
    ...backwardSteps(tail),
    ...order.reverse().flatMap(({ part, microBatch }) =>
      exchanged(backwardSteps(parts[microBatch][part]), { direction: 'backward', part, microBatch })
    ),
    ...backwardSteps(head),
  ];
}

type Turn = Omit<StageExchange, 'direction'>;

function interleaved(microBatches: number, parts: number, stages: number): Turn[] {
  const slots: Turn[] = [];
  for (let first = 0; first < microBatches; first += stages) {
    const last = Math.min(microBatches, first + stages);
    for (let part = 0; part < parts; part++) {
      for (let microBatch = first; microBatch < last; microBatch++) slots.push({ part, microBatch });
    }
  }
  return slots;
}

function forwardStep(layer: SimaiLayer): SimaiStep {
  return { phase: layer.forward, isAwaited: true, layer };
}

function backwardSteps(layers: readonly SimaiLayer[]): SimaiStep[] {
  return [...layers].reverse().flatMap((layer) => [
    { phase: layer.inputGradient, isAwaited: true, layer },
    { phase: layer.weightGradient, isAwaited: false, layer },
  ]);
}

/** Adds an exchange to a part: the first step receives, the last one sends. */
function exchanged(steps: readonly SimaiStep[], exchange: StageExchange): SimaiStep[] {
  return steps.map((step, index) => ({
    ...step,
    ...(index === 0 ? { receives: exchange } : {}),
    ...(index === steps.length - 1 ? { sends: exchange } : {}),
  }));
}

/** Rows of a stage, divided. */
export interface MicroBatches {
  readonly head: readonly SimaiLayer[];
  /** The parts of each micro-batch. */
  readonly parts: readonly (readonly (readonly SimaiLayer[])[])[];
  readonly tail: readonly SimaiLayer[];
  /** Whether the micro-batches were found by rows named `embedding_layer`. */
  readonly isNamed: boolean;
}

const FIRST = 'embedding_layer';
const EMBEDDING = 'embedding';
const LAST = 'final';
const TAIL = /^(?:cross_entropy|optimizer)/;

/** @param partCount number of parts wanted; fewer if a micro-batch has fewer rows. */
/**
 * Splits the rows of a stage into micro-batches, as written by AICB: one micro-batch after another, each starting at a
 * row `embedding_layer`, between rows of the optimizer. If the names differ, the rows are divided into equal parts.
 *
 *   grad_gather ... | embedding_layer ... final_column | embedding_layer ... final_column | cross_entropy1 ... optimizer1
 *   head              micro-batch 0                      micro-batch 1                      tail
 *
 * For virtual stages, a micro-batch is divided evenly into parts, without its embeddings and final rows.
 */
function microBatchesOf(layers: readonly SimaiLayer[], count: number, partCount: number): MicroBatches {
  const starts = layers.flatMap(({ name }, index) => (name.startsWith(FIRST) ? [index] : []));
  const isNamed = starts.length === count;
  const { head, batches, tail } = isNamed ? byName(layers, starts) : evenly(layers, count);
  const fewest = Math.min(...batches.map((rows) => middleOf(rows).length));
  const parts = Math.max(1, Math.min(partCount, fewest));
  return { head, parts: batches.map((rows) => cut(rows, parts)), tail, isNamed };
}

interface Rows {
  readonly head: readonly SimaiLayer[];
  readonly batches: readonly (readonly SimaiLayer[])[];
  readonly tail: readonly SimaiLayer[];
}

/** The last micro-batch is as long as the previous one; a single one ends before the optimizer. */
function byName(layers: readonly SimaiLayer[], starts: readonly number[]): Rows {
  const last = starts[starts.length - 1];
  const optimizer = layers.findIndex(({ name }, index) => index > last && TAIL.test(name));
  const until = optimizer < 0 ? layers.length : optimizer;
  const end = starts.length === 1 ? until : Math.min(until, last + last - starts[starts.length - 2]);
  return {
    head: layers.slice(0, starts[0]),
    batches: starts.map((start, index) => layers.slice(start, starts[index + 1] ?? end)),
    tail: layers.slice(end),
  };
}

function evenly(layers: readonly SimaiLayer[], count: number): Rows {
  return { head: [], batches: slices(layers, Math.min(count, layers.length)), tail: [] };
}

function slices(rows: readonly SimaiLayer[], count: number): SimaiLayer[][] {
  const from = (index: number): number => Math.floor((rows.length * index) / count);
  return Array.from({ length: count }, (_, index) => rows.slice(from(index), from(index + 1)));
}

/** Rows without the embeddings at the start and the final rows at the end. */
function middleOf(rows: readonly SimaiLayer[]): readonly SimaiLayer[] {
  const first = rows.findIndex(({ name }) => !name.startsWith(EMBEDDING));
  if (first < 0) return rows;
  const last = rows.findLastIndex(({ name }) => !name.startsWith(LAST));
  return last < first ? rows : rows.slice(first, last + 1);
}

function cut(rows: readonly SimaiLayer[], parts: number): SimaiLayer[][] {
  if (parts === 1) return [[...rows]];
  const middle = middleOf(rows);
  const begin = rows.indexOf(middle[0]);
  const cuts = slices(middle, parts);
  return cuts.map((part, index) => [
    ...(index === 0 ? rows.slice(0, begin) : []),
    ...part,
    ...(index === parts - 1 ? rows.slice(begin + middle.length) : []),
  ]);
}

/** One phase of a layer in the pass. */
export interface SimaiStep {
  readonly phase: SimaiPhase;
  readonly isAwaited: boolean;
  readonly layer: SimaiLayer;
  /** What is received from another pipeline stage before it. */
  readonly receives?: StageExchange;
  /** What is sent to another stage after it. */
  readonly sends?: StageExchange;
}

/**
 * Micro-batches go through one part of each stage's layers, then through the next part of each; backward in reverse.
 */
export interface StageExchange {
  readonly direction: 'forward' | 'backward';
  readonly part: number;
  readonly microBatch: number;
}
