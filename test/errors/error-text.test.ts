/** The message of an error, for every kind of field. */
import { describe, expect, it } from 'vitest';
import { lengthError, RoceError, type RoceErrorFields } from '../../src/errors.js';

const text = (fields: RoceErrorFields): string => new RoceError('invalid-config', fields).message;
const kmin = { what: 'Kmin', allowed: { min: 0, max: 1_000_000, multipleOf: 1, unit: 'bytes' } };

describe('an error', () => {
  it('keeps its fields as values', () => {
    const error = new RoceError('invalid-config', { ...kmin, got: -5, where: 'switches.ecn.kminBytes' });
    expect(error).toMatchObject({ name: 'RoceError', code: 'invalid-config', ...kmin, got: -5 });
    expect(error.message).toBe('switches.ecn.kminBytes must be between 0 and 1,000,000 bytes (got -5).');
    expect(new RoceError('invalid-config', { ...kmin, got: 1 }).where).toBe('');
  });

  it('can be repeated with an outer location', () => {
    const inner = lengthError({ layer: 'BTH', offset: 42, required: 12, available: 7 });
    const outer = inner.at('frame 3');
    expect(inner.at('file', 'invalid-capture')).toMatchObject({ code: 'invalid-capture', where: 'file' });
    expect(outer).toMatchObject({ code: 'invalid-packet', layer: 'BTH', offset: 42, required: 12, available: 7 });
    expect(outer.message).toBe('frame 3: the BTH at byte 42 needs 12 bytes, but 7 are available.');
  });

  it('has the needed and available bytes as numbers if data is too short', () => {
    const error = lengthError({ layer: 'BTH', offset: 42, required: 12, available: 7, code: 'invalid-capture' });
    expect(error).toMatchObject({ code: 'invalid-capture', got: 7, allowed: { min: 12, unit: 'bytes' } });
    expect(error.message).toBe('The BTH at byte 42 needs 12 bytes, but 7 are available.');
    const one = lengthError({ layer: 'option', offset: 0, required: 1, available: 1 });
    expect(one.message).toBe('The option at byte 0 needs 1 byte, but 1 is available.');
  });
});

describe('a message states the allowed values:', () => {
  it.each([
    [{ min: 0, max: 0, multipleOf: 1 }, 1, 'X must be 0 (got 1).'],
    [{ min: 1, max: 8 }, 9, 'X must be between 1 and 8 (got 9).'],
    [{ min: 0, max: 1n }, 2n, 'X must be between 0 and 1 (got 2n).'],
    [{ min: 0, max: 1, multipleOf: 1 }, 1n, 'X must be a whole number between 0 and 1 (got 1n).'],
    [{ min: 0, max: 1 }, 1n, 'X must be a number between 0 and 1 (got 1n).'],
    [{ min: 12, unit: 'bytes' }, 7, 'X must be at least 12 bytes (got 7).'],
    [{ max: 12345.5 }, 123456, 'X must be at most 12345.5 (got 123,456).'],
    [{ above: 0, max: 1 }, 0, 'X must be above 0 and at most 1 (got 0).'],
    [{ min: 0, below: 1 }, 1, 'X must be at least 0 and below 1 (got 1).'],
    [{ min: 0, max: 60, multipleOf: 4 }, 3, 'X must be a multiple of 4 between 0 and 60 (got 3).'],
    [{ min: 1, max: 8, multipleOf: 1 }, 1.5, 'X must be a whole number between 1 and 8 (got 1.5).'],
    [{ min: 1, multipleOf: 1 }, '2', 'X must be a whole number of at least 1 (got "2").'],
    [{ min: -1, max: 8 }, NaN, 'X must be a number between -1 and 8 (got NaN).'],
    [{ multipleOf: 1 }, 0.5, 'X must be a whole number (got 0.5).'],
    [['a', 'b', null], 'c', 'X must be "a", "b" or null (got "c").'],
    [[undefined, { min: 1, max: 2 }], 3, 'X must be absent or between 1 and 2 (got 3).'],
    [['only'], undefined, 'X is missing; it must be "only".'],
    [[], 1, 'X must be absent (got 1).'],
    [4791, 0, 'X must be 4,791 (got 0).'],
    [false, true, 'X must be false (got true).'],
    [null, 0, 'X must be null (got 0).'],
    ['the number of an open QP', 7, 'X must be the number of an open QP (got 7).'],
  ])('%o, got %o', (allowed, got, wanted) => {
    expect(text({ what: 'X', allowed, got })).toBe(wanted);
  });

  it('shortens long lists', () => {
    const allowed = Array.from({ length: 40 }, (_, index) => index);
    expect(text({ what: 'X', allowed })).toBe('X must be one of 0, 1, 2, 3, 4, 5, 6, 7, … 39 (40 in all).');
  });
});

describe('a message can state the problem as a predicate', () => {
  it('with the values that disagree', () => {
    const got = { kminBytes: 5, kmaxBytes: 4000 };
    expect(text({ what: 'Kmin', problem: 'must not exceed Kmax', got, where: 'ecn.kminBytes' }))
      .toBe('ecn.kminBytes must not exceed Kmax (kminBytes is 5 and kmaxBytes 4,000).');
  });

  it('with the cause, a value, the allowed values and a hint', () => {
    const cause = new SyntaxError('Unexpected end of JSON input.');
    expect(text({ what: 'the file', problem: 'is not JSON', cause, where: 'a.json' }))
      .toBe('a.json: the file is not JSON: Unexpected end of JSON input.');
    expect(text({ what: 'the engine', problem: 'was disposed' })).toBe('The engine was disposed.');
    expect(text({ what: 'QP', problem: 'is open already', got: 3, allowed: { max: 2 }, hint: 'Close one' }))
      .toBe('QP is open already (got 3); allowed: at most 2. Close one.');
    expect(text({ what: 'QP', problem: 'is odd', cause: { code: 3 } })).toBe('QP is odd: { code: 3 }.');
  });
});

describe('a message capitalizes words but not identifiers:', () => {
  it.each([
    ['destination QPN', 'Destination QPN must'],
    ['kminBytes', 'kminBytes must'],
    ['g', 'g must'],
    ['"x"', '"x" must'],
    ['two-way road', 'Two-way road must'],
  ])('%s', (what, start) => {
    expect(text({ what, allowed: 1 })).toBe(`${start} be 1.`);
  });
});

describe('a message can contain any value:', () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic.self = cyclic;
  const loop: unknown[] = [1];
  loop.push(loop);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const unreadable = {
    get x(): never {
      throw new Error('no');
    },
  };
  class Point {
    readonly x = 1;
  }
  it.each([
    ['a BigInt', 5_000n, '5,000n'],
    ['a BigInt in a record', { a: 5n }, '{ a: 5n }'],
    ['a typed array', new Uint8Array(16), 'Uint8Array(16) [0, 0, 0, 0, 0, 0, 0, 0, …]'],
    ['a BigInt array', new BigUint64Array([1n, 2n]), 'BigUint64Array(2) [1n, 2n]'],
    ['a DataView', new DataView(new ArrayBuffer(2)), 'DataView {…}'],
    ['an ArrayBuffer', new ArrayBuffer(2), 'ArrayBuffer {…}'],
    ['an array', [1000, 'two', null, undefined], '[1000, "two", null, undefined]'],
    ['an array with holes', new Array(3), '[undefined, undefined, undefined]'],
    ['a long array', new Array(1e6).fill(7), '[7, 7, 7, 7, 7, 7, 7, 7, …]'],
    ['a record', { a: { b: { c: { d: 1 } } } }, '{ a: { b: { c: {…} } } }'],
    ['an empty record', {}, '{}'],
    ['an instance of a class', new Point(), '{ x: 1 }'],
    ['a record that holds itself', cyclic, '{ a: 1, self: { a: 1, self: { a: 1, self: {…} } } }'],
    ['an array that holds itself', loop, '[1, [1, [1, […]]]]'],
    ['a function', () => 1, 'a function'],
    ['a function with a name', Math.max, 'function max'],
    ['a negative zero', -0, '-0'],
    ['a negative zero in a record', { a: [-0, 0] }, '{ a: [-0, 0] }'],
    ['a string that looks like a number', '5', '"5"'],
    ['a Number object', Object(5), 'Number {…}'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an error', new RangeError('words'), 'RangeError: words'],
    ['a Map', new Map(), 'Map {…}'],
    ['a date', new Date(0), 'Date 1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(NaN), 'an invalid Date'],
    ['null', null, 'null'],
    ['NaN', NaN, 'NaN'],
    ['a huge number', 1e300, '1e+300'],
    ['a string with quotes', 'say "no"\n', '"say \\"no\\"\\n"'],
    ['a record that throws when read', unreadable, 'a value that cannot be read'],
    ['a revoked proxy', proxy, 'a value that cannot be read'],
    ['a record without a prototype', Object.assign(Object.create(null), { a: 1 }), '{ a: 1 }'],
  ])('%s', (_name, got, shown) => {
    expect(text({ what: 'X', allowed: 1, got })).toBe(`X must be 1 (got ${shown}).`);
  });

  it('an unreadable value next to a predicate', () => {
    expect(text({ what: 'X', problem: 'is odd', got: unreadable })).toBe('X is odd (a value that cannot be read).');
    expect(text({ what: 'X', problem: 'is odd', got: {} })).toBe('X is odd ({}).');
  });

  it('at most 200 characters of it', () => {
    const long = 'a'.repeat(10_000);
    expect(text({ what: 'X', allowed: 1, got: long })).toHaveLength('X must be 1 (got .)'.length + 200);
    expect(text({ what: long, allowed: 1, where: long }).length).toBeLessThan(450);
    expect(text({ what: 'X', allowed: 1, got: { a: long, b: long } }).length).toBeLessThan(230);
    expect(text({ what: 'X', allowed: 1, got: 10n ** 400n }).length).toBeLessThan(230);
    expect(text({ what: 'X', problem: 'is odd', cause: new Error(long) }).length).toBeLessThan(230);
  });

  it('without terminal control sequences', () => {
    expect(text({ what: 'the file\u001b[2J', problem: 'is odd', where: 'a\nb\u0007' }))
      .toBe('a b?: the file?[2J is odd.');
  });
});
