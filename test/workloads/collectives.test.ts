/** Collectives as messages, as graphs, and in the simulator. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from './support/entries.js';
import { messagesOf, type CollectiveAlgorithm,
  type CollectiveKind } from '../../src/workloads/collectives/algorithms.js';
import type { MessageList } from '../../src/workloads/collectives/message-list.js';
import type { CollectiveSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { idleTimeNs } from './support/idle-time.js';
import { ackedNs, deliveredNs, endNs } from './support/run-graph.js';
import { numberOf, rowsOf, type Row } from './support/samples.js';

const NAMES: Readonly<Record<string, CollectiveAlgorithm>> = { 'bidirectional-ring': 'two-rings', tree: 'double-tree' };

function listOf(row: Row): MessageList {
  const kind = (row['collective'] ?? '').replaceAll('_', '-') as CollectiveKind;
  const algorithm = row['algorithm'] ?? '';
  return messagesOf(kind, NAMES[algorithm] ?? (algorithm as CollectiveAlgorithm), {
    n: numberOf(row, 'ranks'),
    sizeBytes: numberOf(row, 'size_bytes'),
    chunks: numberOf(row, 'chunks'),
    perServer: 1,
  });
}

const keyOf = (row: Row): string =>
  ['collective', 'algorithm', 'ranks', 'size_bytes', 'chunks'].map((column) => row[column]).join(', ');

describe('messages of each step, and their dependencies, are those of steps.csv', () => {
  const tables = new Map<string, Row[]>();
  for (const row of rowsOf('steps.csv')) tables.set(keyOf(row), [...(tables.get(keyOf(row)) ?? []), row]);

  it.each([...tables])('%s', (_, rows) => {
    const list = listOf(rows[0] ?? {});
    const made = Array.from({ length: list.length },
      (_, message) =>
        [message, list.step[message], list.from[message], list.to[message], list.bytes[message]].join(' ') + ':' +
        [...list.afterOf(message)].sort((a, b) => a - b).join(' '));
    expect(made).toEqual(
      rows.map((row) =>
        `${['message', 'step', 'from', 'to', 'bytes'].map((column) => row[column]).join(' ')}:${row['after'] ?? ''}`
      ),
    );
  });
});

describe('numbers, bytes, steps and times are those of collectives.csv', () => {
  const rows = rowsOf('collectives.csv');

  it('in each row', () => {
    expect(rows.length).toBeGreaterThan(180);
    for (const row of rows) {
      const list = listOf(row);
      const used = list.bytes.subarray(0, list.length);
      const steps = Math.max(...list.step.subarray(0, list.length)) + 1;
      expect([keyOf(row), list.length, used.reduce((sum, bytes) => sum + bytes, 0), steps]).toEqual([
        keyOf(row),
        ...['messages', 'bytes_sent', 'steps'].map((column) => numberOf(row, column)),
      ]);
    }
  });

  it('and the chain of messages takes the time of the closed form if that is exact', () => {
    const exact = rows.filter(({ agree }) => agree === 'exact');
    expect(exact.length).toBeGreaterThan(120);
    for (const row of exact) {
      expect([keyOf(row), idleTimeNs(listOf(row))]).toEqual([keyOf(row), numberOf(row, 'closed_form_ns')]);
    }
  });
});

function run(hosts: number, spec: Omit<CollectiveSpec, 'kind'>): ReturnType<typeof runScenarioSync> {
  const scenario: ScenarioSpec = {
    name: 'collective',
    topology: { kind: 'star', hosts },
    workload: { kind: 'collective', ...spec },
  };
  return runScenarioSync(scenario);
}

describe('in the simulator', () => {
  it('a broadcast along the chain takes the time of its closed form, to the picosecond', () => {
    const result = run(4, { collective: 'broadcast', by: 'chain', sizeBytes: 100_000 });
    // The ACK of a message's last packet, 106 bytes, leaves before the message continues.
    expect(endNs(result)).toBeCloseTo(2 * (deliveredNs(100_000) + 8.48) + ackedNs(100_000), 6);
  });

  it.each([
    ['all-reduce', 'ring', 14, 131_072],
    ['all-reduce', 'recursive-doubling', 3, 2 ** 20],
    ['all-gather', 'ring', 7, 2 ** 20],
    ['barrier', 'dissemination', 3, 1],
  ] as const)('%s by %s of 8 ranks ends within its bounds', (collective, by, steps, bytes) => {
    const size = collective === 'barrier' ? {} : { sizeBytes: 2 ** 20 };
    const low = steps * deliveredNs(bytes) + 2016.96;
    const high = low + steps * 0.08 * 106 * (Math.ceil(bytes / 1024) + 1);
    const result = run(8, { collective, by, ...size });
    expect(endNs(result)).toBeGreaterThanOrEqual(low * 0.999);
    expect(endNs(result)).toBeLessThanOrEqual(high * 1.01);
  });

  it.each([
    ['all-reduce', 'two-rings'],
    ['all-reduce', 'double-tree'],
    ['all-reduce', 'halving-doubling'],
    ['all-to-all', 'pairwise'],
    ['broadcast', 'binomial'],
    ['reduce', 'binomial'],
    ['gather', 'direct'],
    ['scatter', 'direct'],
  ] as const)('%s by %s completes', (collective, by) => {
    expect(run(4, { collective, by, sizeBytes: 6007 }).ended).toBe('all-flows-done');
  });

  it('messages are omitted if there are fewer bytes than ranks, and the order of the others is kept', () => {
    const result = run(5, { collective: 'all-reduce', sizeBytes: 2 });
    expect([result.ended, result.flows.length]).toEqual(['all-flows-done', 2 * 8]);
  });

  it('each rank computes between repetitions, from its own completion', () => {
    const once = run(4, { collective: 'all-reduce', sizeBytes: 4096, computeUs: 10 });
    const threeTimes = run(4, { collective: 'all-reduce', sizeBytes: 4096, computeUs: 10, repeat: 3 });
    expect(endNs(threeTimes)).toBeCloseTo(3 * endNs(once), 0);
    expect(threeTimes.jobs?.[0]?.rankComputePs).toEqual([30e6, 30e6, 30e6, 30e6]);
  });

  it('messages within servers do not use the network', () => {
    const servers = { ranks: 4, rateGbps: 800, latencyNs: 500 };
    const inOne = run(4, { collective: 'all-reduce', by: 'hierarchical', sizeBytes: 400_000, servers });
    // 2 (g - 1) (latency + S / (g B))
    expect([endNs(inOne), inOne.flows.length]).toEqual([6 * (500 + 1000), 0]);
    const inTwo = run(8, { collective: 'all-reduce', by: 'hierarchical', sizeBytes: 400_000, servers });
    expect(inTwo.flows.length).toBe(2 * 2 * 4);
    expect(endNs(inTwo)).toBeGreaterThan(6 * 1500 + 2 * deliveredNs(50_000));
  });

  it('inconsistent settings are rejected by name', () => {
    expect(() => run(6, { collective: 'all-reduce', by: 'halving-doubling', sizeBytes: 60 })).toThrow(/power of two/);
    expect(() => run(4, { collective: 'all-reduce', by: 'binomial', sizeBytes: 60 })).toThrow(
      /by of all-reduce must be/,
    );
    expect(() => run(4, { collective: 'all-reduce' })).toThrow(
      /^workload\.sizeBytes of all-reduce is missing; it must be a whole number of at least 1 bytes\.$/,
    );
    expect(() => run(4, { collective: 'barrier', sizeBytes: 5 })).toThrow(/izeBytes of barrier must be absent/);
    expect(() => run(4, { collective: 'broadcast', chunks: 4, sizeBytes: 5 })).toThrow(/hunks of binomial must be 1/);
    expect(() => run(4, { collective: 'all-reduce', by: 'hierarchical', sizeBytes: 5 })).toThrow(/needs servers/);
    const servers = { ranks: 3 };
    expect(() => run(4, { collective: 'all-to-all', by: 'hierarchical', sizeBytes: 50, servers })).toThrow(
      /a divisor of 4/,
    );
  });
});
