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
import { microBatchesOf, type MicroBatches } from './micro-batches.js';
import type { SimaiHeader } from './simai-header.js';
import type { SimaiLayer } from './simai-layers.js';
import type { SimaiStep, StageExchange } from './simai-steps.js';

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
  const turns: Turn[] = [];
  for (let first = 0; first < microBatches; first += stages) {
    const last = Math.min(microBatches, first + stages);
    for (let part = 0; part < parts; part++) {
      for (let microBatch = first; microBatch < last; microBatch++) turns.push({ part, microBatch });
    }
  }
  return turns;
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
