/** docs/studies/loss-study.md has every row, some of them measured again here, and its conclusions hold. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLAIMS, SIDES } from '../../studies/loss/claims.js';
import { CLAIMS_PLAN, configurationsUnder, measuredCells, PLAN, sideRow } from '../../studies/loss/page.js';
import { valuesOf } from '../../studies/sweep.js';

const PAGE = readFileSync(new URL('../../docs/studies/loss-study.md', import.meta.url), 'utf8');
const LINES = PAGE.split('\n');

/** Cells of a row of a load's table: goodput, p50, p99, slowdown, retransmitted, timeouts, drops, pauses, not done. */
function cells(load: string, configuration: string, way: string): number[] {
  const at = LINES.findIndex((line) => line.toLowerCase().startsWith(`## ${load},`));
  const row = LINES.slice(at).find((line) => line.startsWith(`| ${configuration} | ${way} |`)) ?? '';
  return row.split(' | ').slice(2).map((cell) => Number.parseFloat(cell));
}

const slowdown = (load: string, configuration: string, way: string): number => cells(load, configuration, way)[3]!;
const LOSSY_1 = 'semi-lossless, lossy-1';
const TRANSPORTS = valuesOf(PLAN, 'transport');
const BOUNDED = 'selective-repeat, window of a BDP';

describe('docs/studies/loss-study.md', () => {
  it('has each load, configuration and transport, each side of the claims under two controls, and each claim', () => {
    for (const load of valuesOf(PLAN, 'load')) {
      for (const [, shown] of configurationsUnder(load))
        for (const transport of TRANSPORTS) expect(cells(load, shown, transport)).toHaveLength(9);
    }
    expect(Object.values(SIDES)).toEqual(valuesOf(CLAIMS_PLAN, 'transport and network'));
    for (const name of Object.values(SIDES))
      expect(LINES.filter((line) => line.includes(` | ${name} | `))).toHaveLength(2);
    for (const { words } of CLAIMS) expect(LINES.filter((line) => line.startsWith(`| ${words} |`))).toHaveLength(1);
  });

  it('has the rows measured today (npm run study)', () => {
    const load = 'incast 15 to 1';
    const numbers = (configuration: string, transport: string): number[] =>
      measuredCells(load, configuration, transport).map((cell) => Number.parseFloat(cell));
    expect(numbers('lossy-1', 'irn')).toEqual(cells(load, LOSSY_1, 'irn'));
    expect(numbers('semi-lossless', 'irn')).toEqual(cells(load, LOSSY_1, 'irn'));
    expect(numbers('lossy-2', BOUNDED)).toEqual(cells(load, 'lossy-2', BOUNDED));
    expect(LINES).toContain(sideRow('irn', 'DCQCN'));
  }, 60_000);

  it('shows that bounded flows lose few packets, and that unbounded selective repeat is worse than go-back-N', () => {
    for (const load of ['load 0.5', 'load 0.8']) {
      for (const configuration of [LOSSY_1, 'lossy-2']) {
        for (const way of ['irn', BOUNDED]) expect(cells(load, configuration, way)[4]).toBeLessThanOrEqual(0.1);
      }
      expect(slowdown(load, LOSSY_1, 'selective-repeat')).toBeGreaterThan(slowdown(load, LOSSY_1, 'go-back-n'));
      expect(slowdown(load, LOSSY_1, BOUNDED)).toBe(slowdown(load, LOSSY_1, 'irn'));
      const goodputs = configurationsUnder(load).flatMap(([, shown]) =>
        TRANSPORTS.map((transport) => cells(load, shown, transport)[0]!)
      );
      expect(cells(load, 'lossy-2', 'irn')[0]).toBe(Math.max(...goodputs));
    }
  });

  it('shows the cost of PFC in an incast', () => {
    const incast = (configuration: string, way: string) => slowdown('incast 15 to 1', configuration, way);
    expect(incast('lossless', 'go-back-n')).toBeGreaterThan(2 * incast(LOSSY_1, 'irn'));
    expect(incast('lossless', 'go-back-n')).toBeGreaterThan(incast(LOSSY_1, 'go-back-n'));
  });

  it('shows that semi-lossless helps with slow receivers', () => {
    const slow = (configuration: string, way: string) => slowdown('slow receivers', configuration, way);
    for (const way of ['go-back-n', BOUNDED, 'irn'])
      expect(slow('semi-lossless', way) / slow('lossless', way)).toBeCloseTo(1, 1);
    expect(slow('lossy-1', 'go-back-n')).toBeGreaterThan(10 * slow('semi-lossless', 'go-back-n'));
    expect(cells('slow receivers', 'semi-lossless', 'irn')[6]).toBe(0);
  });
});
