/** Chakra execution traces: their graphs, their completion times, and the rejection of malformed ones. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { readChakra, SEND, type ChakraFile, type ChakraOptions,
  type WorkloadGraph } from '../../src/workloads/index.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { attribute, message, record, text } from './support/chakra-bytes.js';
import { endNs, runGraph } from './support/run-graph.js';
import { numberOf, rowsOf, sampleBytes, sampleFile, sampleText, type Row } from './support/samples.js';

const ROWS = rowsOf('expectations.csv').filter(({ format }) => format === 'chakra' || format === 'chakra-json');
const MALFORMED = rowsOf('malformed.csv').filter(({ file }) => file?.startsWith('malformed/chakra/'));

/** The files PREFIX.R.et of a prefix. */
function filesOf(prefix: string): ChakraFile[] {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const name = prefix.slice(folder.length);
  return readdirSync(sampleFile(folder))
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => ({ name: file, source: sampleBytes(`${folder}${file}`) }));
}

function graphOf(row: Row): Promise<WorkloadGraph> {
  const { file = '', note = '' } = row;
  const groups = note.includes('comm_group.json') ?
    (JSON.parse(sampleText('chakra/groups-8/comm_group.json')) as Record<string, number[]>) :
    {};
  return readChakra(filesOf(file), { groups, controlDependencies: note.startsWith('with control dependencies') });
}

const readRejection = (files: readonly ChakraFile[], options: ChakraOptions = {}): Promise<RoceError> =>
  asyncRejectionOf(readChakra(files, options));

describe('traces have the expected messages and completion time', () => {
  it.each(ROWS)('$file $note', async (row) => {
    const result = runGraph(await graphOf(row));
    expect(result.ended).toBe('all-flows-done');
    expect(result.jobs?.[0]).toMatchObject({
      ranks: numberOf(row, 'ranks'),
      messages: numberOf(row, 'messages'),
      messageBytes: numberOf(row, 'bytes'),
    });
    expect(endNs(result)).toBeGreaterThanOrEqual(numberOf(row, 'end_ns_low') * 0.999);
    expect(endNs(result)).toBeLessThanOrEqual(numberOf(row, 'end_ns_high') * 1.01);
  });

  it('and the JSON form is the same graph', async () => {
    const [binary, json] = await Promise.all([
      readChakra(filesOf('chakra/pipeline-4/pp')),
      readChakra(filesOf('chakra/pipeline-4-json/pp')),
    ]);
    expect(json.operations).toEqual(binary.operations);
    expect(json.edges).toEqual(binary.edges);
  });
});

describe('malformed traces are rejected with the reason', () => {
  it.each(MALFORMED)('$file: $fault', async ({ file = '', fault = '' }) => {
    const { code, fault: got } = await readRejection(filesOf(file));
    expect([code, fault.split('|').includes(got ?? '')]).toEqual(['invalid-workload', true]);
  });

  it('and with file and node', async () => {
    expect((await readRejection(filesOf('malformed/chakra/unknown-dependency'))).message).toBe(
      'unknown-dependency.0.et, node 0: node 5 is a dependency, but does not exist [UNKNOWN_NODE].',
    );
    expect((await readRejection(filesOf('malformed/chakra/truncated'))).where).toBe('truncated.2.et, record 9');
  });

  it('including unknown versions, unless allowed, and two files of one rank', async () => {
    const files = filesOf('malformed/chakra/unknown-version');
    expect(await readChakra(files, { anyVersion: true }).then(() => 'read', String)).toBe('read');
    expect((await readRejection([...files, ...files])).fault).toBe('DUPLICATE_RANK');
    expect((await readRejection([])).fault).toBe('NO_NODES');
  });

  it('including invalid groups', async () => {
    const files = filesOf('chakra/groups-8/train');
    expect((await readRejection(files, { groups: { 1: [0, 8] } })).fault).toBe('RANK_OUT_OF_RANGE');
    expect((await readRejection(files, { groups: { 1: [0, 0] } })).fault).toBe('BAD_GROUPS');
    const others = { 1: [4, 5, 6, 7], 2: [0, 1, 2, 3], 3: [6, 7], 4: [0, 1], 5: [2, 3], 6: [4, 5] };
    expect((await readRejection(files, { groups: others })).fault).toBe('NOT_A_MEMBER');
  });

  it('and truncated or corrupted ones fail with no other error', async () => {
    const files = filesOf('chakra/odd-encodings-4/odd');
    const first = files[0]?.source as Uint8Array;
    for (let at = 0; at < first.length; at++) {
      const flipped = first.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0xff;
      for (const source of [flipped, first.slice(0, at)]) {
        await readChakra([{ name: 'odd.0.et', source }, ...files.slice(1)]).catch((error: unknown) => {
          if (!(error instanceof RoceError)) throw error;
        });
      }
    }
  });
});

/** Two ranks of four in the group that the metadata node states, with an all-reduce. */
function pytorchFiles(stated: (rank: number) => string): ChakraFile[] {
  return Array.from({ length: 4 }, (_, rank) => ({
    name: `t.${rank}.et`,
    source: Uint8Array.from([
      ...record([1, text('0.0.4')]),
      ...record([1, 1], [3, 1], [8, message([1, text(stated(rank))])]),
      ...record([1, 2], [3, 7], [10, attribute('is_cpu_op', 27, 0)], [10, attribute('comm_type', 9, 0)], [
        10,
        attribute('comm_size', 9, 1000),
      ], [10, attribute('pg_name', 29, text(String(rank % 2)))]),
    ]),
  }));
}

describe('groups in a metadata node', () => {
  const groups = [{ pg_name: '0', ranks: [0, 2] }, { pg_name: '1', ranks: [3, 1] }];

  it('apply to the collectives of the trace, quoted once or twice, in a list or not', async () => {
    for (
      const value of [groups, JSON.stringify(groups), JSON.stringify(JSON.stringify(groups)), [JSON.stringify(groups)]]
    ) {
      const graph = await readChakra(pytorchFiles(() => JSON.stringify(value)));
      const peers = graph.operations.peer.filter((_, at) => graph.operations.kind[at] === SEND);
      expect([...peers]).toEqual([2, 2, 3, 3, 0, 0, 1, 1]);
    }
  });

  it('contain all ranks if they list none', async () => {
    const all = [{ pg_name: '0', ranks: [] }, { pg_name: 1 }];
    const graph = await readChakra(pytorchFiles(() => JSON.stringify(all)));
    expect(graph.operations.kind.filter((kind) => kind === SEND)).toHaveLength(4 * 6);
  });

  it('are rejected if they are invalid, or differ between ranks', async () => {
    const other = (rank: number): string => JSON.stringify(rank === 3 ? [{ pg_name: '0', ranks: [0, 1] }] : groups);
    for (const stated of [(): string => '"pg_name', (): string => '{"pg_name":1}', other]) {
      expect((await readRejection(pytorchFiles(stated))).fault).toBe('BAD_GROUPS');
    }
  });
});
