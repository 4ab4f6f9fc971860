/** Pipelines of SimAI's workloads: the messages between stages, and their times. */
import { describe, expect, it } from 'vitest';
import { measureGraph, readSimai, SEND, type WorkloadGraph } from '../../src/workloads/index.js';
import { deliveredNs, endNs, runGraph } from './support/run-graph.js';
import { textsOf } from '../support/note-texts.js';

/** A pipeline; each layer takes 10 us forward and 20 us + 10 us backward per micro-batch. */
interface Pipe {
  readonly gpus: number;
  readonly stages: number;
  readonly micro: number;
  readonly parts?: number;
  readonly layers?: number;
  readonly bytes?: number;
  readonly tensor?: number;
  readonly around?: boolean;
}

const layer = (name: string): string => `${name} -1 10000 NONE 0 20000 NONE 0 10000 NONE 0 100`;

function textOf(
  { gpus, stages, micro, parts = 1, layers = 1, bytes = 4096, tensor = 1, around = false }: Pipe,
): string {
  const batch = [
    'embedding_layer -1 0 NONE 0 0 NONE 0 0 NONE 0 100',
    ...Array.from({ length: layers }, () => layer('l')),
  ];
  const rows = Array.from({ length: micro }, () => batch).flat();
  const all = around ? [layer('grad_gather'), ...rows, layer('cross_entropy1')] : rows;
  return `HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: ${tensor} ep: 1 pp: ${stages} vpp: ${parts} ga: ${micro} ` +
    `all_gpus: ${gpus} checkpoints: 0 checkpoint_initiates: 0 pp_comm: ${bytes}\n${all.length}\n${all.join('\n')}\n`;
}

const read = (pipe: Pipe, oneStage = false): Promise<WorkloadGraph> =>
  readSimai(new TextEncoder().encode(textOf(pipe)), { oneStage });

/** The number of sends for each `from>to`. */
function sendsOf(graph: WorkloadGraph): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const { kind, peer } = graph.operations;
  for (let rank = 0; rank < graph.ranks; rank++) {
    const [from = 0, to = 0] = graph.firstOperation.slice(rank, rank + 2);
    for (let at = from; at < to; at++) {
      if (kind[at] === SEND) counts[`${rank}>${peer[at]}`] = (counts[`${rank}>${peer[at]}`] ?? 0) + 1;
    }
  }
  return counts;
}

describe('a pipeline', () => {
  it('sends each micro-batch from a GPU to its counterpart in the next stage, and back', async () => {
    expect(sendsOf(await read({ gpus: 6, stages: 3, micro: 4 }))).toEqual({
      '0>2': 4,
      '1>3': 4,
      '2>4': 4,
      '3>5': 4,
      '2>0': 4,
      '3>1': 4,
      '4>2': 4,
      '5>3': 4,
    });
  });

  it('with several parts per stage also sends from the last stage to the first', async () => {
    expect(sendsOf(await read({ gpus: 2, stages: 2, micro: 4, parts: 3, layers: 3 }))).toEqual({
      '0>1': 4 * 3 + 4 * 2,
      '1>0': 4 * 2 + 4 * 3,
    });
  });

  it.each<Pipe>([
    { gpus: 2, stages: 2, micro: 1 },
    { gpus: 4, stages: 4, micro: 4 },
    { gpus: 4, stages: 4, micro: 8, around: true },
    { gpus: 4, stages: 4, micro: 8, parts: 2, layers: 2 },
    { gpus: 4, stages: 4, micro: 4, parts: 4, layers: 8 },
  ])('%j takes the work of one stage, plus that of one part per further stage', async (pipe) => {
    const { stages, micro, parts = 1, layers = 1, bytes = 4096, around = false } = pipe;
    // All micro-batches, plus (stages - 1) / parts of one more, as in the bubble of SimAI's analytical mode.
    const workNs = (micro * layers + (around ? 2 : 0)) * 40_000 + ((stages - 1) / parts) * layers * 40_000;
    const crossingsNs = 2 * (stages - 1) * deliveredNs(bytes);
    const got = endNs(runGraph(await read(pipe)));
    expect(got).toBeGreaterThanOrEqual(workNs + crossingsNs * 0.9);
    // The sends of intermediate parts may delay later ones by a part of a crossing each.
    expect(got).toBeLessThanOrEqual(workNs + crossingsNs * (1 + micro * parts));
  });

  it('with two stages and one micro-batch takes four passes and two crossings, to the picosecond', async () => {
    const result = runGraph(await read({ gpus: 2, stages: 2, micro: 1 }));
    // The row of the embedding computes for 0 ns; the run ends with the backward pass of the first stage.
    expect(endNs(result)).toBeCloseTo(2 * 40_000 + 2 * deliveredNs(4096), 3);
  });

  it('has groups within each stage', async () => {
    const graph = await read({ gpus: 8, stages: 2, micro: 1, tensor: 2 });
    expect(graph.ranks).toBe(8);
    const collective = await readSimai(
      new TextEncoder().encode(textOf({ gpus: 8, stages: 2, micro: 1, tensor: 2, bytes: 0 })
        .replace('20000 NONE 0 10000 NONE 0', '20000 ALLREDUCE 4096 10000 ALLREDUCE 4096')),
    );
    expect(sendsOf(collective)).toEqual({
      // Tensor-parallel neighbours, and data-parallel pairs two apart within a stage of four.
      '0>1': 2,
      '1>0': 2,
      '2>3': 2,
      '3>2': 2,
      '4>5': 2,
      '5>4': 2,
      '6>7': 2,
      '7>6': 2,
      '0>2': 2,
      '2>0': 2,
      '1>3': 2,
      '3>1': 2,
      '4>6': 2,
      '6>4': 2,
      '5>7': 2,
      '7>5': 2,
    });
  });

  it('notes its stages and parts, and what oneStage omits', async () => {
    const { notes } = await read({ gpus: 4, stages: 2, micro: 3, parts: 8, layers: 2 });
    expect(textsOf(notes)).toContain(
      'The pipeline has 2 stages of 2 GPUs, each with all rows of the file; 3 micro-batches pass them in 2 parts, ' +
        '36 sends of 4096 bytes; all forward passes come before the backward ones.',
    );
    expect(textsOf(notes)).toContain('vpp 8 is more than a micro-batch has rows: it has 2 parts.');
    const one = await read({ gpus: 4, stages: 2, micro: 3 }, true);
    expect([one.ranks, measureGraph(one).sends]).toEqual([2, 0]);
    expect(textsOf(one.notes)).toContain('One of 2 stages of the pipeline is run.');
  });
});
