/** Chakra execution traces: what is read, when it ends, and what is refused. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { readChakra, type ChakraFile, type ChakraOptions, type WorkloadGraph } from '../../src/workloads/index.js';
import { endNs, runGraph } from './support/run-graph.js';
import { numberOf, rowsOf, sampleBytes, sampleFile, sampleText, type Row } from './support/samples.js';

const ROWS = rowsOf('expectations.csv').filter(({ format }) => format === 'chakra' || format === 'chakra-json');
const MALFORMED = rowsOf('malformed.csv').filter(({ file }) => file?.startsWith('malformed/chakra/'));

/** Files of a prefix, as PREFIX.R.et. */
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

async function refusalOf(files: readonly ChakraFile[], options: ChakraOptions = {}): Promise<RoceError> {
  try {
    await readChakra(files, options);
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('traces have the messages and the end that are expected', () => {
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

describe('malformed traces are refused with their complaint', () => {
  it.each(MALFORMED)('$file: $complaint', async ({ file = '', complaint = '' }) => {
    const { code, complaint: got } = await refusalOf(filesOf(file));
    expect([code, complaint.split('|').includes(got ?? '')]).toEqual(['invalid-workload', true]);
  });

  it('naming file and node', async () => {
    expect((await refusalOf(filesOf('malformed/chakra/unknown-dependency'))).message).toBe(
      'Node 5 is waited for, and is not there (unknown-dependency.0.et, node 0; UNKNOWN_NODE).',
    );
    expect((await refusalOf(filesOf('malformed/chakra/truncated'))).where).toBe('truncated.2.et, record 9');
  });

  it('and so are a version that is not known, unless it is asked for, and two files of a rank', async () => {
    const files = filesOf('malformed/chakra/unknown-version');
    expect(await readChakra(files, { anyVersion: true }).then(() => 'read', String)).toBe('read');
    expect((await refusalOf([...files, ...files])).complaint).toBe('DUPLICATE_RANK');
    expect((await refusalOf([])).complaint).toBe('NO_NODES');
  });

  it('and groups that are none', async () => {
    const files = filesOf('chakra/groups-8/train');
    expect((await refusalOf(files, { groups: { 1: [0, 8] } })).complaint).toBe('RANK_OUT_OF_RANGE');
    expect((await refusalOf(files, { groups: { 1: [0, 0] } })).complaint).toBe('BAD_GROUPS');
    const others = { 1: [4, 5, 6, 7], 2: [0, 1, 2, 3], 3: [6, 7], 4: [0, 1], 5: [2, 3], 6: [4, 5] };
    expect((await refusalOf(files, { groups: others })).complaint).toBe('NOT_A_MEMBER');
  });

  it('and what is cut, or flipped at one byte, is read or refused', async () => {
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
