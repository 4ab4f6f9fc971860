/** What `inspectModule` reads from a module, and the malformed modules that it rejects. */
import { beforeAll, describe, expect, it } from 'vitest';
import { inspectModule } from '../../../src/algorithm/module/inspect.js';
import { rejectionOf } from '../../support/rejection.js';
import { compileAlgorithm } from './support/compile.js';
import { algorithmParts, algorithmWith, custom, END, exported, functionType, HEAD, I32, i32, list, moduleOf, section,
  signed, text, unsigned } from './support/module-bytes.js';

const SOURCE = `
  let events: i32 = 3;
  const weights = memory.data<f64>([0.5, 0.25]);
  type Step = (x: f64) => f64;
  function half(x: f64): f64 { return x / 2; }
  function twice(x: f64): f64 { return x * 2; }
  export function roce_abi_version(): i32 { return 1; }
  export function roce_ack(qp: usize, parameters: usize, timePs: f64, argument: i32): i32 {
    const step: Step = (argument & 1) != 0 ? half : twice;
    store<f64>(qp, step(load<f64>(qp)) * load<f64>(weights + ((argument & 1) << 3)));
    return events++;
  }`;

describe('inspectModule, for a module compiled by asc', () => {
  let binary: Uint8Array;
  beforeAll(async () => {
    binary = await compileAlgorithm(SOURCE);
  });

  it('finds imports, exports, table, data and globals', () => {
    const facts = inspectModule(binary);
    expect(facts.imports).toEqual([{
      module: 'env',
      name: 'memory',
      kind: 'memory',
      limits: { min: 1, isShared: false },
    }]);
    expect(facts.exports).toContainEqual({
      name: 'roce_ack',
      kind: 'function',
      index: expect.any(Number) as number,
      signature: { parameters: ['i32', 'i32', 'f64', 'i32'], results: ['i32'] },
    });
    expect(facts.elements.flatMap(({ functions }) => functions)).toHaveLength(2);
    expect(facts.globals).toContainEqual({ type: 'i32', isMutable: true, initial: 3 });
    expect(facts.dataSegments.every(({ address }) => address !== undefined && address >= 16384)).toBe(true);
    expect(facts.stackPointer).toBeUndefined();
  });

  it('reads a module at an offset in a larger buffer', () => {
    const buffer = new Uint8Array(binary.length + 7);
    buffer.set(binary, 5);
    expect(inspectModule(buffer.subarray(5, 5 + binary.length))).toEqual(inspectModule(binary));
  });
});

/** Two i32 globals; only the second is mutable, as a stack pointer must be. */
const TWO_GLOBALS = [[I32, 0, ...i32(7)], [I32, 1, ...i32(24576)]];
const names = (index: number) => custom('name', section(7, list([[index, ...text('__stack_pointer')]])));
/** `global.get 1; i32.const bytes; i32.sub; local.tee 0; global.set 1`. */
const frame = (bytes: number) => [0x23, 1, 0x41, ...signed(bytes), 0x6b, 0x22, 0, 0x24, 1, 0x41, 0];
const withFrame = (bytes: number) => algorithmWith({ ...algorithmParts(frame(bytes)), globals: TWO_GLOBALS });

describe('inspectModule, for hand-written modules', () => {
  it('reads the initial value of globals of each type', () => {
    const globals = [
      [0x7f, 0, 0x41, ...signed(-5), END],
      [0x7e, 1, 0x42, ...signed(-(2n ** 63n)), END],
      [0x7d, 0, 0x43, 0, 0, 0xc0, 0x3f, END],
      [0x7c, 1, 0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, END],
      [0x7b, 0, 0xfd, 0x0c, ...Array.from({ length: 16 }, () => 1), END],
    ];
    expect(inspectModule(algorithmWith({ globals })).globals.map(({ initial }) => initial))
      .toEqual([-5, -(2n ** 63n), 1.5, 1.5, undefined]);
  });

  it('reads addresses above 2 GiB, and distinguishes passive data segments', () => {
    const data = [[0, ...i32(0xfffffff0), 1, 9], [1, 2, 8, 8], [2, 0, ...i32(16384), 0]];
    expect(inspectModule(algorithmWith({ dataCount: 3, data })).dataSegments)
      .toEqual([{ address: 0xfffffff0, lenBytes: 1 }, { lenBytes: 2 }, { address: 16384, lenBytes: 0 }]);
  });

  it.each([
    ['by its export', algorithmWith({ globals: TWO_GLOBALS, exports: [exported('__stack_pointer', 3, 1)] }), 1],
    ['by its name', algorithmWith({ globals: TWO_GLOBALS, custom: [names(1)] }), 1],
    ['by the frame of a function', withFrame(32), 1],
    [
      'as the first global of a module from LLVM',
      algorithmWith({ globals: [TWO_GLOBALS[1]!], custom: [custom('target_features', [0])] }),
      0,
    ],
    ['but not a counter that is decremented', withFrame(1), undefined],
    ['but not a constant global', algorithmWith({ globals: TWO_GLOBALS, custom: [names(0)] }), undefined],
    ['but not by bad names', algorithmWith({ globals: TWO_GLOBALS, custom: [custom('name', [7, 9, 200])] }), undefined],
  ])('finds the stack pointer %s', (_, bytes, expected) => {
    expect(inspectModule(bytes).stackPointer).toBe(expected);
  });

  it('finds the ranges that a start function of wasm-ld fills with zeros', () => {
    const code = [0x41, ...signed(24576), 0x41, 0, 0x41, ...signed(128), 0xfc, 0x0b, 0];
    const parts = algorithmParts();
    const filling = { ...parts, types: [...parts.types, functionType([], [])], start: 2 };
    const startOf = (instructions: readonly number[]) =>
      inspectModule(moduleOf({ ...filling, functions: [...parts.functions, { type: 2, code: instructions }] })).start;
    expect(startOf([...code, ...code])?.zeroed).toEqual(
      Array.from({ length: 2 }, () => ({ address: 24576, lenBytes: 128 })),
    );
    expect(startOf([])).toEqual({ index: 2, zeroed: [] });
    const others = [[0x01], [...code, 0x0f], [0x41, 0, 0x1a], [0x02, 0x40, END, ...code], [
      0x41,
      0,
      0x41,
      1,
      0x41,
      8,
      0xfc,
      0x0b,
      0,
    ], [0x41, 0, 0x41, 0, 0x41, 8, 0xfc, 0x0a, 0, 0]];
    for (const other of others) expect([other, startOf(other)]).toEqual([other, { index: 2, zeroed: undefined }]);
  });

  it('reads the declaration, and no other custom section', () => {
    const declaration = '{"name":"aimd","title":"ä"}';
    const bytes = algorithmWith({
      custom: [custom('x', [0xff]), custom('roce_cc_algorithm', text(declaration).slice(1)), custom('y', [])],
    });
    expect(inspectModule(bytes).declaration).toBe(declaration);
    expect(inspectModule(algorithmWith({})).declaration).toBeUndefined();
  });
});

describe('inspectModule', () => {
  const declared = custom('roce_cc_algorithm', [0x7b, 0x7d]);
  it.each([
    [
      'an empty module',
      Uint8Array.of(),
      'module does not begin with the header of WebAssembly version 1 (got Uint8Array(0) []).',
    ],
    [
      'another version',
      Uint8Array.from([...HEAD.slice(0, 4), 2, 0, 0, 0]),
      'module does not begin with the header of WebAssembly version 1 (got Uint8Array(8) [0, 97, 115, 109, 2, 0, 0, 0]).',
    ],
    [
      'an unknown section',
      Uint8Array.from([...HEAD, 13, 0]),
      'module, byte 8: section 13 is not supported.',
    ],
    [
      'sections in another order',
      Uint8Array.from([...HEAD, ...section(3, [0]), ...section(1, [0])]),
      'module, byte 11: section type is out of order.',
    ],
    [
      'a repeated section',
      Uint8Array.from([...HEAD, ...section(1, [0]), ...section(1, [0])]),
      'module, byte 11: section type is out of order.',
    ],
    [
      'a section that is longer than the module',
      Uint8Array.from([...HEAD, 1, 100, 0]),
      'The module at byte 10 needs 100 bytes, but 1 is available.',
    ],
    [
      'more items than bytes',
      Uint8Array.from([...HEAD, ...section(1, [0xff, 0xff, 0xff, 0xff, 0x0f])]),
      'type section, byte 10: number of items must be 0 (got 4,294,967,295).',
    ],
    [
      'bytes after the items',
      Uint8Array.from([...HEAD, ...section(1, [0, 0])]),
      'type section, byte 11: bytes after the end must be 0 (got 1).',
    ],
    [
      'a declaration that is not UTF-8',
      algorithmWith({ custom: [custom('roce_cc_algorithm', [0xff])] }),
      /^custom section roce_cc_algorithm, byte \d+: text is not UTF-8\.$/,
    ],
    [
      'two declarations',
      algorithmWith({ custom: [declared, declared] }),
      'custom section roce_cc_algorithm occurs 2 times.',
    ],
    [
      'an address that is not constant',
      algorithmWith({ globals: [[I32, 0, ...i32(0)]], data: [[0, 0x23, 0, END, 0]] }),
      /^data section, byte \d+: expression is not a constant\.$/,
    ],
    [
      'an address that is computed',
      algorithmWith({ data: [[0, 0x41, 0, 0x41, 0, 0x6a, END, 0]] }),
      /^data section, byte \d+: expression is not one constant\.$/,
    ],
    [
      'a 64-bit address',
      algorithmWith({ data: [[0, 0x42, 0, END, 0]] }),
      /^data section, byte \d+: offset is not an i32 constant\.$/,
    ],
    [
      'a memory with 64-bit addresses',
      algorithmWith({ imports: [[...text('env'), ...text('memory'), 2, 4, 1]] }),
      /^import section, byte \d+: flags of the size must be between 0 and 3 \(got 4\)\.$/,
    ],
    [
      'a type that is not a function type',
      algorithmWith({ types: [[0x5f, 0]] }),
      /^type section, byte \d+: item is not a function type/,
    ],
    [
      'external references',
      algorithmWith({ types: [functionType([0x6f], [])] }),
      /^type section, byte \d+: value type must be "i32", "i64", "f32", "f64" or "v128" \(got 111\)\.$/,
    ],
    [
      'a table of external references',
      algorithmWith({ tables: [[0x6f, 0, 1]] }),
      /^table section, byte \d+: entries are not functions\.$/,
    ],
    [
      'elements of a second table',
      algorithmWith({ tables: [[0x70, 0, 1]], elements: [[2, 1, ...i32(0), 0, 0]] }),
      /^element section, byte \d+: index of the table must be 0 \(got 1\)\.$/,
    ],
    [
      'passive elements',
      algorithmWith({ tables: [[0x70, 0, 1]], elements: [[1, 0, 0]] }),
      /^element section, byte \d+: kind of elements must be 0 or 2 \(got 1\)\.$/,
    ],
    [
      'a function without code',
      Uint8Array.from([...HEAD, ...section(1, [1, 0x60, 0, 0]), ...section(3, [1, 0])]),
      'module, byte 0: number of functions must be 1 (got 0).',
    ],
    [
      '4,097 locals',
      algorithmWith({ ...algorithmParts([0x41, 0], 4093) }),
      /^code section, byte \d+: number of parameters and locals must be between 0 and 4,096 \(got 4,097\)\.$/,
    ],
  ])('rejects %s', (_, bytes, message) => {
    const error = rejectionOf(() => inspectModule(bytes));
    expect(error.code).toBe('invalid-algorithm');
    expect(error.message).toMatch(message);
  });

  it('rejects a module whose sections exceed 1 MiB, not counting custom sections', () => {
    const zeros = Array.from({ length: 2 ** 20 }, () => 0);
    const data = [0, ...i32(16384), ...unsigned(zeros.length), ...zeros];
    expect(rejectionOf(() => inspectModule(algorithmWith({ data: [data] }))).message)
      .toMatch(/^sections: length must be between 0 and 1,048,576 bytes \(got 1,048,\d{3}\)\.$/);
    expect(inspectModule(algorithmWith({ custom: [custom('.debug_info', zeros)] })).exports).toHaveLength(2);
  });
});
