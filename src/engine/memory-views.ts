/**
 * Typed views of an engine's linear memory, created once: memory never grows after `initialise`, so they stay valid.
 */
import { COUNTERS_ADDRESS, REGIONS_ADDRESS } from '../abi/layout.js';
import type { EngineAbi } from '../abi/engine-abi.js';
import { disposed } from './engine-errors.js';

/** Typed views, one per element type. */
interface Views {
  readonly buffer: ArrayBuffer;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly f64: Float64Array;
}

/** Views of one engine's memory. After the engine is disposed, each use throws and the memory can be freed. */
export class MemoryViews implements Views {
  #views: Views | undefined;

  constructor(buffer: ArrayBuffer) {
    this.#views = {
      buffer,
      u8: new Uint8Array(buffer),
      u16: new Uint16Array(buffer),
      u32: new Uint32Array(buffer),
      f64: new Float64Array(buffer),
    };
  }

  get buffer(): ArrayBuffer {
    return this.use().buffer;
  }
  get u8(): Uint8Array {
    return this.use().u8;
  }
  get u16(): Uint16Array {
    return this.use().u16;
  }
  get u32(): Uint32Array {
    return this.use().u32;
  }
  get f64(): Float64Array {
    return this.use().f64;
  }

  /** Returns the views. @throws RoceError `disposed`. */
  use(): Views {
    if (this.#views === undefined) throw disposed();
    return this.#views;
  }

  dispose(): void {
    this.#views = undefined;
  }
}

export function viewMemory(abi: Pick<EngineAbi, 'memory'>): MemoryViews {
  return new MemoryViews(abi.memory.buffer);
}

/** Writes a record of u32 words at a byte address; `fields` maps each name to its value. */
export function writeWords<Name extends string>(buffer: ArrayBuffer, at: number, fields: Readonly<Record<Name, number>>,
  values: Readonly<Record<Name, number>>): void {
  const words = new Uint32Array(buffer, at);
  for (const name in fields) words[fields[name]] = values[name];
}

/** Byte address of region REGION_*. */
export function regionAddress(views: MemoryViews, region: number): number {
  return views.u32[(REGIONS_ADDRESS >>> 2) + region] ?? 0;
}

/** Value of counter COUNTER_*. */
export function readCounter(views: MemoryViews, counter: number): number {
  return views.f64[(COUNTERS_ADDRESS >>> 3) + counter] ?? 0;
}
