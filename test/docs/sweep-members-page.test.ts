/** The pages and schemas of sweep and tuning results match the code, and rows of a sweep match their schema. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweepJsonSchema, sweepMembersPage, tuningJsonSchema,
  tuningMembersPage } from '../../scripts/sweep-members-pages.js';
import { planSweep, rowToJson, runSweep } from '../../src/sweep/index.js';
import { SWEEP_ROW_SCHEMA } from '../../src/sim/result-schema/result.js';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');

describe('sweeps and tunings', () => {
  it.each([
    ['reference/sweep-result-members.md', sweepMembersPage],
    ['reference/tuning-result-members.md', tuningMembersPage],
  ])('%s matches the schema (npm run docs)', (name, page) => {
    expect(read(name)).toBe(page());
  });

  it.each([
    ['sweep-result.schema.json', sweepJsonSchema],
    ['tuning-result.schema.json', tuningJsonSchema],
  ])('%s matches the schema in the code', (name, schema) => {
    expect(JSON.parse(read(name))).toEqual(JSON.parse(JSON.stringify(schema())));
  });
});

describe('rows of a sweep', () => {
  const plan = planSweep({
    name: 'rows',
    base: {
      name: 'pair',
      topology: { kind: 'star', hosts: 3 },
      durationUs: 200,
      workload: { kind: 'incast', senders: 2, sizeBytes: 10_000 },
    },
    axes: [{ path: 'workload.senders', values: [1, 2] }],
    metrics: ['slowdown.p99', 'pauses'],
    seeds: 2,
  });

  it('have a result or the reason for none, and only members of the schema', async () => {
    const reason = 'its memory was not enough';
    const lines: Record<string, unknown>[] = [];
    for await (const row of runSweep(plan)) {
      for (const one of [row, { ...row, outcome: { ended: 'out-of-memory', reason } as const }])
        lines.push(JSON.parse(rowToJson(one, plan)) as Record<string, unknown>);
    }
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(SWEEP_ROW_SCHEMA.parse(line)).toEqual(line);
    expect(lines.map((line) => 'result' in line)).toEqual([0, 1, 2, 3].flatMap(() => [true, false]));
  });
});
