/** docs/studies/wan-study.md has every row, some of them measured again here, and its conclusions hold. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLAN, wanRow } from '../../studies/wan/page.js';
import { runWith, valuesOf } from '../../studies/sweep.js';

const PAGE = readFileSync(new URL('../../docs/studies/wan-study.md', import.meta.url), 'utf8');
const CONTROLS = valuesOf(PLAN, 'congestion control');
const NOTIFICATIONS = valuesOf(PLAN, 'notification');
const DISTANCES_KM = valuesOf(PLAN, 'distance').map((distance) => Number.parseInt(distance));
const [CNP, DATA_CENTERS, END_CON] = NOTIFICATIONS as [string, string, string];

/**
 * Numbers of the row with these text cells: first notice, queue, drops, retransmitted, pauses, ARNs, completion, not
 * done, bystander, held.
 */
function numbers(km: number, algorithm: string, notification: string, flowControl: string): number[] {
  const part = PAGE.slice(PAGE.indexOf(`### ${km} km, ${algorithm}`));
  const row = part.split('\n').find((line) => line.startsWith(`| ${notification} | ${flowControl} |`)) ?? '';
  return row.split(' | ').slice(2).map((cell) => Number(cell.replace(' |', '')));
}

describe('docs/studies/wan-study.md', () => {
  it('has a row per distance, congestion control, notification and flow control', () => {
    const parts = CONTROLS.flatMap((control) => DISTANCES_KM.map((km) => [km, control] as const));
    const flowControls = valuesOf(PLAN, 'flow control');
    const rows = NOTIFICATIONS.flatMap((name) => flowControls.map((control) => [name, control] as const));
    for (const part of parts) for (const row of rows) expect(numbers(...part, ...row)).toHaveLength(10);
  });

  it('has the rows measured today (npm run study)', () => {
    const lines = PAGE.split('\n');
    const rowWith = (distance: string, control: string, notification: string, flowControl: string): string =>
      wanRow(runWith(PLAN, { 'congestion control': control, distance, notification, 'flow control': flowControl }));
    expect(lines).toContain(rowWith('1000 km', 'DCQCN', END_CON, 'PFC'));
    expect(lines).toContain(rowWith('10 km', 'HPCC++', CNP, 'ARN'));
  }, 60_000);

  it('shows that END.CON notifies senders in less than 42 % of the time and shortens the queue under DCQCN', () => {
    for (const km of DISTANCES_KM) {
      const [late = NaN, longQueue = NaN] = numbers(km, 'DCQCN', CNP, 'none');
      const [early = NaN, shortQueue = NaN] = numbers(km, 'DCQCN', END_CON, 'none');
      expect(early / late, `${km} km`).toBeLessThan(0.42);
      expect(shortQueue / longQueue, `${km} km`).toBeLessThan(0.7);
    }
  });

  it('shows that PFC over the WAN slows other flows, which END.CON avoids under DCQCN', () => {
    const [, , , , pauses, , , , withCnp, heldMs] = numbers(1000, 'DCQCN', CNP, 'PFC');
    const [, , , , fewPauses, , , , withEndCon, heldByEndCon] = numbers(1000, 'DCQCN', END_CON, 'PFC');
    expect(pauses).toBeGreaterThan(100 * fewPauses!);
    expect(heldMs).toBeGreaterThan(5);
    expect(heldByEndCon).toBe(0);
    expect(withCnp! / withEndCon!).toBeGreaterThan(1.5);
  });

  it('shows the cost of END.CON with plenty of memory, and where it gains nothing', () => {
    for (const km of [1000, 2000]) {
      expect(numbers(km, 'DCQCN', END_CON, 'none')[6]!).toBeGreaterThan(1.1 * numbers(km, 'DCQCN', CNP, 'none')[6]!);
      expect(numbers(km, 'DCQCN', END_CON, 'none, 16 MB')[6]!).toBeLessThan(
        numbers(km, 'DCQCN', CNP, 'none, 16 MB')[6]!,
      );
    }
    for (const km of DISTANCES_KM) {
      expect(numbers(km, 'DCQCN', DATA_CENTERS, 'none')[1]).toBe(numbers(km, 'DCQCN', CNP, 'none')[1]);
      const [, queue = NaN] = numbers(km, 'HPCC++', END_CON, 'none');
      expect(queue / numbers(km, 'HPCC++', CNP, 'none')[1]!, `${km} km`).toBeGreaterThan(0.95);
    }
  });

  it('shows that go-back-N collapses without memory and flow control', () => {
    const packets = (3 * 32e6) / 1024;
    expect(numbers(1000, 'DCQCN', CNP, 'none, 16 MB')[3]).toBeGreaterThan(packets);
  });
});
