/** htsim's connection matrices: what is read, when it ends, and what is refused. */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { readConnectionMatrix, type MatrixOptions } from '../../src/workloads/index.js';
import { ackedNs, endNs, runGraph } from './support/run-graph.js';
import { numberOf, rowsOf, sampleBytes, type Row } from './support/samples.js';

const ROWS = rowsOf('expectations.csv').filter((row) => row['format'] === 'cm');
const MALFORMED = rowsOf('malformed.csv').filter(({ file }) => file?.endsWith('.cm'));

async function refusalOf(bytes: Uint8Array, name = 'matrix'): Promise<RoceError> {
  try {
    await readConnectionMatrix(bytes, { name });
  } catch (error) {
    if (error instanceof RoceError) return error;
    throw error;
  }
  throw new Error('not refused');
}

async function endOf(text: string, options: MatrixOptions = {}): Promise<number> {
  return endNs(runGraph(await readConnectionMatrix(new TextEncoder().encode(text), options)));
}

describe('a connection matrix has the messages and the end that are expected', () => {
  it.each(ROWS)('$file', async (row: Row) => {
    const result = runGraph(await readConnectionMatrix(sampleBytes(row['file'] ?? '')));
    expect(result.jobs?.[0]).toMatchObject({
      ranks: numberOf(row, 'ranks'),
      messages: numberOf(row, 'messages'),
      messageBytes: numberOf(row, 'bytes'),
      waiting: [],
    });
    expect(endNs(result)).toBeGreaterThanOrEqual(numberOf(row, 'end_ns_low') * 0.999);
    expect(endNs(result)).toBeLessThanOrEqual(numberOf(row, 'end_ns_high') * 1.01);
  });
});

describe('a malformed connection matrix is refused with its complaint', () => {
  it.each(MALFORMED)('$file: $complaint', async ({ file = '', complaint = '' }: Row) => {
    const { code, complaint: got, where } = await refusalOf(sampleBytes(file), file);
    expect([code, got]).toEqual(['invalid-workload', complaint]);
    expect(where).toContain(file);
  });

  it('naming the line and the trigger', async () => {
    expect((await refusalOf(sampleBytes('malformed/cm-never-starts.cm'))).message).toMatch(
      /^The trigger \d+ is reached once, and needs 2: the connection of line \d+ never starts/,
    );
  });
});

describe('a connection matrix', () => {
  it('has starts in picoseconds or microseconds', async () => {
    const text = 'Nodes 2\nConnections 1\n0->1 start 20 size 1000\n';
    expect(await endOf(text)).toBeCloseTo(ackedNs(1000) + 0.02, 6);
    expect(await endOf(text, { startUnit: 'us' })).toBeCloseTo(ackedNs(1000) + 20_000, 6);
  });

  it('may have blanks, tabs and comments anywhere', async () => {
    const text = '# two\nNodes  2\t\r\n\nConnections 1 # one\n 0->1\tsize 1000   start 0 \r\n';
    expect(await endOf(text)).toBeCloseTo(ackedNs(1000), 6);
  });

  it('starts the flows of a multishot one by one, as its activations come', async () => {
    const text = 'Nodes 4\nConnections 4\nTriggers 1\n0->1 id 1 start 0 size 100000 send_done_trigger 1\n' +
      '2->3 id 2 start 0 size 1000 send_done_trigger 1\n0->2 id 3 trigger 1 size 1000\n1->3 id 4 trigger 1 size 50000\n' +
      'trigger id 1 multishot\n';
    // The short flow is done first, and starts the first that names the trigger; the long one the other.
    const { flows } = runGraph(await readConnectionMatrix(new TextEncoder().encode(text)));
    const startOf = (sizeBytes: number, from: string): number =>
      (flows.find((flow) => flow.sizeBytes === sizeBytes && flow.from === from)?.startPs ?? NaN) / 1000;
    expect(startOf(50_000, 'h1')).toBeGreaterThan(startOf(1000, 'h0'));
    expect(startOf(1000, 'h0')).toBeCloseTo(ackedNs(1000), 6);
  });
});
