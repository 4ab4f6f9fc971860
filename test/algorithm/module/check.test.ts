/** Each rule of `checkModule` rejects a module that breaks only that rule. */
import { describe, expect, it } from 'vitest';
import { checkModule } from '../../../src/algorithm/module/check.js';
import { rejectionOf } from '../../support/rejection.js';
import { compileAlgorithm } from './support/compile.js';
import { instanceOf } from './support/instance.js';
import { algorithm, algorithmParts, algorithmWith, custom, exported, F64, functionType, HANDLER_TYPES, I32, i32, list,
  memoryImport, moduleOf, section, signed, text, type Parts } from './support/module-bytes.js';

const parts = algorithmParts();
const [versionExport, ackExport] = parts.exports as [number[], number[]];
const functionImport = (name: string) => [...text('env'), ...text(name), 0, 1];
/** A module with a start function. */
const started = (code: readonly number[]) =>
  moduleOf({
    ...parts,
    types: [...parts.types, functionType([], [])],
    functions: [...parts.functions, { type: 2, code }],
    start: 2,
  });
const fill = (address: number,
  lenBytes: number) => [0x41, ...signed(address), 0x41, 0, 0x41, ...signed(lenBytes), 0xfc, 0x0b, 0];
const withType = (type: readonly number[], code: readonly number[]): Partial<Parts> => ({
  types: [HANDLER_TYPES[0]!, HANDLER_TYPES[1]!, type],
  functions: [parts.functions[0]!, { type: 2, code }],
});
const stackPointer = (initial: number): Partial<Parts> => ({
  globals: [[I32, 1, ...i32(initial)]],
  custom: [custom('name', section(7, list([[0, ...text('__stack_pointer')]])))],
});
const REGION_HINT = 'clang: -Wl,--stack-first -Wl,-z,stack-size=24576; AssemblyScript: --memoryBase 16384.';

const REJECTED: readonly (readonly [rule: string, bytes: Uint8Array, message: string])[] = [
  [
    'an imported function',
    algorithmWith({ imports: [memoryImport([0, 1]), functionImport('now')] }),
    'import env.now is not provided by the host (got "a function"); allowed: only the memory env.memory.',
  ],
  [
    'the import that asc adds for failed assertions',
    algorithmWith({ imports: [memoryImport([0, 1]), functionImport('abort')] }),
    'import env.abort is not provided by the host (got "a function"); allowed: only the memory env.memory. ' +
    'AssemblyScript: add --use abort= to the options of asc.',
  ],
  [
    'an imported table',
    algorithmWith({ imports: [memoryImport([0, 1]), [...text('env'), ...text('table'), 1, 0x70, 0, 1]] }),
    'import env.table is not provided by the host (got "a table"); allowed: only the memory env.memory.',
  ],
  [
    'an imported global',
    algorithmWith({ imports: [memoryImport([0, 1]), [...text('env'), ...text('base'), 3, I32, 0]] }),
    'import env.base is not provided by the host (got "a global"); allowed: only the memory env.memory.',
  ],
  [
    'a memory with another name',
    algorithmWith({ imports: [memoryImport([0, 1], 'mem')] }),
    'import env.mem is not provided by the host (got "a memory"); allowed: only the memory env.memory.',
  ],
  ['a shared memory', algorithmWith({ imports: [memoryImport([3, 1, 1])] }), 'import env.memory must not be shared.'],
  [
    'a module without a memory',
    algorithmWith({ imports: undefined }),
    'import env.memory is missing; it must be the only memory and the only import. ' +
    'clang: -Wl,--import-memory; AssemblyScript: --importMemory.',
  ],
  [
    'a memory inside the module',
    algorithmWith({ imports: undefined, memories: [[0, 1]] }),
    'import env.memory must be the only memory and the only import (got "a memory in the module"). ' +
    'clang: -Wl,--import-memory; AssemblyScript: --importMemory.',
  ],
  [
    'more memory than the region needs',
    algorithmWith({ imports: [memoryImport([0, 3])] }),
    'import env.memory: minimum must be between 0 and 2 pages of 64 KiB (got 3).',
  ],
  [
    'a module without a version',
    algorithmWith({ exports: [ackExport] }),
    'export roce_abi_version is missing; it must be a function () -> i32.',
  ],
  [
    'a version with another signature',
    moduleOf({
      ...parts,
      ...withType(functionType([], [F64]), [0x44, 0, 0, 0, 0, 0, 0, 0, 0]),
      exports: [exported('roce_abi_version', 0, 1), exported('roce_ack', 0, 1)].slice(0, 1),
    }),
    'export roce_abi_version must be a function () -> i32 (got "a function () -> f64").',
  ],
  [
    'a version that is not a function',
    algorithmWith({ globals: [[I32, 0, ...i32(1)]], exports: [exported('roce_abi_version', 3, 0)] }),
    'export roce_abi_version must be a function () -> i32 (got "a global").',
  ],
  [
    'a module without a handler',
    algorithmWith({ exports: [versionExport, exported('ack', 0, 1)] }),
    'exports have no handler (got ["roce_abi_version", "ack"]); allowed: "roce_open", "roce_sent", "roce_ack", "roce_cnp", ' +
    '"roce_fast_cnp", "roce_loss", "roce_timer" or "roce_nack".',
  ],
  [
    'a handler with another parameter',
    algorithmWith(withType(functionType([I32, I32, F64], [I32]), [0x41, 0])),
    'export roce_ack must be a function (i32, i32, f64, i32) -> i32 (got "a function (i32, i32, f64) -> i32").',
  ],
  [
    'a handler without a result',
    algorithmWith(withType(functionType([I32, I32, F64, I32], []), [])),
    'export roce_ack must be a function (i32, i32, f64, i32) -> i32 (got "a function (i32, i32, f64, i32) -> ()").',
  ],
  [
    'a handler whose name is misspelled',
    algorithmWith({ exports: [versionExport, ackExport, exported('roce_los', 0, 1)] }),
    'export roce_los is not a handler; allowed: "roce_open", "roce_sent", "roce_ack", "roce_cnp", "roce_fast_cnp", ' +
    '"roce_loss", "roce_timer", "roce_nack" or "roce_abi_version".',
  ],
  [
    'the export that metering adds',
    algorithmWith({ globals: [[I32, 0, ...i32(1)]], exports: [versionExport, ackExport, exported('roce_fuel', 3, 0)] }),
    'export roce_fuel is not a handler; allowed: "roce_open", "roce_sent", "roce_ack", "roce_cnp", "roce_fast_cnp", ' +
    '"roce_loss", "roce_timer", "roce_nack" or "roce_abi_version".',
  ],
  [
    'a start function',
    started([0x01]),
    'start function is not allowed, unless all it does is to fill constant ranges with zeros (got "function 2"). ' +
    'AssemblyScript: no statement outside functions; C and C++: no constructor of a static object.',
  ],
  [
    'a start function that fills bytes outside the region',
    started(fill(16376, 16)),
    'zero fill of the start function is outside the region of the module (first byte is 16,376 and last byte 16,391); ' +
    `allowed: bytes 16,384 to 81,919. ${REGION_HINT}`,
  ],
  [
    'an initialization function',
    algorithmWith({ exports: [versionExport, ackExport, exported('_initialize', 0, 1)] }),
    'export _initialize is never called: a module has no start function.',
  ],
  [
    'memory.grow',
    algorithm([0x41, 1, 0x40, 0]),
    'function 1 has a memory.grow. A handler allocates nothing: no malloc, in AssemblyScript no new, string or array.',
  ],
  [
    'an exported table',
    algorithmWith({ tables: [[0x70, 0, 1]], exports: [versionExport, ackExport, exported('t', 1, 0)] }),
    'export t is a table, which stays in the module.',
  ],
  [
    'two tables',
    algorithmWith({ tables: [[0x70, 0, 1], [0x70, 0, 1]] }),
    'tables: number must be between 0 and 1 (got 2).',
  ],
  [
    'a table with too many entries',
    algorithmWith({ tables: [[0x70, 0, 0x81, 0x80, 0x04]] }),
    'table 0: number of entries must be between 0 and 65,536 (got 65,537).',
  ],
  [
    'elements past the end of the table',
    algorithmWith({ tables: [[0x70, 0, 1]], elements: [[0, ...i32(0), 2, 0, 0]] }),
    'elements 0: end in the table must be between 0 and 1 (got 2).',
  ],
  [
    'data below the region',
    algorithmWith({ data: [[0, ...i32(16383), 1, 9]] }),
    'data segment 0 is outside the region of the module (first byte is 16,383 and last byte 16,383); ' +
    `allowed: bytes 16,384 to 81,919. ${REGION_HINT}`,
  ],
  [
    'data across the end of the region',
    algorithmWith({ data: [[0, ...i32(16384), 1, 9], [0, ...i32(81919), 2, 9, 9]] }),
    'data segment 1 is outside the region of the module (first byte is 81,919 and last byte 81,920); ' +
    `allowed: bytes 16,384 to 81,919. ${REGION_HINT}`,
  ],
  [
    'data in two regions',
    algorithmWith({ data: [[0, ...i32(90000), 1, 9], [0, ...i32(16384), 1, 9]] }),
    'data segment 0 is outside the region of the module (first byte is 90,000 and last byte 90,000); ' +
    `allowed: bytes 16,384 to 81,919. ${REGION_HINT}`,
  ],
  [
    'a stack below the region',
    algorithmWith(stackPointer(8192)),
    'global 0 (stack pointer) is outside the region of the module (first byte is 8,191 and last byte 8,191); ' +
    `allowed: bytes 16,384 to 81,919. ${REGION_HINT}`,
  ],
  [
    'a stack that begins above the region',
    algorithmWith({ ...stackPointer(81936), data: [[0, ...i32(16384), 1, 9]] }),
    'global 0 (stack pointer) is outside the region of the module (first byte is 81,935 and last byte 81,935); ' +
    `allowed: bytes 16,384 to 81,919. ${REGION_HINT}`,
  ],
];

const INVALID: readonly (readonly [rule: string, code: readonly number[]])[] = [
  ['code with a result of the wrong type', [0x44, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['memory.init of data that the module does not have', [0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 0x08, 0, 0, 0x41, 0]],
];

describe('checkModule', () => {
  it.each(REJECTED)('rejects %s', (_, bytes, message) => {
    expect(WebAssembly.validate(Uint8Array.from(bytes))).toBe(true);
    const error = rejectionOf(() => checkModule(bytes));
    expect(error.message).toBe(message);
    expect(error.code).toBe('invalid-algorithm');
  });

  it.each(INVALID)('rejects %s', (_, code) => {
    expect(rejectionOf(() => checkModule(algorithm(code))).message).toBe('module is not valid WebAssembly.');
  });

  it.each([
    ['the smallest module', algorithm([0x41, 0]), undefined],
    ['a memory with a maximum', algorithmWith({ imports: [memoryImport([1, 1, 2])] }), undefined],
    [
      'a table with elements',
      algorithmWith({ tables: [[0x70, 1, 2, 2]], elements: [[0, ...i32(1), 1, 1]] }),
      undefined,
    ],
    [
      'data at both ends of the region',
      algorithmWith({ data: [[0, ...i32(16384), 1, 9], [0, ...i32(81919), 1, 9]] }),
      0,
    ],
    [
      'data in the second region',
      algorithmWith({ data: [[0, ...i32(81920), 1, 9]], imports: [memoryImport([0, 3])] }),
      1,
    ],
    ['a stack at the end of the region', algorithmWith(stackPointer(81920)), 0],
    ['a stack at the end of the second region', algorithmWith(stackPointer(81920 + 65536)), 1],
    ['a start function that fills its region', started([...fill(16384, 65536), ...fill(20000, 8)]), 0],
    [
      'data for memory.init',
      algorithmWith({
        ...algorithmParts([0x41, ...signed(20000), 0x41, 0, 0x41, 1, 0xfc, 0x08, 0, 0, 0x41, 0]),
        dataCount: 1,
        data: [[1, 1, 7]],
      }),
      undefined,
    ],
    [
      'a module that exports its memory',
      algorithmWith({ exports: [versionExport, ackExport, exported('memory', 2, 0)] }),
      undefined,
    ],
  ])('accepts %s', (_, bytes, region) => {
    expect(checkModule(bytes)).toMatchObject({ handlers: ['roce_ack'] });
    expect(checkModule(bytes).region).toBe(region);
  });

  it('checks a module against the given region', () => {
    const second = algorithmWith({ data: [[0, ...i32(81920), 1, 9]] });
    expect(checkModule(second, { region: 1 }).region).toBe(1);
    expect(rejectionOf(() => checkModule(second, { region: 0 })).message).toContain('allowed: bytes 16,384 to 81,919.');
    expect(rejectionOf(() => checkModule(algorithmWith({ data: [[0, ...i32(16384), 1, 9]] }), { region: 1 })).hint)
      .toBe('clang: -Wl,--stack-first -Wl,-z,stack-size=90112; AssemblyScript: --memoryBase 81920');
    expect(checkModule(algorithm([0x41, 0]), { region: 3 }).region).toBe(3);
  });

  it('accepts a module that asc compiles, and rejects one that allocates memory', async () => {
    const handler = (body: string) => `
      export function roce_abi_version(): i32 { return 1; }
      export function roce_timer(qp: usize, parameters: usize, timePs: f64, argument: i32): i32 { ${body} return 0; }`;
    const good = await compileAlgorithm(handler('store<f64>(qp, load<f64>(qp) / 2);'));
    expect(checkModule(good)).toMatchObject({ handlers: ['roce_timer'], region: undefined });
    expect(instanceOf(good).handler('roce_timer')(0, 0, 1, 0)).toBe(0);
    const allocating = await compileAlgorithm(
      handler('store<usize>(qp, changetype<usize>(new Array<f64>(argument)));'),
    );
    expect(rejectionOf(() => checkModule(allocating)).message).toMatch(/memory\.grow|start function/);
  });
});
