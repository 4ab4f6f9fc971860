/** docs/guides/results.md has every topic and kind of packet; the page of result members and the schema are current. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resultJsonSchema, resultMembersPage } from '../../scripts/result-members-page.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import { incastResult } from '../support/sim-result.js';
import { ONE_OF_EACH } from '../support/sim-capture.js';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');
const PAGE = read('guides/results.md');

/** Names in the first cells of the tables between two headings. */
function namesIn(from: string, to: string): string[] {
  const start = PAGE.indexOf(from);
  const part = PAGE.slice(start, to === '' ? undefined : PAGE.indexOf(to, start));
  return part.split('\n').filter((line) => line.startsWith('| `')).flatMap((line) =>
    [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  );
}

describe('docs/guides/results.md', () => {
  it('has every kind of packet and every topic', () => {
    expect(new Set(namesIn('## pcap', '## Trace'))).toEqual(
      new Set([...ONE_OF_EACH.map(({ kind }) => kind), 'read-request', 'rnr-nak']),
    );
    const named = namesIn('## Explanations', '');
    for (const { topic } of explainResult(incastResult({ scenario: { switches: { fastCnp: { enabled: true } } } }))) {
      expect(named).toContain(topic);
    }
  });
});

describe('docs/reference/result-members.md and docs/result.schema.json', () => {
  it('match the code (npm run docs)', () => {
    expect(read('reference/result-members.md')).toBe(resultMembersPage());
    expect(JSON.parse(read('result.schema.json'))).toEqual(JSON.parse(JSON.stringify(resultJsonSchema())));
  });

  it('have every member of a result', () => {
    const result = incastResult();
    const shown = [...read('reference/result-members.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(shown).toEqual(
      expect.arrayContaining([result, result.summary, result.totals, result.flows[0]!].flatMap(Object.keys)),
    );
  });
});
