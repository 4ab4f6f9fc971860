/** Callers without types get a result or a RoceError that names the argument, and a rejected call changes nothing. */
import { describe, expect, it } from 'vitest';
import { createCongestionPointSync, createEngineSync, dcqcnSigcomm15, gbps, hpccSigcomm19, RoceError,
  us } from '../../src/index.js';
import { importCcParams, importIrdma, importMlxconfig, importRoceSysfs } from '../../src/config/importers/index.js';
import type { Engine } from '../../src/engine/engine.js';
import { createEngineStreaming } from '../../src/engine/streaming.js';
import { referenceBackend } from '../../src/reference/index.js';

const LINE = { lineRateBps: gbps(100) };
const NONSENSE = [
  undefined,
  null,
  true,
  -1,
  0.5,
  2 ** 32 + 7,
  NaN,
  Infinity,
  '5',
  '',
  'x',
  7n,
  {},
  [],
  [null],
  Symbol('s'),
  new Uint8Array(3),
  () => 0,
  Object.create(null),
  new Date(NaN),
] as unknown[];

function engineOf(backend: 'wasm' | 'js'): Engine {
  const engine = createEngineSync({
    backend: backend === 'js' ? referenceBackend : 'wasm',
    hashSeed: 1,
    parameterSets: { paper: dcqcnSigcomm15(LINE), hpcc: hpccSigcomm19({ ...LINE, baseRttPs: us(10) }) },
    capacity: { qps: 16, endpoints: 4, addresses: 8, events: 64, packets: 8, frameBytes: 4096 },
  });
  engine.addEndpoint(['10.0.0.1']);
  engine.openQp({ localQpn: 1, peerAddress: '10.0.0.9' });
  engine.openQp({ localQpn: 2, peerAddress: '10.0.0.9', parameterSet: 'hpcc' });
  return engine;
}

type Call = (engine: Engine, ...nonsense: never[]) => unknown;
/** The objects whose public methods are called, found by name. */
const METHODS: Record<string, (object: never) => unknown> = {
  engine: (engine: Engine) => engine,
  events: (engine: Engine) => engine.events,
  packets: (engine: Engine) => engine.packets,
  actions: (engine: Engine) => engine.actions,
  trace: (engine: Engine) => engine.trace,
  qp: (engine: Engine) => engine.qp(0),
};
/** Methods that dispose of the engine, or that only the engine calls. */
const LEFT_OUT = new Set(['constructor', 'dispose', 'setLength', 'finish']);

function methodsOf(object: object): string[] {
  const prototype = Object.getPrototypeOf(object) as object;
  return Object.getOwnPropertyNames(prototype).filter((name) => {
    const value: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    return typeof value === 'function' && !LEFT_OUT.has(name);
  });
}

describe.each(['wasm', 'js'] as const)('an engine on %s', (backend) => {
  const cases = Object.entries(METHODS).flatMap(([part, get]) =>
    methodsOf(get(engineOf(backend) as never) as object).map((method) => [part, method] as const)
  );

  it.each(cases)('throws a RoceError for an invalid %s.%s, or accepts the value', (part, method) => {
    const engine = engineOf(backend);
    const object = METHODS[part]!(engine as never) as Record<string, Call>;
    for (let count = 0; count <= 3; count++) {
      for (const value of NONSENSE) {
        const args = Array.from({ length: count }, (_, index) => (index === count - 1 ? value : 0));
        const before = engine.stateHash();
        try {
          (object[method] as (...values: unknown[]) => unknown).apply(object, args);
        } catch (error) {
          expect(error).toBeInstanceOf(RoceError);
          expect((error as RoceError).message.length).toBeLessThan(1000);
          expect(engine.stateHash()).toBe(before);
        }
        if (engine.events.length > 32) engine.events.clear();
        if (engine.packets.length > 4) engine.packets.clear();
      }
    }
  });

  it('rejects arguments that an earlier version accepted', () => {
    const engine = engineOf(backend);
    const rejections: [() => unknown, string][] = [
      [() => engine.findLocal(0, 2 ** 32 + 1), 'localQpn'],
      [() => engine.findLocal(0, 1.9), 'localQpn'],
      [() => engine.actions.get(99), 'index'],
      [() => engine.packets.report(100), 'index'],
      [() => engine.packets.frame(0), 'index'],
      [() => {
        engine.packets.add(0, new Uint8Array(4), -1);
      }, 'originalBytes'],
      [() => {
        engine.packets.add(0, new Uint8Array(4), 4, 'token-ring' as never);
      }, 'link'],
      [() => {
        engine.packets.add(0, null as never);
      }, 'bytes'],
      [() => {
        engine.packets.addInPlace(0, 2 ** 32, 8, 8);
      }, 'offset'],
      [() => {
        engine.events.loss(0, 0, 'slow' as never);
      }, 'found'],
      [() => {
        engine.events.touch(0.5, 0);
      }, 'timePs'],
      [() => {
        engine.events.touch('5' as never, 0);
      }, 'timePs'],
      [() => engine.openQp(null as never), 'openQp'],
      [() => engine.openQp({ localQpn: 3, peerAddress: null as never }), 'peerAddress'],
      [() => engine.addEndpoint('::1' as never), 'addresses'],
      [() => engine.findFlow(0, null as never, 5), 'peerAddress'],
    ];
    for (const [call, where] of rejections)
      expect(call).toThrow(expect.objectContaining({ name: 'RoceError', where }) as Error);
  });

  it('assigns no number to a rejected endpoint and keeps no address of it', () => {
    const engine = engineOf(backend);
    const before = engine.snapshot();
    expect(() => engine.addEndpoint(['10.0.0.2', '10.0.0.1'])).toThrow(RoceError);
    expect(() => engine.addEndpoint(['10.0.0.3', '10.0.0.3'])).toThrow(RoceError);
    expect(() => engine.addEndpoint(['10.0.0.4', 'no address'])).toThrow(RoceError);
    expect(() => engine.addEndpoint(Array.from({ length: 9 }, (_, index) => `10.0.1.${index}`))).toThrow(RoceError);
    expect(engine.addEndpoint(['10.0.0.2', '10.0.0.3', '10.0.0.4'])).toBe(1);
    engine.restore(before);
    expect(engine.addEndpoint(['10.0.0.2'])).toBe(1);
  });
});

describe('a function outside the engine', () => {
  const functions: Record<string, (value: never) => unknown> = {
    createEngineSync,
    createCongestionPointSync,
    importCcParams: (value) => importCcParams('a=1', value),
    importRoceSysfs: (value) => importRoceSysfs('a=1', value),
    importMlxconfig: (value) => importMlxconfig('a', value),
    importIrdma: (value) => importIrdma('a', value),
    'importIrdma, text': (value) => importIrdma(value, { ...LINE, mssBytes: 4096, rttPs: us(10) }),
  };

  it.each(Object.entries(functions))('throws a RoceError for invalid arguments: %s', (_, call) => {
    for (const value of NONSENSE) {
      if (typeof value !== 'string') expect(() => call(value as never)).toThrow(RoceError);
    }
  });

  it('rejects a module that is not from this package: createEngineStreaming', async () => {
    const options = { parameterSets: { paper: dcqcnSigcomm15(LINE) } };
    const wasm = { headers: { 'content-type': 'application/wasm' } };
    const others = [
      null,
      {},
      new Response('no', { status: 404 }),
      new Response('garbage', wasm),
      new Response(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), wasm),
    ];
    for (const other of others) {
      await expect(createEngineStreaming(options, other as never)).rejects.toBeInstanceOf(RoceError);
    }
  });
});
