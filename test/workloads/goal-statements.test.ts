/** Items of GOAL schedules have an effect or are noted, and are never silently ignored. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/index.js';
import { GOAL_BINARY_FORMAT, GOAL_FORMAT } from '../../src/workloads/format-tables.js';
import { parseGoal, readGoal } from '../../src/workloads/index.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { walkFormat, type Outcome, type Statement } from './support/format-walk.js';
import { outcomeOfGraph } from './support/graph-outcome.js';
import { goalOf } from './support/run-graph.js';
import { textsOf } from '../support/note-texts.js';

const read = async (text: string): Promise<Outcome> =>
  outcomeOfGraph(await readGoal(new TextEncoder().encode(text), { name: 'x.goal' }));
const lines = (stated: string, without: string, other = ''): Statement => ({
  stated: () => read(goalOf(stated, other)),
  without: () => read(goalOf(without, other)),
});
const message = (send: string, receive = send): Promise<Outcome> =>
  read(goalOf(`send 8b to 1${send}`, `recv 8b from 0${receive}`));

describe('each item of the text has an effect or is noted:', () => {
  walkFormat(GOAL_FORMAT, {
    'word num_ranks': { stated: () => read('num_ranks 3\nrank 0 {\n}\n'), without: () => read(goalOf('', '')) },
    'word rank': {
      stated: () => read('num_ranks 2\nrank 1 {\ncalc 5\n}\nrank 0 {\n}\n'),
      without: () => read('num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\n}\n'),
    },
    'word send': { stated: () => message(''), without: () => read(goalOf('', '')) },
    'word recv': { stated: () => message(''), without: () => read(goalOf('', '')) },
    'word calc': lines('calc 5', ''),
    'word tag': { stated: () => message(' tag 2'), without: () => message('') },
    'word cpu': lines('calc 5 cpu 1', 'calc 5'),
    'word requires': lines('a: calc 5\nb: calc 5\nb requires a', 'a: calc 5\nb: calc 5'),
    'word irequires': lines('a: calc 5\nb: calc 5\nb irequires a', 'a: calc 5\nb: calc 5'),
    'word nic': {
      stated: async () => withoutPorts(await message(' nic 1')),
      without: async () => withoutPorts(await message('')),
    },
  });

  it('ports in lines of either parser', () => {
    const { notes } = parseGoal(
      goalOf('a: send 8b to 1 nic 3\n  send 8b  to 1 nic 2', 'recv 8b from 0\nrecv 8b from 0'),
    );
    expect(textsOf(notes)).toEqual([
      '2 messages name a port (nic), and leave by that of their path: first at goal, line 3.',
    ]);
  });
});

/** Removes the ports, which the graph keeps only for writers. */
function withoutPorts({ effect, notes }: Outcome): Outcome {
  const { columns, ...rest } = effect as { readonly columns: object };
  return { effect: { ...rest, columns: { ...columns, nic: undefined } }, notes };
}

describe('settings of a job', () => {
  it('that are for files of another format are noted', () => {
    const { notes } = runScenarioSync({
      name: 'x',
      topology: { kind: 'star', hosts: 2 },
      workload: { kind: 'job', format: 'goal', file: 'x', startUnit: 'us', opsPerSecond: 5, pxn: true },
    }, { graphs: { x: parseGoal(goalOf('', 'l1: calc 8000')) } });
    expect(textsOf(notes)).toEqual([
      'startUnit of the job x is without effect: it is for files of cm.',
      'opsPerSecond of the job x is without effect: it is for files of chakra.',
      'pxn of the job x is without effect: it is for files of simai.',
    ]);
  });
});

describe('schedules with only computes', () => {
  it('run without notes on arrivals and algorithms that were not stated', () => {
    const graph = parseGoal(goalOf('', 'l1: calc 8000'));
    const { notes, jobs, flows } = runScenarioSync({
      name: 'x',
      topology: { kind: 'star', hosts: 2 },
      workload: { kind: 'job', format: 'goal', file: 'x' },
    }, { graphs: { x: graph } });
    expect([notes, jobs?.[0]?.endPs, flows.length]).toEqual([[], 8_000_000, 0]);
  });

  it('note algorithms that were stated', () => {
    const { notes } = runScenarioSync({
      name: 'x',
      topology: { kind: 'star', hosts: 2 },
      algorithms: { mine: { preset: 'hpcc-sigcomm19' } },
      workload: { kind: 'job', format: 'goal', file: 'x' },
    }, { graphs: { x: parseGoal(goalOf('', 'l1: calc 8000')) } });
    expect(textsOf(notes)).toContain('Algorithm mine is not used by any flow.');
  });
});

/** Rank 0 computes 5 ns and then sends, rank 1 receives. Tests change fields at offsets from these. */
const [RANK_0, RANK_1] = [46, 146];
const RECORD_0 = RANK_0 + 12;
const RECORD_1 = RECORD_0 + 39;
const RECEIVE = RANK_1 + 12;

function binary(changes: Readonly<Record<number, number>> = {}): Uint8Array {
  const view = new DataView(new ArrayBuffer(RECEIVE + 39));
  const u32 = (at: number, value: number): void => {
    view.setUint32(at, value, true);
  };
  u32(0, 4223);
  u32(8, 2);
  [[14, RANK_0], [22, RANK_1], [30, RANK_1], [38, RECEIVE + 39]].forEach(([at = 0, place = 0]) => {
    u32(at, place - 8);
  });
  u32(RANK_0, 2);
  u32(RANK_0 + 4, 1);
  operation(view, RECORD_0, { type: 3, size: 5 });
  u32(RECORD_0 + 23, 1);
  operation(view, RECORD_1, { waits: 1, type: 1, peer: 1, size: 8 });
  u32(RECORD_1 + 39, 1);
  u32(RANK_1, 1);
  u32(RANK_1 + 4, 1);
  operation(view, RECEIVE, { type: 2, peer: 0, size: 8 });
  for (const [at, value] of Object.entries(changes)) view.setUint8(Number(at), value);
  return new Uint8Array(view.buffer);
}

function operation(view: DataView, at: number,
  { waits = 0, type, peer = 0, size }: { waits?: number; type: number; peer?: number; size: number }): void {
  view.setUint32(at, waits, true);
  view.setUint8(at + 4, type);
  view.setUint32(at + 5, peer, true);
  view.setUint32(at + 9, size, true);
}

const readBinary = async (changes: Readonly<Record<number, number>> = {}): Promise<Outcome> =>
  withoutPorts(outcomeOfGraph(await readGoal(binary(changes), { name: 'x.bin' })));
const changed = (changes: Readonly<Record<number, number>>, calls?: string): Statement => ({
  stated: () => readBinary(changes),
  without: () => readBinary(),
  ...(calls === undefined ? {} : { calls }),
});

describe('each item of the binary form has an effect or is noted:', () => {
  walkFormat(GOAL_BINARY_FORMAT, {
    'header magic': changed({ 0: 1 }),
    'header ranks': changed({ 8: 3 }),
    'header blocks': changed({ 14: 39 }),
    'header highest cpu': changed({ 12: 4 }),
    'header highest nic': changed({ 13: 4 }),
    'block operations': changed({ [RANK_1]: 2 }),
    'block free operations': changed({ [RANK_1 + 4]: 0 }),
    'operation dependencies': changed({ [RECORD_1]: 2 }),
    'operation type': changed({ [RECORD_0 + 4]: 4 }),
    'operation peer': changed({ [RECEIVE + 5]: 255, [RECEIVE + 6]: 255, [RECEIVE + 7]: 255, [RECEIVE + 8]: 255 }),
    'operation size': changed({ [RECORD_0 + 9]: 6 }),
    'operation tag': changed({ [RECORD_1 + 17]: 2, [RECEIVE + 17]: 2 }),
    'operation cpu': changed({ [RECORD_0 + 21]: 1 }),
    'operation dependents after its end': changed({ [RECORD_0 + 23]: 0, [RECORD_1]: 0 }),
    'operation dependents after its start': changed({ [RECORD_0 + 23]: 0, [RECORD_0 + 31]: 1 }),
    'operation nic': changed({ [RECORD_1 + 22]: 2 }),
  });

  it('and redundant items must be equal', async () => {
    const rejection = await asyncRejectionOf(readGoal(binary({ [RECORD_1]: 2 }), { name: 'x.bin' }));
    expect([rejection.fault, rejection.message.includes('dependencies of operation 1')]).toEqual(['BAD_COUNT', true]);
  });
});
