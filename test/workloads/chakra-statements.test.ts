/** Items of Chakra traces have an effect, are noted or rejected, and never silently ignored. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runScenarioSync, type SimResult } from '../../src/sim/index.js';
import { CHAKRA_FORMAT } from '../../src/workloads/chakra/format.js';
import { readChakra, type ChakraFile, type ChakraOptions } from '../../src/workloads/index.js';
import { asyncRejectionOf } from '../support/rejection.js';
import { attribute, attributes, message, record, text, traces, type Field,
  type Value } from './support/chakra-bytes.js';
import { walkFormat, type Outcome, type Statement } from './support/format-walk.js';
import { outcomeOfGraph } from './support/graph-outcome.js';
import { sampleBytes, sampleFile } from './support/samples.js';
import { textsOf } from '../support/note-texts.js';

async function resultOf(folder: string, options: ChakraOptions = {}): Promise<SimResult> {
  const names = readdirSync(sampleFile(`chakra/${folder}/`));
  const files = names.map((name) => ({ name, source: sampleBytes(`chakra/${folder}/${name}`) }));
  const graph = await readChakra(files, options);
  return runScenarioSync({
    name: 'x',
    topology: { kind: 'star', hosts: graph.ranks },
    workload: { kind: 'job', name: 'x', format: 'chakra', file: 'x' },
  }, { graphs: { x: graph } });
}

const endOf = (result: SimResult): number | null | undefined => result.jobs?.[0]?.endPs;

describe('collectives of the host', () => {
  it('are noted and not sent, without notes on settings that were not made', async () => {
    const { notes, flows, jobs } = await resultOf('host-collective-4');
    expect([flows.length, jobs?.[0]?.endPs]).toEqual([0, 150_000_000]);
    expect(textsOf(notes)).toEqual([
      'x: 4 collective nodes have is_cpu_op true and are not sent (hostCommunication "sent" sends them): ' +
      'first at w.0.et, node 1.',
    ]);
  });

  it('are sent on request, like those of the GPU', async () => {
    const [sent, control] = [
      await resultOf('host-collective-4', { hostCommunication: 'sent' }),
      await resultOf('sent-collective-4'),
    ];
    expect([endOf(sent), endOf(control)]).toEqual([314_817_760, 314_817_760]);
    expect([textsOf(sent.notes), textsOf(control.notes)]).toEqual([[], []]);
  });
});

describe('control dependencies', () => {
  it('are noted, or applied on request', async () => {
    const without = await resultOf('control-dependencies-4');
    expect(endOf(without)).toBe(164_817_760);
    expect(textsOf(without.notes)).toEqual([
      'x: 4 control dependencies are left out (controlDependencies takes them): first at w.0.et, node 1.',
    ]);
    const taken = await resultOf('control-dependencies-4', { controlDependencies: true });
    expect([endOf(taken), textsOf(taken.notes)]).toEqual([264_817_760, []]);
  });

  it('are noted if their nodes are missing', async () => {
    const files = traces(2, () => [record([1, 1], [3, 4], [4, 77])]);
    const { notes } = await readChakra(files, { controlDependencies: true });
    expect(textsOf(notes)).toEqual([
      '2 control dependencies on nodes that are not there are left out: first at t.0.et, node 1.',
    ]);
  });
});

describe('work without a duration', () => {
  it('takes no time, with a note', async () => {
    const result = await resultOf('operations-2');
    expect(endOf(result)).toBe(106_740_960);
    expect(textsOf(result.notes)[0]).toBe(
      'x: 2 compute nodes have num_ops and no duration, and take no time (opsPerSecond gives them time): ' +
        'first at w.0.et, node 0.',
    );
  });

  it('takes the time at a configured speed: 10 ms for 10^12 operations at 10^14 per second', async () => {
    const result = await resultOf('operations-2', { opsPerSecond: 1e14 });
    expect(endOf(result)).toBe(106_740_960 + 10_000_000_000);
    expect(textsOf(result.notes).join()).not.toContain('num_ops');
  });

  it('of memory takes the time at a configured speed', async () => {
    const files = traces(2, () => [record([1, 1], [3, 2], ...attributes({ tensor_size: 5000 }))]);
    expect(textsOf((await readChakra(files)).notes)).toEqual([
      '2 memory nodes have tensor_size and no duration, and take no time (memoryBytesPerSecond gives them time): ' +
      'first at t.0.et, node 1.',
    ]);
    const { operations, notes } = await readChakra(files, { memoryBytesPerSecond: 1e12 });
    expect([[...operations.amount], notes]).toEqual([[5000, 5000], []]);
  });

  it('is rejected with a speed of 0 or less', async () => {
    for (const options of [{ opsPerSecond: 0 }, { memoryBytesPerSecond: -1 }, { opsPerSecond: NaN }]) {
      expect((await asyncRejectionOf(readChakra(traces(2, () => []), options))).code).toBe('invalid-config');
    }
  });
});

describe('roots of collectives', () => {
  const files = (commType: number, values: (rank: number) => Readonly<Record<string, Value>>): ChakraFile[] =>
    traces(4,
      (rank) => [record([1, 1], [3, 7], ...attributes({ comm_type: commType, comm_size: 800, ...values(rank) }))]);
  const sendsOf = async (commType: number, values: Readonly<Record<string, Value>>): Promise<string> => {
    const { operations: { kind, peer }, firstOperation } = await readChakra(files(commType, () => values));
    return [0, 1, 2, 3].map((rank) =>
      [...peer.slice(firstOperation[rank], firstOperation[rank + 1])]
        .filter((_, at) => kind[(firstOperation[rank] ?? 0) + at] === 1).join('')
    ).join(' ');
  };

  it('are the sources of a broadcast and a scatter, and the destinations of a reduce and a gather', async () => {
    // The binomial tree from 2 sends to 3, then from 2 to 0 and from 3 to 1.
    expect(await sendsOf(5, {})).toBe('12 3  ');
    for (const name of ['root_rank', 'comm_root', 'root', 'comm_src'])
      expect(await sendsOf(5, { [name]: 2 })).toBe('  30 1');
    expect(await sendsOf(4, { root_rank: 1 })).toBe(' 230  ');
    expect(await sendsOf(3, { root_rank: 1 })).toBe('1  1 1');
    expect(await sendsOf(1, { comm_dst: 3 })).toBe('3 3 0 ');
  });

  it('must be members, and the same on all of them', async () => {
    expect((await asyncRejectionOf(readChakra(files(5, () => ({ root_rank: 4 }))))).message).toContain(
      'the root must be',
    );
    const differing = await asyncRejectionOf(readChakra(files(5, (rank) => ({ root_rank: rank }))));
    expect([differing.fault, differing.where]).toEqual(['COLLECTIVE_MISMATCH', 't.1.et, node 1']);
  });
});

describe('attributes', () => {
  const withValue = (field: number, value: number | Uint8Array, name = 'comm_tag'): ChakraFile[] =>
    traces(2, () => [record([1, 1], [3, 4], [10, attribute(name, field, value)])]);

  it('of the wrong type are rejected if they are used', async () => {
    const { message: words } = await asyncRejectionOf(readChakra(withValue(29, text('5'))));
    expect(words).toBe('t.0.et, node 1: comm_tag must be a number (got "5") [CHAKRA_SYNTAX].');
    for (const name of ['is_cpu_op', 'pg_name', 'comm_size', 'num_ops']) {
      expect((await asyncRejectionOf(readChakra(withValue(10, message([1, 1]), name)))).fault).toBe('CHAKRA_SYNTAX');
    }
  });

  it('that are unknown are noted by name, up to sixteen of them', async () => {
    const one = record([1, 1], [3, 4], ...attributes({ temperature: 5, comm_priority: 2 }), [99, 1]);
    expect(textsOf((await readChakra(traces(2, () => [one]))).notes)).toEqual([
      '2 attributes and fields have no effect (comm_priority): first at t.0.et, node 1.',
      '4 unknown attributes and fields have no effect (field 99, temperature): first at t.0.et, node 1.',
    ]);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x${String.fromCharCode(97 + at)}`, 1]));
    const { notes: [note] } = await readChakra(traces(2, () => [record([1, 1], [3, 4], ...attributes(many))]));
    expect(note?.text).toMatch(/^40 unknown attributes and fields have no effect \(xa, xb, .*, xp, others\): first at/);
  });

  it('are noted for JSON traces too', async () => {
    const trace = (rank: number): Uint8Array =>
      text(JSON.stringify({
        author: 'x',
        workload_graph: [{ Id: 1, NodeType: 7, is_cpu_op: 1, comm_type: 0, comm_size: 80, color: rank }],
      }));
    const files = [0, 1].map((rank) => ({ name: `t.${rank}.json`, source: trace(rank) }));
    expect(textsOf((await readChakra(files)).notes)).toEqual([
      '2 collective nodes have is_cpu_op true and are not sent (hostCommunication "sent" sends them): ' +
      'first at t.0.json, node 1.',
      '4 unknown attributes and fields have no effect (author, color): first at t.0.json, metadata.',
    ]);
  });
});

const read = async (files: readonly ChakraFile[], options: ChakraOptions = {}): Promise<Outcome> =>
  outcomeOfGraph(await readChakra(files, options));
type Fields = readonly Field[];

/** A node of a type on two ranks, with and without the stated fields. */
function node(type: number, stated: Fields, rest: Fields = [], options: ChakraOptions = {}): Statement {
  const files = (fields: Fields): ChakraFile[] => traces(2, () => [record([1, 1], [3, type], ...rest, ...fields)]);
  return { stated: () => read(files(stated), options), without: () => read(files([]), options) };
}

function metadata(...fields: Fields): Statement {
  const one = record([1, 1], [3, 4]);
  return {
    stated: () => read(traces(2, () => [one], fields)),
    without: () => read(traces(2, () => [one])),
  };
}

/** A node of a type between two computes of the GPU, the second of which depends on it; or the computes only. */
function nodeType(type: number, fields: Fields, options: ChakraOptions = {}): Statement {
  const other = record([1, 2], [3, 4], [7, 5]);
  return {
    stated: () => read(traces(2, () => [other, record([1, 1], [3, type], ...fields)]), options),
    without: () => read(traces(2, () => [other]), options),
  };
}

const BROADCAST = attributes({ comm_type: 5, comm_size: 800 });
const message01 = (send: Fields, receive: Fields): ChakraFile[] =>
  traces(2, (rank) => [record([1, 1], [3, rank === 0 ? 5 : 6], ...(rank === 0 ? send : receive))]);
const ends = (send: Fields, receive: Fields): Statement => ({
  stated: () => read(message01(send, receive)),
  without: () => read(message01(attributes({ comm_dst: 1, comm_size: 8 }), attributes({ comm_src: 0, comm_size: 8 }))),
});
const describing = (name: string): [string, Statement] => [`attribute ${name}`, node(4, attributes({ [name]: 3 }))];

describe('each item of the format has an effect, is noted or rejected:', () => {
  walkFormat(CHAKRA_FORMAT, {
    'metadata version': metadata([1, text('0.0.9')]),
    'metadata schema': metadata([2, attribute('schema', 29, text('1.0.2-chakra.0.0.9'))]),
    'metadata pid': metadata([1, text('0.0.4')], [2, attribute('pid', 9, 5)]),
    'metadata time': metadata([1, text('0.0.4')], [2, attribute('time', 29, text('now'))]),
    'metadata start_ts': metadata([1, text('0.0.4')], [2, attribute('start_ts', 9, 5)]),
    'metadata finish_ts': metadata([1, text('0.0.4')], [2, attribute('finish_ts', 9, 5)]),
    'node type invalid (0)': {
      ...nodeType(0, []),
      without: () => read(traces(2, () => [record([1, 2], [3, 4], [7, 5]), record([1, 1], [3, 1])])),
      calls: 'invalid',
    },
    'node type metadata (1)': nodeType(1, []),
    'node type memory load (2)': nodeType(2, [[7, 4]]),
    'node type memory store (3)': nodeType(3, [[7, 4]]),
    'node type compute (4)': nodeType(4, [[7, 4]]),
    'node type send (5)': ends(attributes({ comm_dst: 1, comm_size: 9 }), attributes({ comm_src: 0, comm_size: 8 })),
    'node type receive (6)': ends(attributes({ comm_dst: 1, comm_size: 8 }), attributes({ comm_src: 0, comm_size: 9 })),
    'node type collective (7)': nodeType(7, BROADCAST),
    'node type storage (8)': { ...nodeType(8, []), calls: 'got 8' },
    'node type batch (9)': { ...nodeType(9, []), calls: 'got 9' },
    'node type checkpoint (10)': { ...nodeType(10, []), calls: 'got 10' },
    'field id': {
      stated: () => read(traces(2, () => [record([1, 1], [3, 4]), record([1, 1], [3, 4])])),
      without: () => read(traces(2, () => [record([1, 1], [3, 4]), record([1, 2], [3, 4])])),
    },
    'field data_deps': {
      stated: () => read(traces(2, () => [record([1, 1], [3, 4]), record([1, 2], [3, 4], [5, 1])])),
      without: () => read(traces(2, () => [record([1, 1], [3, 4]), record([1, 2], [3, 4])])),
    },
    'field duration_micros': node(4, [[7, 5]]),
    'field inputs': {
      stated: () =>
        read(traces(3, (rank) => [
          record([1, 1], [3, 1], [8, message([1, text('[{"pg_name":"0","ranks":[0,2]}]')])]),
          ...(rank === 1 ? [] : [record([1, 2], [3, 7], ...BROADCAST, ...attributes({ pg_name: '0' }))]),
        ])),
      without: () => read(traces(3, () => [record([1, 1], [3, 1]), record([1, 2], [3, 7], ...BROADCAST)])),
    },
    'field ctrl_deps': {
      stated: () => read(traces(2, () => [record([1, 1], [3, 4]), record([1, 2], [3, 4], [4, 1])])),
      without: () => read(traces(2, () => [record([1, 1], [3, 4]), record([1, 2], [3, 4])])),
      calls: 'control dependencies',
    },
    'field start_time_micros': node(4, [[6, 17]]),
    'field outputs': node(4, [[9, message([1, text('x')])]]),
    'field storage': node(4, [[11, message([1, 2])]]),
    'attribute is_cpu_op': node(4, attributes({ is_cpu_op: true }), [[7, 5]]),
    'attribute comm_type': node(7, attributes({ comm_type: 0 }), BROADCAST),
    'attribute comm_size': node(7, attributes({ comm_size: 900 }), BROADCAST),
    'attribute comm_src': node(7, attributes({ comm_src: 1 }), BROADCAST),
    'attribute comm_dst': node(7, attributes({ comm_dst: 1 }), attributes({ comm_type: 1, comm_size: 800 })),
    'attribute comm_tag': ends(attributes({ comm_dst: 1, comm_size: 8, comm_tag: 2 }),
      attributes({ comm_src: 0, comm_size: 8, comm_tag: 2 })),
    'attribute pg_name': node(7, attributes({ pg_name: '2' }), BROADCAST, { groups: { 1: [0, 1] } }),
    'attribute root_rank': node(7, attributes({ root_rank: 1 }), BROADCAST),
    'attribute comm_root': node(7, attributes({ comm_root: 1 }), BROADCAST),
    'attribute root': node(7, attributes({ root: 1 }), BROADCAST),
    'attribute num_ops': node(4, attributes({ num_ops: 1000 }), [], { opsPerSecond: 1e9 }),
    'attribute tensor_size': node(3, attributes({ tensor_size: 1000 }), [], { memoryBytesPerSecond: 1e9 }),
    'attribute involved_dim': node(7, attributes({ involved_dim: [true, false] }), BROADCAST),
    ...Object.fromEntries(
      ['comm_priority', 'rf_id', 'fw_parent', 'fw_tid', 'seq_id', 'scope', 'tid', 'op_schema', 'stream'].map(
        describing,
      ),
    ),
  });
});
