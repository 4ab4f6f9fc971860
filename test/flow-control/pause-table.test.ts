import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PauseTable } from '../../src/flow-control/pause-table.js';
import { addPause, createPauseTable, findPauseEnd, firstPauseEnd, movePause, pausesByEnd, priorityKey, removePause,
  takeExpired } from '../../src/flow-control/pause-table.js';

function add(table: PauseTable, priorityId: number, untilPs: number): void {
  addPause(table, priorityKey(priorityId), { subject: { level: 'priority', priorityId }, sincePs: 0, untilPs });
}

/** Priorities in the order in which the table expires them. */
function drain(table: PauseTable): number[] {
  const order: number[] = [];
  for (let pause = takeExpired(table, Infinity); pause; pause = takeExpired(table, Infinity)) {
    order.push(pause.subject.level === 'priority' ? pause.subject.priorityId : -1);
  }
  return order;
}

describe('a table of pauses', () => {
  it('keeps its order when a removed pause is replaced in the heap by one that ends before its parent', () => {
    const table = createPauseTable();
    // Already in heap order: removing 11 puts 5 below 10, so 5 has to move up.
    const ends = [1, 10, 2, 11, 12, 3, 4, 13, 14, 15, 16, 21, 22, 23, 5];
    ends.forEach((untilPs) => add(table, untilPs, untilPs));
    expect(removePause(table, priorityKey(11))).toBe(true);
    expect(removePause(table, priorityKey(11))).toBe(false);
    expect(drain(table)).toEqual([1, 2, 3, 4, 5, 10, 12, 13, 14, 15, 16, 21, 22, 23]);
  });

  it('expires pauses as a sorted list would, after any sequence of additions, moves and removals', () => {
    const step = fc.record({ id: fc.nat(30), untilPs: fc.nat(20), kind: fc.constantFrom('set', 'set', 'end') });
    fc.assert(fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const table = createPauseTable();
      const model = new Map<number, { untilPs: number; sequence: number }>();
      steps.forEach(({ id, untilPs, kind }, sequence) => {
        if (kind === 'end') {
          expect(removePause(table, priorityKey(id))).toBe(model.delete(id));
          return;
        }
        if (model.has(id)) movePause(table, priorityKey(id), untilPs);
        else add(table, id, untilPs);
        model.set(id, { untilPs, sequence });
        expect(findPauseEnd(table, priorityKey(id))).toBe(untilPs);
        expect(firstPauseEnd(table)).toBe(Math.min(...[...model.values()].map((pause) => pause.untilPs)));
      });
      const sorted = [...model].sort(([, a], [, b]) => a.untilPs - b.untilPs || a.sequence - b.sequence);
      const order = sorted.map(([id]) => id);
      expect(pausesByEnd(table).map(({ subject }) => subject)).toEqual(
        order.map((priorityId) => ({ level: 'priority', priorityId })),
      );
      expect(drain(table)).toEqual(order);
      expect([table.byKey.size, firstPauseEnd(table)]).toEqual([0, Infinity]);
    }));
  });
});
