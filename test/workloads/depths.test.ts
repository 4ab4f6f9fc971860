/** Depths of graphs as in expectations.csv: the operations on the longest chain of each sample. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../src/workloads/graph/graph-builder.js';
import { COMPUTE, measureGraph, parseGoal, readChakra, readConnectionMatrix, readSimai,
  type WorkloadGraph } from '../../src/workloads/index.js';
import { numberOf, rowsOf, sampleBytes, sampleFile, sampleText, type Row } from './support/samples.js';

const rowsOfFormat = (...formats: readonly string[]): Row[] =>
  rowsOf('expectations.csv').filter(({ format = '' }) => formats.includes(format));
/** Excludes multishots, whose next connection depends on the order in which others end. */
const NO_DYNAMIC = rowsOfFormat('cm').filter(({ file = '' }) => !file.includes('multishot'));

function chakraOf({ file = '', note = '' }: Row): Promise<WorkloadGraph> {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const files = readdirSync(sampleFile(folder)).filter((name) => name.startsWith(`${file.slice(folder.length)}.`));
  const groups = note.includes('comm_group.json') ?
    (JSON.parse(sampleText('chakra/groups-8/comm_group.json')) as Record<string, number[]>) :
    {};
  return readChakra(files.map((name) => ({ name, source: sampleBytes(folder + name) })), {
    groups,
    controlDependencies: note.startsWith('with control dependencies'),
  });
}

describe('a collective counts as one operation', () => {
  it.each(rowsOfFormat('chakra', 'chakra-json'))('of $file $note', async (row) => {
    expect(measureGraph(await chakraOf(row)).collectiveDepth).toBe(numberOf(row, 'depth'));
  });

  it.each(rowsOfFormat('simai'))('of $file', async (row) => {
    const graph = await readSimai(sampleBytes(row['file'] ?? ''), { ranks: 8 });
    expect(measureGraph(graph).collectiveDepth).toBe(numberOf(row, 'depth'));
  });

  it('that depends on the dependencies of all its members', () => {
    const builder = new GraphBuilder('two ranks');
    const add = (): number => builder.addRow(COMPUTE, 1, 0, 0, 0, 0, 0);
    builder.beginRank(0);
    const [a, b, own0, behind] = [add(), add(), add(), add()];
    builder.beginRank(1);
    const own1 = add();
    builder.depend(b, a);
    builder.depend(own1, own0);
    builder.depend(own0, b);
    builder.depend(behind, own0);
    builder.collective({
      kind: 'barrier',
      name: '',
      members: 2,
      sizeBytes: 1,
      begins: Int32Array.of(-1, -1),
      from: Uint32Array.of(own0, own1),
      lengths: Uint32Array.of(1, 1),
    });
    expect(measureGraph(builder.finish(2))).toMatchObject({ depth: 4, collectiveDepth: 4, messageDepth: 0 });
  });
});

describe('messages on a chain', () => {
  it.each(NO_DYNAMIC)('of $file', async (row) => {
    const graph = await readConnectionMatrix(sampleBytes(row['file'] ?? ''));
    expect(measureGraph(graph).messageDepth).toBe(numberOf(row, 'depth'));
  });

  it('are not counted if depth is not requested', () => {
    const graph = parseGoal('num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n');
    expect(measureGraph(graph)).toMatchObject({ depth: 2, messageDepth: 1, collectiveDepth: 1 });
    expect(measureGraph(graph, false)).toMatchObject({ depth: 0, messageDepth: 0, collectiveDepth: 0 });
  });
});
