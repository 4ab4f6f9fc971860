/**
 * Splits the rows of a stage into micro-batches, as written by AICB: one micro-batch after another, each starting at a
 * row `embedding_layer`, between rows of the optimizer. If the names differ, the rows are divided into equal parts.
 *
 *   grad_gather ... | embedding_layer ... final_column | embedding_layer ... final_column | cross_entropy1 ... optimizer1
 *   head              micro-batch 0                      micro-batch 1                      tail
 *
 * For virtual stages, a micro-batch is divided evenly into parts, without its embeddings and final rows.
 */
import type { SimaiLayer } from './simai-layers.js';

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
export function microBatchesOf(layers: readonly SimaiLayer[], count: number, partCount: number): MicroBatches {
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
