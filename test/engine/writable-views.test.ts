/** Callers get a view only over the frame arena of the engine memory; everything else is copied. */
import { describe, expect, it } from 'vitest';
import { REGION_FRAMES, REGIONS_ADDRESS } from '../../src/abi/layout.js';
import { createEngineSync, dcqcnSigcomm15, gbps, hpccSigcomm19, us, type Engine } from '../../src/index.js';

const LINE = { lineRateBps: gbps(100) };
const FRAME_BYTES = 4096;
const DEPTH = 4;
const ITEMS = 4;

function busyEngine(): Engine {
  const engine = createEngineSync({
    parameterSets: { paper: dcqcnSigcomm15(LINE), hpcc: hpccSigcomm19({ ...LINE, baseRttPs: us(10) }) },
    capacity: { qps: 16, endpoints: 4, addresses: 8, events: 64, packets: 8, frameBytes: FRAME_BYTES },
    trace: { records: 64 },
  });
  engine.addEndpoint(['10.0.0.1']);
  engine.openQp({ localQpn: 1, peerAddress: '10.0.0.9' });
  engine.openQp({ localQpn: 2, peerAddress: '10.0.0.9', parameterSet: 'hpcc' });
  engine.packets.add(1, new Uint8Array(60));
  engine.applyPackets();
  engine.events.cnp(1000, 0);
  engine.applyEvents();
  return engine;
}

/** Methods that dispose of the engine or replace its results. */
const LEFT_OUT = ['constructor', 'dispose', 'clear', 'finish', 'setLength', 'applyEvents', 'applyPackets', 'restore'];

/** The views over `buffer` that fields, getters, and methods without or with small arguments return, by path. */
function reachable(root: object, buffer: ArrayBufferLike): Map<string, ArrayBufferView> {
  const found = new Map<string, ArrayBufferView>();
  const seen = new Set<unknown>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value === buffer) throw new Error(`the memory itself: ${path}`);
    if (ArrayBuffer.isView(value)) {
      if (value.buffer === buffer) found.set(path, value);
      return;
    }
    if (depth === DEPTH) return;
    for (const [name, member] of membersOf(value)) visit(member, `${path}.${name}`, depth + 1);
  };
  visit(root, 'engine', 0);
  return found;
}

function* membersOf(object: object): Generator<[string, unknown]> {
  if (Array.isArray(object)) return yield* object.map((item, index): [string, unknown] => [String(index), item]);
  if (Symbol.iterator in object) yield ['items', [...object as Iterable<unknown>].slice(0, ITEMS)];
  for (const owner of ownersOf(object)) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (!LEFT_OUT.includes(name)) yield* valuesOf(object, name, property);
    }
  }
}

function valuesOf(object: object, name: string, property: PropertyDescriptor): [string, unknown][] {
  const { value } = property as { readonly value?: unknown };
  if (property.get !== undefined) return [[name, Reflect.get(object, name)]];
  if (typeof value !== 'function') return [[name, value]];
  return [[], [0], [1]].map((args) => [`${name}()`, attempt(value as () => unknown, object, args)]);
}

/** The object and its prototypes. */
function ownersOf(object: object): object[] {
  const above = Object.getPrototypeOf(object) as object | null;
  return above === null || above === Object.prototype ? [object] : [object, ...ownersOf(above)];
}

function attempt(method: () => unknown, object: object, args: unknown[]): unknown {
  try {
    return Reflect.apply(method, object, args) as unknown;
  } catch {
    return undefined;
  }
}

describe('views over the memory of an engine', () => {
  it('cover only the frame arena and frames within it', () => {
    const engine = busyEngine();
    const { buffer } = engine.packets.arena;
    const found = reachable(engine, buffer);
    expect([...found.keys()]).toEqual(['engine.packets.arena', 'engine.packets.frame()']);
    const arena = found.get('engine.packets.arena')!;
    const frames = new Uint32Array(buffer, REGIONS_ADDRESS)[REGION_FRAMES]!;
    expect([arena.byteOffset, arena.byteLength]).toEqual([frames, FRAME_BYTES]);
    const frame = found.get('engine.packets.frame()')!;
    expect([frame.byteOffset, frame.byteLength]).toEqual([frames, 60]);
  });

  it('are detected by this test in getters, lists and methods', () => {
    const { packets } = busyEngine();
    const { buffer } = packets.arena;
    const part = {
      get peek() {
        return new Float64Array(buffer, 0, 1);
      },
    };
    const leaky = { part, list: [{ at: () => packets.arena }] };
    expect([...reachable(leaky, buffer).keys()]).toEqual(['engine.part.peek', 'engine.list.0.at()']);
  });

  it('do not include snapshots, which are copies', () => {
    const engine = busyEngine();
    const hash = engine.stateHash();
    engine.snapshot().fill(0xff);
    expect(engine.stateHash()).toBe(hash);
  });
});
