/**
 * The region of a module: the bytes of linear memory that hold its static data and its shadow stack. Memory below
 * belongs to the engine, memory above to the next module or to the engine.
 */
import { number } from '../../error-text.js';
import { PAGE_BYTES, REGION_ADDRESS, REGION_BYTES } from './abi.js';
import { invalidModule } from './byte-stream.js';
import type { ByteRange, ModuleFacts } from './binary-format.js';

/** Stack size that the linker hint proposes. */
const STACK_BYTES = 8192;

/** Bytes that a module occupies, and a name for them in errors. */
interface Occupied extends ByteRange {
  readonly what: string;
}

/**
 * The region that a module occupies, or the given one; undefined if it needs none and none is given.
 * @throws `RoceError` if any of its bytes are outside the region, or if it requires more memory than the region has
 */
export function requireInRegion(facts: ModuleFacts, given: number | undefined): number | undefined {
  const occupied = occupiedBy(facts);
  const region = given ?? regionOf(occupied);
  const begin = regionAddress(region ?? 0);
  for (const { what, address, lenBytes } of occupied) {
    if (address >= begin && address + lenBytes <= begin + REGION_BYTES) continue;
    throw invalidModule(what, {
      problem: 'is outside the region of the module',
      got: { 'first byte': address, 'last byte': address + lenBytes - 1 },
      allowed: `bytes ${number(begin)} to ${number(begin + REGION_BYTES - 1)}`,
      hint: linkerHint(begin),
    });
  }
  requirePages(facts, begin + REGION_BYTES);
  return region;
}

/**
 * Explicit options make every linker release lay out memory the same way: LLVM 22 changed the default order of data and
 * stack.
 */
function linkerHint(begin: number): string {
  const clang = `-Wl,--stack-first -Wl,-z,stack-size=${begin + STACK_BYTES}`;
  return `clang: ${clang}; AssemblyScript: --memoryBase ${begin}`;
}

/** First byte of a region. */
export function regionAddress(region: number): number {
  return REGION_ADDRESS + region * REGION_BYTES;
}

/** The region that contains an address: 0 for the first one. */
export function regionIndexOf(address: number): number {
  return Math.floor((address - REGION_ADDRESS) / REGION_BYTES);
}

/** The region of the lowest occupied byte. A byte below all regions counts as region 0, where it is then an error. */
function regionOf(occupied: readonly Occupied[]): number | undefined {
  if (occupied.length === 0) return undefined;
  const first = occupied.reduce((least, { address }) => Math.min(least, address), Infinity);
  return Math.max(0, regionIndexOf(first));
}

function occupiedBy({ dataSegments, start, globals, stackPointer }: ModuleFacts): Occupied[] {
  const data = dataSegments.flatMap(({ address, lenBytes }, index) =>
    address === undefined ? [] : { what: `data segment ${index}`, address, lenBytes }
  );
  const zeroed = (start?.zeroed ?? []).map((range) => ({ what: 'zero fill of the start function', ...range }));
  return [...data, ...zeroed, ...stackOf(stackPointer, globals)];
}

/** The stack grows down: the first byte it uses is just below its pointer. */
function stackOf(stackPointer: number | undefined, globals: ModuleFacts['globals']): Occupied[] {
  if (stackPointer === undefined) return [];
  const top = Number(globals[stackPointer].initial) >>> 0;
  return [{ what: `global ${stackPointer} (stack pointer)`, address: top - 1, lenBytes: 1 }];
}

function requirePages({ imports }: ModuleFacts, end: number): void {
  const max = Math.ceil(end / PAGE_BYTES);
  const got = imports[0]?.limits?.min ?? 0;
  if (got > max) {
    throw invalidModule('import env.memory', {
      what: 'minimum',
      got,
      allowed: { min: 0, max, unit: 'pages of 64 KiB' },
    });
  }
}
