/** docs/results.md has every column, key, topic and kind of packet that there is. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLOW_COLUMNS } from '../../src/sim/files/flows-csv.js';
import { PORT_COLUMNS } from '../../src/sim/files/ports-csv.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import type { DiscoveryResult } from '../../src/sim/index.js';
import { incastResult } from '../support/sim-result.js';
import { ONE_OF_EACH } from '../support/sim-capture.js';

const PAGE = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'results.md'), 'utf8');

/** Names in the first cells of the tables between two headings. */
function namesIn(from: string, to: string): string[] {
  const start = PAGE.indexOf(from);
  const part = PAGE.slice(start, to === '' ? undefined : PAGE.indexOf(to, start));
  return part.split('\n').filter((line) => line.startsWith('| `')).flatMap((line) =>
    [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
  );
}

describe('docs/results.md', () => {
  it('has the columns of flows and ports in their order', () => {
    expect(namesIn('### Flows', '### Ports')).toEqual(FLOW_COLUMNS.map(({ name }) => name));
    expect(namesIn('### Ports', '### Series')).toEqual(PORT_COLUMNS.map(({ name }) => name));
  });

  it('has the keys of a result and of its summary', () => {
    const discovery: DiscoveryResult = {
      form: '',
      verdict: 'lossless',
      isAsAsked: true,
      endPs: 0,
      rounds: 1,
      requests: 0,
      replies: 0,
      repliesDropped: 0,
      changed: [],
      paths: [],
    };
    const result = incastResult({ result: { pauses: [], queueHistogram: { looks: 0, ports: {} }, discovery } });
    expect(namesIn('## JSON', '## CSV').sort()).toEqual(
      [...Object.keys(result), ...Object.keys(result.summary)].sort(),
    );
  });

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
