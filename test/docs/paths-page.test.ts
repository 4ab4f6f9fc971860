/** docs/paths-study.md has every row, some of them measured again here; and what it says of them holds. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detourCases, NETWORKS, REACTIONS, TRANSPORTS } from '../../scripts/paths/cases.js';
import { detourRows, transportRows } from '../../scripts/paths/page.js';

const PAGE = readFileSync(new URL('../../docs/paths-study.md', import.meta.url), 'utf8');
const ROWS = PAGE.split('\n').filter((row) => row.startsWith('| ')).map((row) => row.slice(2, -2).split(' | '));

const PER_PACKET = ['random', 'round-robin', 'drill', 'least-queue'];

/** Numbers of a row, from the third cell on. */
const numbers = (row: readonly string[]): number[] => row.slice(2).map((cell) => Number(cell.replace(' %', '')));

/** The first table's rows of a transport, by balancer: p50, p99, goodput, sent again, out of order in per cent, depth. */
function firstTable(transport: string): Map<string, number[]> {
  const rows = ROWS.slice(0, NETWORKS[0]!.balancers.length * TRANSPORTS.length + 1);
  return new Map(rows.filter(([name]) => name === transport).map((row) => [row[1]!, numbers(row)]));
}

function detourTable(network: string): number[][] {
  return ROWS.filter(([name]) => name === network).map(numbers);
}

describe('docs/paths-study.md', () => {
  it('has a row per network, transport and balancer, and per case and reaction', () => {
    const balancers = NETWORKS.reduce((sum, one) => sum + one.balancers.length * TRANSPORTS.length, 0);
    const heads = NETWORKS.length + 1;
    expect(ROWS).toHaveLength(balancers + detourCases().length * REACTIONS.length + heads);
  });

  it('has the rows that are measured today (npm run study)', () => {
    const lines = PAGE.split('\n');
    for (const { name } of TRANSPORTS)
      expect(lines).toEqual(expect.arrayContaining(transportRows(NETWORKS[0]!, name, ['ecmp', 'round-robin'])));
    expect(lines).toEqual(expect.arrayContaining(detourRows(detourCases()[0]!)));
  }, 30_000);

  it('shows that spray with go-back-N collapses, though ways are used evenly', () => {
    const rows = firstTable('go-back-n');
    const [ecmpP50 = NaN] = rows.get('ecmp')!;
    for (const name of PER_PACKET) {
      const row = rows.get(name)!;
      expect(row[0], name).toBeGreaterThan(2 * ecmpP50);
      expect(row[3], name).toBeGreaterThan(100_000);
      expect(row[7], name).toBeGreaterThan(0.99);
    }
  });

  it('shows that flowlets and CONGA with their gaps are one choice per flow', () => {
    const rows = firstTable('go-back-n');
    expect(rows.get('conga')).toEqual(rows.get('flowlet'));
    expect(rows.get('flowlet')![3]).toBe(0);
  });

  it('shows where detours help and where they cost', () => {
    const [, told, detoured] = detourTable('two elephants on one uplink');
    expect(detoured![1]).toBeLessThan(0.55 * told![1]!);
    const [, slow, moved] = detourTable('permutation, leaf-spine');
    expect(moved![1]).toBeLessThan(0.85 * slow![1]!);
    expect(Math.abs(moved![0]! / slow![0]! - 1)).toBeLessThan(0.1);
    const [, incast, inVain] = detourTable('8-to-1 incast, leaf-spine');
    expect(inVain![1]! / incast![1]!).toBeGreaterThan(1.1);
  });
});
