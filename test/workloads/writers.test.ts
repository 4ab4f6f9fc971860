/** Graphs that are written and read back have the same result. */
import { describe, expect, it } from 'vitest';
import { parseGoal, readChakra, readConnectionMatrix, readGoal, readSimai, writeChakra, writeGoal,
  WorkloadGraph } from '../../src/workloads/index.js';
import { programGraph } from '../../src/workloads/program-graph.js';
import { rejectionOf } from '../support/rejection.js';
import { runGraph } from './support/run-graph.js';
import { sampleBytes, sampleText } from './support/samples.js';

const goalText = (graph: WorkloadGraph): string => [...writeGoal(graph)].join('');
/** The hash of a run of the graph without its notes, which describe the file. */
function hashOf(graph: WorkloadGraph): string {
  const quiet = new WorkloadGraph(Object.assign({}, graph, { notes: [] }));
  return runGraph(quiet).hash;
}

const chakraAgain = (graph: WorkloadGraph): Promise<WorkloadGraph> =>
  readChakra([...writeChakra(graph)].map(({ name, bytes }) => ({ name, source: bytes })));

async function chakra(name: string, ranks: number): Promise<WorkloadGraph> {
  const [folder = '', prefix = ''] = name.split('/');
  return readChakra(Array.from({ length: ranks }, (_, rank) => ({
    name: `${prefix}.${rank}.et`,
    source: sampleBytes(`chakra/${folder}/${prefix}.${rank}.et`),
  })));
}

describe('written GOAL', () => {
  it.each(['ring-all-reduce-8', 'lanes-2', 'wildcard-server-4', 'pipeline-4-calc', 'grammar-2', 'eager-2'])(
    'of %s has the same result as its source',
    (name) => {
      const graph = parseGoal(sampleText(`goal/${name}.goal`));
      expect(hashOf(parseGoal(goalText(graph)))).toBe(hashOf(graph));
    },
  );

  it('of Chakra traces and SimAI workloads has their result, except for notes', async () => {
    for (const graph of [await chakra('all-to-all-4/all_to_all', 4), await chakra('pipeline-4/pp', 4)]) {
      expect(hashOf(await readGoal(new TextEncoder().encode(goalText(graph))))).toBe(hashOf(graph));
    }
    const graph = await readSimai(sampleBytes('simai/one-all-reduce.txt'));
    expect(runGraph(parseGoal(goalText(graph))).flows).toEqual(runGraph(graph).flows);
  });

  it('is in the strict form: operations first, each with a label, then one dependency per line', () => {
    const graph = parseGoal(
      'num_ranks 2\nrank 0 {\na: calc 5\n  b: send 9b to 1 tag 3 nic 1\nb requires a\nb irequires a\n}\n' +
        'rank 1 {\nrecv 9b from -1 tag -1 cpu 2\n}\n',
    );
    expect(goalText(graph)).toBe(
      'num_ranks 2\nrank 0 {\no0: calc 5\no1: send 9b to 1 tag 3 nic 1\no1 requires o0\no1 irequires o0\n}\n' +
        'rank 1 {\no0: recv 9b from -1 tag -1 cpu 2\n}\n',
    );
  });

  it('is rejected if the format cannot express it', async () => {
    const across = await readConnectionMatrix(sampleBytes('htsim/barrier-8.cm'));
    expect(rejectionOf(() => goalText(across)).fault).toBe('GOAL_SYNTAX');
    const short = programGraph([{ kind: 'compute', name: '', after: undefined, durationPs: 1500, ranks: undefined }], 2,
      'p');
    expect(rejectionOf(() => goalText(short)).fault).toBe('BAD_SIZE');
    expect([...writeGoal(short, { rounded: true })].join('')).toContain('calc 2');
  });
});

describe('written Chakra traces', () => {
  it('have the same result as their source', async () => {
    for (const graph of [await chakra('pipeline-4/pp', 4), await chakra('all-reduce-8/all_reduce', 8)]) {
      expect(hashOf(await chakraAgain(graph))).toBe(hashOf(graph));
    }
  });

  it('have the same graph as GOAL written from them', async () => {
    const graph = programGraph([
      { kind: 'compute', name: 'think', after: undefined, durationPs: 7e6, ranks: undefined },
      { kind: 'message', name: '', after: undefined, from: 0, to: 1, sizeBytes: 300_000 },
    ], 2, 'p');
    expect([hashOf(await chakraAgain(graph)), hashOf(parseGoal(goalText(graph)))]).toEqual([
      hashOf(graph),
      hashOf(graph),
    ]);
  });

  it.each([
    ['starts', 'a: calc 1000\nb: calc 1000\nb irequires a\n'],
    ['many lanes', 'calc 1000 cpu 2\n'],
    ['parts of microseconds', 'calc 1001\n'],
    ['wildcards', 'recv 5b from -1 tag 2\n'],
  ])('are rejected if they cannot express the graph: %s', (_, lines) => {
    const send = lines.startsWith('recv') ? 'send 5b to 0 tag 2\n' : '';
    const graph = parseGoal(`num_ranks 2\nrank 0 {\n${lines}}\nrank 1 {\n${send}}\n`);
    expect(rejectionOf(() => [...writeChakra(graph)]).fault).toBe('CHAKRA_SYNTAX');
  });
});
