/** GOAL files in text and binary form: their graphs, and the rejection of malformed ones. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { measureGraph, parseGoal, readGoal } from '../../src/workloads/index.js';
import { rejectionOf } from '../support/rejection.js';
import { goalOf } from './support/run-graph.js';
import { numberOf, rowsOf, sampleBytes, sampleText, type Row } from './support/samples.js';

const ROWS = rowsOf('expectations.csv').filter((row) => row['format'] === 'goal');
const MALFORMED = rowsOf('malformed.csv').filter(({ file }) => file?.endsWith('.goal'));

const rejectionOfText = (text: string, options = {}): RoceError => rejectionOf(() => parseGoal(text, options));

async function* piecesOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield await Promise.resolve(bytes.slice(at, at + length));
}

describe('a GOAL file has the expected operations, bytes and depth', () => {
  it.each(ROWS)('$file $note', (row: Row) => {
    const { ranks, operations, sends, receives, computes, bytes, depth } = measureGraph(
      parseGoal(sampleText(row['file'] ?? '')),
    );
    expect([ranks, operations, sends, receives, computes, bytes, depth]).toEqual(
      ['ranks', 'ops', 'sends', 'recvs', 'calcs', 'bytes', 'depth'].map((column) => numberOf(row, column)),
    );
  });
});

describe('a malformed GOAL file is rejected with the reason', () => {
  it.each(MALFORMED)('$file: $fault', ({ file = '', fault = '' }: Row) => {
    const { code, fault: got, message, where } = rejectionOfText(sampleText(file), { name: file });
    expect([code, fault.split('|')]).toEqual(['invalid-workload', [got]]);
    expect(where).toContain(file);
    expect(message).toContain(` [${fault}].`);
  });

  it('and with line, rank and label', () => {
    expect(rejectionOfText(sampleText('malformed/goal-unknown-label.goal'), { name: 'x' }).message).toBe(
      'x, line 4: the label zz names no operation of rank 0 [UNKNOWN_LABEL].',
    );
    expect(rejectionOfText(sampleText('malformed/goal-cycle-across-ranks.goal'), { name: 'x' }).message).toBe(
      'x: the graph has a cycle of 4 operations, each of which waits for the next: rank 0, s, send to 1 tag 1, line 3 > ' +
        'rank 0, r, receive from 1 tag 2, line 4 > rank 1, s, send to 0 tag 2, line 8 > rank 1, r, receive from 0 tag 1, ' +
        'line 9 [CYCLE].',
    );
  });

  it('including messages to the same rank, duplicate blocks, and tags and ports out of range', () => {
    expect(rejectionOfText(goalOf('send 1b to 0', 'calc 1')).fault).toBe('SELF_MESSAGE');
    expect(rejectionOfText('num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n').fault).toBe('DUPLICATE_RANK');
    expect(rejectionOfText(goalOf('send 1b to 1 tag -1', 'recv 1b from 0')).fault).toBe('BAD_TAG');
    expect(rejectionOfText(goalOf('send 1b to 1 tag 4294967295', 'recv 1b from 0')).fault).toBe('BAD_TAG');
    expect(rejectionOfText(goalOf('send 1b to 1 nic 256', 'recv 1b from 0')).fault).toBe('BAD_LANE');
    expect(rejectionOfText('num_ranks 99999999\n').fault).toBe('BAD_COUNT');
    expect(rejectionOfText(goalOf('a: calc 1 b: calc 2')).fault).toBe('GOAL_SYNTAX');
    expect(rejectionOfText('/* never closed\nnum_ranks 1').fault).toBe('NO_NUM_RANKS');
    expect(rejectionOfText('num_ranks 1\nrank 0 {\n}\n/* never closed').fault).toBe('GOAL_SYNTAX');
    expect(rejectionOfText(`num_ranks 1\nrank 0 {\n${'a'.repeat(2 ** 20 + 1)}`).fault).toBe('TOO_LARGE');
  });

  it('including operations that wildcard receives cannot match', () => {
    expect(rejectionOfText(goalOf('send 1b to 1 tag 1\nsend 1b to 1 tag 2', 'recv 1b from -1')).fault).toBe(
      'UNMATCHED_RECV',
    );
    expect(rejectionOfText(goalOf('send 1b to 1 tag 1\nsend 1b to 1 tag 2', 'recv 1b from -1 tag -1')).fault).toBe(
      'UNMATCHED_SEND',
    );
    expect(rejectionOfText(goalOf('send 1b to 1', 'recv 1b from 0 tag -1\nrecv 1b from -1 tag -1')).fault).toBe(
      'UNMATCHED_RECV',
    );
    expect(rejectionOfText(goalOf('calc 1', 'recv 1b from 0 tag -1', 'send 1b to 1')).fault).toBe('UNMATCHED_RECV');
  });
});

describe('binary GOAL', () => {
  it.each(['goal/lanes-2', 'goal/ring-all-reduce-8'])('%s is read as the same graph as its text, in chunks of any size',
    async (file) => {
      const text = parseGoal(sampleText(`${file}.goal`));
      for (const length of [1, 7, 65_536]) {
        const binary = await readGoal(piecesOf(sampleBytes(`${file}.bin`), length));
        expect({ ...binary.operations, place: 0 }).toEqual({ ...text.operations, place: 0 });
        expect(binary.edges.waitsFor).toEqual(text.edges.waitsFor);
        expect(binary.edges.endEdges).toEqual(text.edges.endEdges);
        expect(binary.edges.edges.length).toBe(text.edges.edges.length);
      }
    });

  it.each(rowsOf('malformed.csv').filter(({ file }) => file?.endsWith('.bin')))('$file is rejected: $fault',
    async ({ file = '', fault = '' }) => {
      await expect(readGoal(sampleBytes(file), { name: file })).rejects.toMatchObject({ fault });
    });

  it('that is truncated or corrupted fails with no other error', async () => {
    const bytes = sampleBytes('goal/lanes-2.bin');
    for (let at = 8; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0xff;
      for (const damaged of [flipped, bytes.slice(0, at)]) {
        await readGoal(damaged).catch((error: unknown) => {
          if (!(error instanceof RoceError) || error.code !== 'invalid-workload') throw error;
        });
      }
    }
  });
});

describe('GOAL text', () => {
  const text = sampleText('goal/grammar-2.goal');
  const expected = parseGoal(text);

  it('may be read in chunks of any size', async () => {
    for (const length of [1, 2, 3, 7, 64]) {
      const graph = await readGoal(piecesOf(sampleBytes('goal/grammar-2.goal'), length));
      expect(graph.operations).toEqual(expected.operations);
      expect(graph.edges).toEqual(expected.edges);
    }
  });

  it('may be compressed by gzip, and is rejected if the compressed data is truncated', async () => {
    const packed = new Uint8Array(gzipSync(sampleText('goal/ring-all-reduce-8.goal')));
    const graph = await readGoal(packed);
    expect(graph.length).toBe(224);
    await expect(readGoal(packed.slice(0, 200), { name: 'cut' })).rejects.toMatchObject({
      code: 'invalid-workload',
      fault: 'TRUNCATED',
      where: 'cut',
    });
  });

  it('may have its blocks in any order', () => {
    const turned = parseGoal(
      'num_ranks 2\nrank 1 {\nr: recv 9b from 0\nc: calc 5\nc requires r\n}\nrank 0 {\nsend 9b to 1\n}',
    );
    const straight = parseGoal(goalOf('send 9b to 1', 'r: recv 9b from 0\nc: calc 5\nc requires r'));
    expect(turned.operations).toEqual({ ...straight.operations, place: Uint32Array.of(8, 3, 4) });
    expect(turned.edges).toEqual(straight.edges);
    expect([1, 2].map((operation) => turned.nameOf(operation))).toEqual(['r', 'c']);
  });

  it('may have messages of 0 bytes if configured, which have 1 byte', () => {
    const zero = parseGoal(goalOf('send 0b to 1', 'recv 0b from 0'), { zeroLengthMessages: 'one-byte' });
    expect([...zero.operations.amount]).toEqual([1, 1]);
  });

  it('may have a chain of all operations', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `a${index}: calc 1\na${index} requires a${index + 1}`);
    const graph = parseGoal(goalOf(`${lines.join('\n')}\na20000: calc 1`));
    expect(measureGraph(graph).depth).toBe(20_001);
  });
});
