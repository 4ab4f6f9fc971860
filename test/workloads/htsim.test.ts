/** htsim's connection matrices: their messages, completion times, and the rejection of malformed ones. */
import { describe, expect, it } from 'vitest';
import type { RoceError } from '../../src/errors.js';
import { runScenarioSync } from '../../src/sim/index.js';
import { readConnectionMatrix, readHtsimTopology, type MatrixOptions } from '../../src/workloads/index.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { ackedNs, endNs, runGraph } from './support/run-graph.js';
import { numberOf, rowsOf, sampleBytes, type Row } from './support/samples.js';
import { textsOf } from '../support/note-texts.js';

const ROWS = rowsOf('expectations.csv').filter((row) => row['format'] === 'cm');
const MALFORMED = rowsOf('malformed.csv').filter(({ file = '' }) => /\.(?:cm|topo)$/.test(file));

function readRejection(bytes: Uint8Array, name = 'matrix'): Promise<RoceError> {
  return asyncRejectionOf(
    name.endsWith('.topo') ? readHtsimTopology(bytes, { name }) : readConnectionMatrix(bytes, { name }),
  );
}

async function endOf(text: string, options: MatrixOptions = {}): Promise<number> {
  return endNs(runGraph(await readConnectionMatrix(new TextEncoder().encode(text), options)));
}

describe('a connection matrix has the expected messages and completion time', () => {
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

describe('a malformed connection matrix is rejected with the reason', () => {
  it.each(MALFORMED)('$file: $fault', async ({ file = '', fault = '' }: Row) => {
    const { code, fault: got, where } = await readRejection(sampleBytes(file), file);
    expect([code, got]).toEqual(['invalid-workload', fault]);
    expect(where).toContain(file);
  });

  it('and with the line and the trigger', async () => {
    expect((await readRejection(sampleBytes('malformed/cm-never-starts.cm'))).message).toMatch(
      /the trigger \d+ is activated once, but needs 2: the connection of line \d+ never starts/,
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

  it('starts the flows of a multishot one at a time, one per activation', async () => {
    const text = 'Nodes 4\nConnections 4\nTriggers 1\n0->1 id 1 start 0 size 100000 send_done_trigger 1\n' +
      '2->3 id 2 start 0 size 1000 send_done_trigger 1\n0->2 id 3 trigger 1 size 1000\n1->3 id 4 trigger 1 size 50000\n' +
      'trigger id 1 multishot\n';
    // The short flow ends first, and starts the first flow of the trigger; the long one starts the second.
    const { flows } = runGraph(await readConnectionMatrix(new TextEncoder().encode(text)));
    const startOf = (sizeBytes: number, from: string): number =>
      (flows.find((flow) => flow.sizeBytes === sizeBytes && flow.from === from)?.startPs ?? NaN) / 1000;
    expect(startOf(50_000, 'h1')).toBeGreaterThan(startOf(1000, 'h0'));
    expect(startOf(1000, 'h0')).toBeCloseTo(ackedNs(1000), 6);
  });
});

describe('a topology file', () => {
  it.each(rowsOf('topologies.csv').filter(({ file }) => file?.endsWith('.topo')))('$file', async (row) => {
    const { topology, hosts } = await readHtsimTopology(sampleBytes(row['file'] ?? ''));
    const count = (prefix: string): number => topology.nodes.filter(({ name }) => name.startsWith(prefix)).length;
    expect([hosts, count('h'), count('tor'), count('agg'), count('core'), topology.links.length]).toEqual(
      ['hosts', 'hosts', 'tors', 'aggs', 'cores', 'links'].map((column) => numberOf(row, column)),
    );
  });

  it('has the latencies of its links and switches on every path', async () => {
    const { topology, notes } = await readHtsimTopology(sampleBytes('htsim/fat-tree-16.topo'));
    const flows = ['h1', 'h2', 'h15'].map((to) => ({ from: 'h0', to, sizeBytes: 1000 }));
    const result = runScenarioSync({ name: 'way', topology, workload: { kind: 'flows', flows } });
    expect(result.flows.map(({ path }) => path?.length)).toEqual([2, 4, 6]);
    const delays = new Map(topology.links.map(({ from, to, delayNs }) => [`${from} ${to}`, delayNs]));
    // Links up and down have 500 ns each, the ToR and aggregation switches 300 ns, the core switch 0.
    expect(2 * (delays.get('h0 tor0') ?? 0)).toBe(1300);
    expect(2 * (delays.get('h0 tor0') ?? 0) + 2 * (delays.get('tor0 agg0') ?? 0)).toBe(2600);
    expect(textsOf(notes)).toEqual(["A switch's latency is half in each of its links."]);
  });

  it('omits failed links', async () => {
    const graph = await readConnectionMatrix(sampleBytes('htsim/failures-16.cm'), { failures: 'in-topology' });
    expect([graph.failures.length, textsOf(graph.notes)]).toEqual([2, [
      '1 priority (prio) is not used: first at matrix, line 5.',
    ]]);
    const { topology, notes } = await readHtsimTopology(sampleBytes('htsim/fat-tree-16.topo'), graph);
    expect([topology.links.length, textsOf(notes)[0]]).toEqual([46, '2 links are down for the whole run.']);
    const has = (from: string, to: string): boolean =>
      topology.links.some((link) => link.from === from && link.to === to);
    expect([has('agg1', 'core3'), has('agg4', 'core0'), has('agg1', 'core1'), has('agg4', 'core2')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('accepts failures at leaves and cores, removes one link of a bundle, and rejects unknown links', async () => {
    const fail = async (switchType: string, switchId: number, linkId: number): Promise<string[]> => {
      const failures = [{ switchType, switchId, linkId }];
      const whole = await readHtsimTopology(sampleBytes('htsim/fat-tree-16.topo'));
      const { topology } = await readHtsimTopology(sampleBytes('htsim/fat-tree-16.topo'), { failures });
      const names = topology.links.map(({ from, to }) => `${from} ${to}`);
      return whole.topology.links.map(({ from, to }) => `${from} ${to}`).filter((name) => !names.includes(name));
    };
    expect(await fail('TOR', 3, 1)).toEqual(['tor3 agg3']);
    expect(await fail('CORE', 3, 2)).toEqual(['agg5 core3']);
    for (const wrong of [['TOR', 3, 2], ['AGG', 0, 2], ['AGG', 8, 0], ['CORE', 4, 0], ['CORE', 0, 4]] as const) {
      const [switchType, switchId, linkId] = wrong;
      await expect(fail(switchType, switchId, linkId)).rejects.toThrow('RANK_OUT_OF_RANGE');
    }
  });

  it.each([
    ['Nodes 4\nTiers 4\nPodsize 4\n', 'BAD_TIER'],
    ['Nodes 4\nTiers 2\nPodsize 4\nTier 3\n', 'BAD_TIER'],
    ['Nodes x\n', 'TOPO_SYNTAX'],
    ['Nodes\n', 'TOPO_SYNTAX'],
    ['Radix_Down 2\n', 'UNKNOWN_TOKEN'],
    ['Nodes 4\nTiers 2\n', 'MISSING_KEY'],
  ])('%j is rejected as %s', async (text, fault) => {
    expect((await readRejection(new TextEncoder().encode(text), 'x.topo')).fault).toBe(fault);
  });
});
