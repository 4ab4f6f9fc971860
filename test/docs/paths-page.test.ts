/** docs/studies/paths-study.md has every row, some of them measured again here, and its conclusions hold. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detourCases, REACTIONS } from '../../studies/paths/source-ports.js';
import { detourRows, FAT_TREE, LEAF_SPINE, sprayRow } from '../../studies/paths/page.js';
import { runsWith } from '../../studies/sweep.js';

const PAGE = readFileSync(new URL('../../docs/studies/paths-study.md', import.meta.url), 'utf8');
const ROWS = PAGE.split('\n').filter((row) => row.startsWith('| ')).map((row) => row.slice(2, -2).split(' | '));

const PER_PACKET = ['random', 'round-robin', 'drill', 'least-queue'];

/** Rows of 1,024 hosts: network, transport, balancer, p50, all, retransmitted, lost, timeouts, depth. */
const LARGE = ROWS.filter(([, transport = '']) => ['go-back-n', 'selective-repeat', 'tolerant'].includes(transport));

function largeRow(network: string, transport: string, balancer: string): number[] {
  const row = LARGE.find((cells) => cells[0] === network && cells[1] === transport && cells[2] === balancer);
  return (row ?? []).slice(3).map(Number);
}

/** Numbers of a row, from the third cell on. */
const numbers = (row: readonly string[]): number[] => row.slice(2).map((cell) => Number(cell.replace(' %', '')));

/** The first table's rows of a transport, by balancer: p50, p99, goodput, retransmitted, out of order in per cent, depth. */
function firstTable(transport: string): Map<string, number[]> {
  const rows = ROWS.slice(0, LEAF_SPINE.runs.length + 1);
  return new Map(rows.filter(([name]) => name === transport).map((row) => [row[1]!, numbers(row)]));
}

function detourTable(network: string): number[][] {
  return ROWS.filter(([name]) => name === network).map(numbers);
}

describe('docs/studies/paths-study.md', () => {
  it('has a row per network, transport and balancer, and per case and reaction', () => {
    const sprays = LEAF_SPINE.runs.length + FAT_TREE.runs.length;
    const heads = 4;
    expect(ROWS).toHaveLength(sprays + detourCases().length * REACTIONS.length + heads + LARGE.length);
  });

  it('has the rows measured today (npm run study)', () => {
    const lines = PAGE.split('\n');
    const rows = runsWith(LEAF_SPINE, { balancer: 'round-robin' }).map((run) => sprayRow(run));
    expect(rows).toHaveLength(5);
    expect(lines).toEqual(expect.arrayContaining(rows));
    expect(lines).toEqual(expect.arrayContaining(detourRows(detourCases()[0]!)));
  }, 30_000);

  it('shows that spray with go-back-N collapses, though paths are used evenly', () => {
    const rows = firstTable('go-back-n');
    const [ecmpP50 = NaN] = rows.get('ecmp')!;
    for (const name of PER_PACKET) {
      const row = rows.get(name)!;
      expect(row[0], name).toBeGreaterThan(2 * ecmpP50);
      expect(row[3], name).toBeGreaterThan(100_000);
      expect(row[7], name).toBeGreaterThan(0.99);
    }
  });

  it('shows that spray with selective repeat does not collapse if the window holds packets that arrive early', () => {
    const ecmp = firstTable('go-back-n').get('ecmp')!;
    const rows = firstTable('selective-repeat, window 4096');
    for (const name of PER_PACKET) {
      const [p50 = NaN, p99 = NaN, , sentAgain, , depth] = rows.get(name)!;
      expect(p50, name).toBeLessThan(0.5 * ecmp[0]!);
      expect(p99, name).toBeLessThan(0.55 * ecmp[0]!);
      expect(p99, name).toBeLessThan(ecmp[1]! / 6);
      expect(sentAgain, name).toBeLessThan(8000);
      expect(depth, name).toBeGreaterThan(80);
    }
    const narrow = firstTable('selective-repeat').get('random')!;
    expect(narrow[0]! / rows.get('random')![0]!).toBeCloseTo(1, 1);
    expect(narrow[1]).toBeGreaterThan(8000);
  });

  it('shows the gain and the cost of IRN', () => {
    const [goBackN, selective, irn] = ['go-back-n', 'selective-repeat, window 4096', 'irn'].map(firstTable);
    expect(irn!.get('ecmp')![0]).toBeLessThan(0.65 * goBackN!.get('ecmp')![0]!);
    for (const name of PER_PACKET) {
      expect(irn!.get(name)![3], name).toBeGreaterThan(selective!.get(name)![3]!);
      expect(irn!.get(name)![0], name).toBeGreaterThan(1.15 * selective!.get(name)![0]!);
      expect(irn!.get(name)![1], name).toBeLessThan(400);
    }
  });

  it('shows that tolerant receivers cause no retransmissions without loss', () => {
    for (const [, row] of firstTable('tolerant')) expect(row[3]).toBe(0);
    for (const network of ['all links', 'one link at half rate'])
      for (const balancer of ['ecmp', 'random', 'adaptive', 'reps'])
        expect(largeRow(network, 'tolerant', balancer)[2]).toBe(0);
    const [, spray = NaN] = largeRow('all links', 'tolerant', 'random');
    const [, selective = NaN, retransmitted] = largeRow('all links', 'selective-repeat', 'random');
    expect(spray).toBeLessThanOrEqual(215);
    expect(selective / spray).toBeCloseTo(1.07, 2);
    expect(retransmitted).toBeGreaterThan(70_000);
    expect(largeRow('all links', 'go-back-n', 'random')[2]).toBeGreaterThan(15e6);
  });

  it('shows that REPS avoids a slow link, and that a loss time shortens the effect of a failed link', () => {
    const end = (network: string, balancer: string): number => largeRow(network, 'tolerant', balancer)[1] ?? NaN;
    expect(end('one link at half rate', 'reps') / 178).toBeLessThan(1.3);
    expect(end('one link at half rate', 'random') / end('all links', 'random')).toBeGreaterThan(1.6);
    expect(end('one link fails at 50 µs', 'reps')).toBeGreaterThan(8000);
    expect(end('the same, lossTimeUs 60', 'reps')).toBeLessThan(215);
  });

  it('shows that flowlets and CONGA with their gaps choose one path per flow', () => {
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
