/** SimAI's workloads and topologies: their graphs, completion times, and the rejection of malformed ones. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/index.js';
import { COMPUTE, measureGraph, readSimai, readSimaiTopology, type SimaiOptions } from '../../src/workloads/index.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { endNs, runGraph } from './support/run-graph.js';
import { numberOf, rowsOf, sampleBytes, type Row } from './support/samples.js';
import { textsOf } from '../support/note-texts.js';

const ROWS = rowsOf('expectations.csv').filter((row) => row['format'] === 'simai');
const MALFORMED = rowsOf('malformed.csv').filter(({ file }) => file?.startsWith('malformed/simai'));
const HEADER = 'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4\n';
const LAYER = 'l -1 10 ALLREDUCE 8 20 NONE 0 30 NONE 0 5\n';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const faultOf = async (text: string, options: SimaiOptions = {}): Promise<string | undefined> =>
  (await asyncRejectionOf(readSimai(bytesOf(text), options))).fault;

describe('a workload of SimAI has the expected operations, messages and completion time', () => {
  it.each(ROWS)('$file', async (row: Row) => {
    const graph = await readSimai(sampleBytes(row['file'] ?? ''));
    const lanes = graph.operations.lane.filter((lane, at) => graph.operations.kind[at] === COMPUTE && lane === 0);
    const delays = graph.operations.amount.filter((amount, at) =>
      graph.operations.kind[at] === COMPUTE && graph.operations.lane[at] !== 0 && amount > 0
    );
    expect(lanes.length + delays.length).toBe(numberOf(row, 'calcs'));
    const result = runGraph(graph);
    expect(result.jobs?.[0]).toMatchObject({
      ranks: numberOf(row, 'ranks'),
      messages: numberOf(row, 'messages'),
      messageBytes: numberOf(row, 'bytes'),
      waiting: [],
    });
    expect(endNs(result)).toBeGreaterThanOrEqual(numberOf(row, 'end_ns_low') * 0.999);
    expect(endNs(result)).toBeLessThanOrEqual(numberOf(row, 'end_ns_high') * 1.01);
  });

  it('with forward sizes of at least 4,096 bytes, and no messages in a group of one', async () => {
    const two = await readSimai(bytesOf(`${HEADER}1\n${LAYER}`));
    expect(measureGraph(two)).toMatchObject({ ranks: 4, sends: 8, bytes: 8 * 2048 });
    const one = await readSimai(bytesOf(`${HEADER.replace('group: 2', 'group: 1')}1\n${LAYER}`));
    expect(measureGraph(one)).toMatchObject({ sends: 0, computePs: 4 * 60_000 });
  });

  it('for one stage of a pipeline, on request', async () => {
    const text = `${HEADER.replace('pp: 1', 'pp: 2').replace('all_gpus: 4', 'all_gpus: 8')}1\n${LAYER}`;
    const graph = await readSimai(bytesOf(text), { oneStage: true });
    expect([graph.ranks, textsOf(graph.notes).includes('One of 2 stages of the pipeline is run.')]).toEqual([4, true]);
    expect((await readSimai(bytesOf(text))).ranks).toBe(8);
    expect(await faultOf(text.replace(/^\S+/, 'MICRO'))).toBe('UNKNOWN_PARALLELISM');
  });

  it('with weight gradients as the only messages of DATA, and the only work of MICRO', async () => {
    const layers = '2\na -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 4000 5\nb -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 8000 5\n';
    expect(await faultOf(`DATA\n${layers}`)).toBe('MISSING_KEY');
    const data = await readSimai(bytesOf(`DATA\n${layers}`), { ranks: 4 });
    expect(measureGraph(data)).toMatchObject({
      bytes: 6 * 12_000,
      computePs: 4 * (2 * 10 + 2 * 30 + 20 + 2 * 5) * 1000,
    });
    const micro = await readSimai(bytesOf(`MICRO\n${layers}`), { ranks: 4 });
    expect(measureGraph(micro)).toMatchObject({ bytes: 6 * 12_000, computePs: 4 * 2 * 5 * 1000 });
    expect(measureGraph(micro).depth).toBeGreaterThan(measureGraph(data).depth);
  });
});

describe('malformed files of SimAI are rejected with the reason', () => {
  it.each(MALFORMED)('$file: $fault', async ({ file = '', fault = '' }: Row) => {
    const read = file.includes('-topo-') ? readSimaiTopology : readSimai;
    const { code, fault: got, where } = await asyncRejectionOf(read(sampleBytes(file), { name: file }));
    expect([code, got]).toEqual(['invalid-workload', fault]);
    expect(where).toContain(file);
  });

  it.each([
    ['HYBRID_DLRM DLRM_LAST_BOTTOM_LAYER: 3\n1\n', 'UNKNOWN_PARALLELISM'],
    [HEADER.replace('ga: 1', 'ga: 0'), 'BAD_GROUPS'],
    [HEADER.replace('pp: 1', 'pp: 3'), 'BAD_GROUPS'],
    [HEADER.replace('ga: 1', 'ga: 1.5'), 'SIMAI_SYNTAX'],
    [HEADER.replace('ga: 1', 'checkpoints: 2 4 ga:'), 'SIMAI_SYNTAX'],
    [HEADER.replace('ga: 1', 'gas: 1'), 'UNKNOWN_TOKEN'],
    [HEADER.replace('ga: 1', 'ep: 1'), 'DUPLICATE_KEY'],
    [HEADER.replace('all_gpus: 4', 'all_gpus: 4000000000'), 'BAD_GROUPS'],
    [HEADER.replace('all_gpus: 4', 'all_gpus: x'), 'SIMAI_SYNTAX'],
    [`${HEADER}x\n`, 'SIMAI_SYNTAX'],
    [`${HEADER}1\n${LAYER.replace('ALLREDUCE 8', 'ALLREDUCE 8.5')}`, 'BAD_SIZE'],
    [`${HEADER}1\n${LAYER.replace('ALLREDUCE 8', 'ALLREDUCE -8')}`, 'BAD_SIZE'],
    [`${HEADER}1\n${LAYER.replace(' 10 ', ' 10.0001 ')}`, 'SIMAI_SYNTAX'],
    [`${HEADER}1\n${LAYER.replace('ALLREDUCE', 'ALLREDUCE_TP')}`, 'UNKNOWN_COLLECTIVE'],
    [`${HEADER}1\n${LAYER.replace('10', '-10')}`, 'SIMAI_SYNTAX'],
    ['', 'TRUNCATED'],
  ])('%j: %s', async (text, fault) => {
    expect(await faultOf(text)).toBe(fault);
  });

  it('and with the size of an oversized graph, before it is built', async () => {
    const header = HEADER.replace('all_gpus: 4', 'all_gpus: 8192').replace('group: 2', 'group: 8192');
    const { fault, message } = await asyncRejectionOf(readSimai(bytesOf(`${header}1\n${LAYER}`)));
    expect(fault).toBe('TOO_LARGE');
    expect(message).toMatch(/134201344 messages of 67100672 bytes/);
  });
});

describe('a topology of SimAI', () => {
  it('has the expected hosts, switches and links', async () => {
    const [row] = rowsOf('topologies.csv').filter(({ file }) => file?.startsWith('simai'));
    const read = await readSimaiTopology(sampleBytes(row?.['file'] ?? ''));
    expect([read.hosts, read.topology.links.length]).toEqual([
      numberOf(row ?? {}, 'hosts'),
      numberOf(row ?? {}, 'links'),
    ]);
    expect([read.nvSwitches, read.switches, read.gpusPerServer, read.gpuType]).toEqual([
      ['nv16', 'nv17'],
      10,
      8,
      'H100',
    ]);
    expect(read.topology.links[0]).toEqual({ from: 'h0', to: 'nv16', rateGbps: 2880, delayNs: 25 });
    expect(read.topology.routes).toBeUndefined();
  });

  it('routes packets through an NVSwitch if another path is as short', async () => {
    const text =
      '4 2 1 1 4 H100\n2 3\n0 2 400Gbps 0.001ms 0\n1 2 400Gbps 1us 0\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n';
    const { topology } = await readSimaiTopology(bytesOf(text));
    const flows = [{ from: 'h0', to: 'h1', sizeBytes: 1000 }, { from: 'h1', to: 'h0', sizeBytes: 1000 }];
    const result = runScenarioSync({ name: 'nv', topology, workload: { kind: 'flows', flows } });
    expect(result.flows.map(({ path }) => path)).toEqual([['h0:nv2', 'nv2:h1'], ['h1:nv2', 'nv2:h0']]);
  });

  it.each([
    ['4 2 1 1 4 H100\n2 2\n', 'BAD_ID'],
    ['4 2 1 1 4 H100\n2 9\n', 'BAD_ID'],
    ['4 2 2 2 4 H100\n', 'BAD_COUNT'],
    ['4 1 2\n', 'TOPO_SYNTAX'],
    ['4 2 1 1 1 H100\n2 3\n0 2 4Gb 1us 0\n', 'TOPO_SYNTAX'],
    ['4 2 1 1 1 H100\n2 3\n0 2 4Gbps 1 0\n', 'TOPO_SYNTAX'],
    ['4 2 1 1 1 H100\n2 3\n0 0 4Gbps 1us 0\n', 'TOPO_SYNTAX'],
    ['4 2 1 1 1 H100\n2 3\n0 7 4Gbps 1us 0\n', 'RANK_OUT_OF_RANGE'],
    ['4 1 1 1 2 H100\n2 3\n0 2 4Gbps 1us 0\n1 2 4Gbps 1us 0\n', 'BAD_COUNT'],
    ['400000000 1 1 1 2 H100\n', 'TOO_LARGE'],
  ])('%j is rejected as %s', async (text, fault) => {
    expect((await asyncRejectionOf(readSimaiTopology(bytesOf(text)))).fault).toBe(fault);
  });
});
