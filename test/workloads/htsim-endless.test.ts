/** Connections of htsim without an end send until the end of the run, which must be stated. */
import { describe, expect, it } from 'vitest';
import { explainResult, runScenarioSync, type SimResult } from '../../src/sim/index.js';
import { readConnectionMatrix, writeChakra, writeGoal, type WorkloadGraph } from '../../src/workloads/index.js';
import { asyncRejectionOf, rejectionOf } from '../support/rejection.js';
import { starScenario } from './support/run-graph.js';
import { textsOf } from '../support/note-texts.js';

const MATRIX = 'Nodes 3\nConnections 3\n0->2 start 0 size 0\n1->2 start 0\n2->0 start 0 size 4096\n';
const read = (text: string, endless: 'sent' | 'rejected' = 'sent'): Promise<WorkloadGraph> =>
  readConnectionMatrix(new TextEncoder().encode(text), { name: 'x.cm', endless });

async function resultOf(text: string, durationUs: number): Promise<SimResult> {
  return runScenarioSync({ ...starScenario(3), durationUs }, { graphs: { graph: await read(text) } });
}

describe('connections without an end', () => {
  it('send until the run ends, and have a size that exceeds the capacity of their link until then', async () => {
    const { ended, flows, simulatedPs, summary } = await resultOf(MATRIX, 100);
    expect([ended, simulatedPs]).toEqual(['time', 100_000_000]);
    // The sizes are those of 100 Gb/s for 100 us.
    expect(flows.map(({ sizeBytes, endless }) => [sizeBytes, endless])).toEqual([
      [1_250_001, true],
      [1_250_001, true],
      [4096, undefined],
    ]);
    expect(summary).toMatchObject({ flowsDone: 1, flowsUnfinished: 0, flowsEndless: 2 });
    const delivered = flows.slice(0, 2).reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
    expect(delivered).toBeGreaterThan(0.85 * 1_250_000);
  });

  it('do not end at line rate, for any length of the run', async () => {
    for (const durationUs of [1, 50, 2000]) {
      const alone = await resultOf('Nodes 3\nConnections 1\n0->2 start 0 size 0\n', durationUs);
      expect([alone.ended, alone.summary.flowsDone]).toEqual(['time', 0]);
    }
  });

  it('are noted with their number and first line, and do not count as unfinished flows', async () => {
    const result = await resultOf(MATRIX, 100);
    expect(textsOf(result.notes)).toContain(
      'graph: 2 connections have no end (size 0) and send until the run ends: first at x.cm, line 3.',
    );
    expect(result.jobs?.[0]).toMatchObject({ messages: 3, messageBytes: 4096, waiting: [] });
    expect(explainResult(result).map(({ topic }) => topic)).not.toContain('unfinished');
  });

  it('are rejected by line if the run has no end', async () => {
    const { message, fault } = await asyncRejectionOf(read(MATRIX, 'rejected'));
    expect(fault).toBe('BAD_SIZE');
    expect(message).toMatch(
      /^x\.cm, line 3: the size must be .* \(got 0\).*--until 10ms, or durationUs of the scenario/,
    );
    const graph = await read(MATRIX);
    const rejection = rejectionOf(() => runScenarioSync(starScenario(3), { graphs: { graph } }));
    expect(rejection.message).toBe(
      'x.cm: rank 0, operation 0, send to 2 tag 0, line 3 has no end, and the run has none. ' +
        'Give durationUs of the scenario, or --until 10ms.',
    );
  });

  it('never fire triggers, with a note', async () => {
    const text =
      'Nodes 3\nConnections 2\nTriggers 1\n0->1 id 1 start 0 send_done_trigger 1\n1->2 id 2 trigger 1 size 8\n' +
      'trigger id 1 oneshot\n';
    const { notes, summary, jobs } = await resultOf(text, 10);
    expect(textsOf(notes)).toContain(
      'graph: 1 connection without an end names triggers for its end, which it never sets off: first at x.cm, line 4.',
    );
    expect([summary.flowsUnfinished, summary.flowsEndless, jobs?.[0]?.waiting.length]).toEqual([1, 1, 3]);
  });

  it('cannot be expressed in GOAL and Chakra', async () => {
    const graph = await read(MATRIX);
    expect(rejectionOf(() => [...writeGoal(graph)]).fault).toBe('BAD_SIZE');
    expect(rejectionOf(() => [...writeChakra(graph)]).fault).toBe('CHAKRA_SYNTAX');
  });
});
