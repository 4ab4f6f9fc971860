/** Each event of a metered module ends, and the exported fuel gives the reason. */
import { describe, expect, it } from 'vitest';
import { meterModule } from '../../../src/algorithm/module/meter.js';
import { checkModule } from '../../../src/algorithm/module/check.js';
import { CALL_DEPTH_MAX, FUEL_EXHAUSTED, FUEL_STACK_OVERFLOW,
  FUEL_TOO_DEEP } from '../../../src/algorithm/module/abi.js';
import { rejectionOf } from '../../support/rejection.js';
import { Seeded } from '../../support/seeded.js';
import { endOf, instanceOf } from './support/instance.js';
import { algorithm, algorithmParts, algorithmWith, custom, END, exported, functionType, HANDLER_TYPES, I32, i32,
  memoryImport, moduleOf, signed } from './support/module-bytes.js';
import { randomProgram } from './support/random-program.js';

const BUDGET = 1_000_000;
const versionExport = exported('roce_abi_version', 0, 0);
const ackExport = exported('roce_ack', 0, 1);
/** A module whose handler calls function 2. */
const withFunction = (type: readonly number[], code: readonly number[], call: readonly number[]) => {
  const parts = algorithmParts(call);
  return moduleOf({
    ...parts,
    types: [...HANDLER_TYPES, type],
    functions: [...parts.functions, { type: 2, code }],
    tables: [[0x70, 0, 1]],
    elements: [[0, ...i32(0), 1, 2]],
  });
};
const endOfAck = (bytes: Uint8Array, budget = BUDGET, argument = 0) => {
  expect(checkModule(bytes).handlers).toEqual(['roce_ack']);
  const instance = instanceOf(meterModule(bytes, budget));
  return [endOf(() => instance.handler('roce_ack')(0, 0, 0, argument)), instance.fuel()];
};

describe('the budget', () => {
  it.each([
    ['an endless loop', algorithm([0x03, 0x40, 0x0c, 0, END, 0x41, 0])],
    ['an endless loop by a branch table', algorithm([0x03, 0x40, 0x20, 3, 0x0e, 1, 0, 0, END, 0x41, 0])],
    ['a loop in a loop', algorithm([0x03, 0x40, 0x03, 0x40, 0x20, 3, 0x0d, 0, 0x0c, 1, END, END, 0x41, 0])],
    ['a loop with a result', algorithm([0x03, 0x7f, 0x0c, 0, END])],
    ['a loop that calls an exported function', algorithm([0x03, 0x40, 0x10, 0, 0x1a, 0x0c, 0, END, 0x41, 0])],
  ])('ends %s', (_, bytes) => {
    expect(endOfAck(bytes)).toEqual(['trap', FUEL_EXHAUSTED]);
    expect(endOfAck(bytes, 1)).toEqual(['trap', FUEL_EXHAUSTED]);
  });

  it('ends a version function that never returns', () => {
    const parts = algorithmParts();
    const bytes = moduleOf({
      ...parts,
      functions: [{ type: 1, code: [0x03, 0x7f, 0x0c, 0, END] }, parts.functions[1]!],
    });
    const instance = instanceOf(meterModule(bytes, BUDGET));
    expect([endOf(() => instance.handler('roce_abi_version')(0, 0, 0, 0)), instance.fuel()]).toEqual([
      'trap',
      FUEL_EXHAUSTED,
    ]);
  });

  it('ends functions that each call the next one twice, without any loop', () => {
    const depth = 40;
    const doubling = Array.from({ length: depth },
      (_, index) => ({ type: 2, code: index === 0 ? [] : [0x10, index + 1, 0x10, index + 1] }));
    const parts = algorithmParts([0x10, depth + 1, 0x41, 0]);
    const bytes = moduleOf({
      ...parts,
      types: [...HANDLER_TYPES, functionType([], [])],
      functions: [...parts.functions, ...doubling],
    });
    expect(endOfAck(bytes)).toEqual(['trap', FUEL_EXHAUSTED]);
  });

  it('charges a unit for each 64 bytes that one instruction fills', () => {
    const filling = (lenBytes: number) =>
      algorithm([0x41, ...signed(16384), 0x41, 9, 0x41, ...signed(lenBytes), 0xfc, 0x0b, 0, 0x41, 0]);
    expect(endOfAck(filling(6400), 101)).toEqual(['returned', 0]);
    expect(endOfAck(filling(6400), 100)).toEqual(['trap', FUEL_EXHAUSTED]);
    expect(endOfAck(filling(-1), 0x7fffffff)[0]).toBe('trap');
    expect(endOfAck(filling(-1), 1000)).toEqual(['trap', FUEL_EXHAUSTED]);
  });

  it('charges long loop bodies by their length', () => {
    const long = Array.from({ length: 5500 }, () => 0x01);
    const bytes = algorithm([0x03, 0x40, ...long, END, 0x41, 0]);
    // 6 for the function of 5,505 instructions and locals, 6 for the iteration.
    expect(endOfAck(bytes, 12)).toEqual(['returned', 0]);
    expect(endOfAck(bytes, 11)).toEqual(['trap', FUEL_EXHAUSTED]);
  });

  it('charges a function for its locals, which each call clears', () => {
    const bytes = moduleOf(algorithmParts([0x41, 0], 2000));
    expect(endOfAck(bytes, 3)).toEqual(['returned', 0]);
    expect(endOfAck(bytes, 2)).toEqual(['trap', FUEL_EXHAUSTED]);
  });

  it('keeps its remainder when the handler traps', () => {
    expect(endOfAck(algorithm([0x00]), 100)).toEqual(['trap', 99]);
    expect(endOfAck(algorithm([0x41, 1, 0x41, 0, 0x6d]), 100)).toEqual(['trap', 99]);
  });

  it.each([0, -1, 1.5, NaN, 2 ** 31])('must be a positive 31-bit integer, not %s', (budget) => {
    expect(rejectionOf(() => meterModule(algorithm([0x41, 0]), budget))).toMatchObject({
      code: 'invalid-argument',
      where: 'budget',
    });
  });
});

/** (n) -> n, by n nested calls. */
const COUNT_DOWN = [0x20, 0, 0x45, 0x04, 0x40, 0x41, 0, 0x0f, END, 0x20, 0, 0x41, 1, 0x6b, 0x10, 2, 0x41, 1, 0x6a];
/** The same with two results, by calls through the table. */
const COUNT_DOWN_TWICE = [
  0x20,
  0,
  0x45,
  0x04,
  0x40,
  0x41,
  0,
  0x41,
  0,
  0x0f,
  END,
  0x20,
  0,
  0x41,
  1,
  0x6b,
  0x41,
  0,
  0x11,
  2,
  0,
  0x41,
  1,
  0x6a,
];

describe('nested calls', () => {
  const recursive = withFunction(functionType([I32], [I32]), COUNT_DOWN, [0x20, 3, 0x10, 2]);
  const indirect = withFunction(functionType([I32], [I32, I32]), COUNT_DOWN_TWICE, [0x20, 3, 0x10, 2, 0x6a]);

  it.each([['a function', recursive], ['the table', indirect]])('are limited in their depth, through %s',
    (_, bytes) => {
      const instance = instanceOf(meterModule(bytes, BUDGET));
      const deepest = CALL_DEPTH_MAX - 2; // The handler is one call, and a countdown from n takes n + 1.
      for (const n of [0, 5, deepest, deepest, 0]) expect(instance.handler('roce_ack')(0, 0, 0, n)).toBe(n);
      expect(endOf(() => instance.handler('roce_ack')(0, 0, 0, deepest + 1))).toBe('trap');
      expect(instance.fuel()).toBe(FUEL_TOO_DEEP);
      expect(instance.handler('roce_ack')(0, 0, 0, deepest)).toBe(deepest);
    });

  it('trap when they recurse without end', () => {
    expect(endOfAck(recursive, BUDGET, -1)).toEqual(['trap', FUEL_TOO_DEEP]);
    expect(endOfAck(indirect, BUDGET, -1)).toEqual(['trap', FUEL_TOO_DEEP]);
    expect(endOfAck(algorithm([0x20, 0, 0x20, 1, 0x20, 2, 0x20, 3, 0x10, 1]))).toEqual(['trap', FUEL_TOO_DEEP]);
  });

  it('release their depth when they return', () => {
    const calling = [
      0x03,
      0x40,
      0x20,
      3,
      0x10,
      2,
      0x1a,
      0x20,
      0,
      0x41,
      1,
      0x6a,
      0x22,
      0,
      0x41,
      ...signed(1000),
      0x48,
      0x0d,
      0,
      END,
      0x41,
      0,
    ];
    expect(endOfAck(withFunction(functionType([I32], [I32]), COUNT_DOWN, calling), BUDGET, 200)[0]).toBe('returned');
  });
});

describe('the shadow stack', () => {
  /** Allocates as many bytes of the stack as its argument, and frees them. */
  const frame = [0x23, 0, 0x20, 3, 0x6b, 0x24, 0, 0x23, 0, 0x20, 3, 0x6a, 0x24, 0, 0x41, 0];
  const stacked = (top: number) =>
    algorithmWith({
      ...algorithmParts(frame),
      globals: [[I32, 1, ...i32(top)]],
      custom: [custom('target_features', [0])],
    });

  it.each([[24576, 16384], [81920, 16384], [90112, 81920]])('that starts at %i overflows below %i', (top, end) => {
    expect(endOfAck(stacked(top), BUDGET, top - end)[0]).toBe('returned');
    expect(endOfAck(stacked(top), BUDGET, top - end + 1)).toEqual(['trap', FUEL_STACK_OVERFLOW]);
  });

  it('is reset after an event that traps', () => {
    // Allocates 1,024 bytes, and traps before it frees them if the argument is 1.
    const trapping = [
      0x23,
      0,
      0x41,
      ...signed(1024),
      0x6b,
      0x24,
      0,
      0x20,
      3,
      0x04,
      0x40,
      0x00,
      END,
      0x23,
      0,
      0x41,
      ...signed(1024),
      0x6a,
      0x24,
      0,
      0x41,
      0,
    ];
    const bytes = algorithmWith({
      ...algorithmParts(trapping),
      globals: [[I32, 1, ...i32(24576)]],
      custom: [custom('target_features', [0])],
    });
    const instance = instanceOf(meterModule(bytes, BUDGET));
    const ends = Array.from({ length: 20 },
      (_, event) => endOf(() => instance.handler('roce_ack')(0, 0, 0, event % 2)));
    expect(ends).toEqual(Array.from({ length: 20 }, (_, event) => event % 2 === 0 ? 'returned' : 'trap'));
    expect(instance.fuel()).toBe(BUDGET - 1);
  });

  it('imposes no limit on other globals', () => {
    expect(endOfAck(algorithmWith({ ...algorithmParts(frame), globals: [[I32, 1, ...i32(24576)]] }), BUDGET, 20000)[0])
      .toBe('returned');
  });
});

describe('a metered module', () => {
  it('accepts a memory with any maximum, keeps its other exports and drops custom sections', () => {
    const bytes = algorithmWith({
      imports: [memoryImport([1, 1, 1])],
      exports: [versionExport, ackExport, exported('plain', 0, 1), exported('memory', 2, 0)],
      custom: [custom('name', [1, 2, 3])],
    });
    const metered = new WebAssembly.Module(meterModule(bytes, BUDGET));
    expect(WebAssembly.Module.exports(metered).map(({ name }) => name))
      .toEqual(['roce_abi_version', 'roce_ack', 'plain', 'memory', 'roce_fuel']);
    expect(WebAssembly.Module.customSections(metered, 'name')).toEqual([]);
    expect(endOfAck(bytes)[0]).toBe('returned');
  });

  it('is not charged for a start function that fills its region', () => {
    const parts = algorithmParts();
    const code = [0x41, ...signed(16384), 0x41, 0, 0x41, ...signed(65536), 0xfc, 0x0b, 0];
    const bytes = moduleOf({
      ...parts,
      types: [...HANDLER_TYPES, functionType([], [])],
      functions: [...parts.functions, { type: 2, code }],
      start: 2,
    });
    expect(endOfAck(bytes, 10)).toEqual(['returned', 9]);
  });

  it('is deterministic', () => {
    const bytes = randomProgram(new Seeded(5));
    expect(meterModule(bytes, BUDGET)).toEqual(meterModule(bytes, BUDGET));
  });
});
