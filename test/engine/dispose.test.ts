import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, hpccNs3, type Engine, type EngineOptions } from '../../src/index.js';
import { BACKENDS } from '../support/backends.js';

const ADDRESS = '2001:db8::1';
const FAST_CNP = { endpoint: 0, source: ADDRESS, originalDestination: ADDRESS, destQpn: 1 };
const TELEMETRY = { kind: 'exact', hops: [] } as const;

/** The public methods and getters of the prototype of `object`, except its constructor and `dispose`. */
function membersOf(object: object): string[] {
  const names = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)))
    .map(([name]) => name);
  return names.filter((name) => !['constructor', 'dispose', 'finish', 'setLength'].includes(name));
}

/** Arguments that an engine accepts before it is disposed of, by method. */
const ENGINE_ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  addEndpoint: [[]],
  openQp: [{ localQpn: 9 }],
  advance: [1],
  sent: [1, 0, 64],
  cnp: [1, 0],
  marked: [1, 0],
  touch: [1, 0],
  cnpFields: [{ kind: 'cnp', timePs: 1, qp: 0, pKey: 1 }, ADDRESS],
  findFlow: [0, ADDRESS, 1],
  findLocal: [0, 1],
  flowProbes: [0, ADDRESS, 1],
  restore: [new Uint8Array(8)],
};
const EVENT_ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  sent: [1, 0, 64],
  cnp: [1, 0],
  marked: [1, 0],
  touch: [1, 0],
  fastCnp: [1, { ...FAST_CNP, telemetry: TELEMETRY }],
  ack: [1, 0, { ackSeq: 1, sndNxt: 2, telemetry: TELEMETRY }],
  loss: [1, 0],
};
const PACKET_ARGUMENTS = { add: [1, new Uint8Array(64)], addInPlace: [1, 0, 64, 64], hasRoom: [64] };

function liveEngine(backend: NonNullable<EngineOptions['backend']> = 'wasm'): Engine {
  const parameterSets = {
    default: dcqcnSigcomm15({ lineRateBps: gbps(100) }),
    hpcc: hpccNs3('run.py', { lineRateBps: gbps(100), baseRttPs: 1e7 }),
  };
  const engine = createEngineSync({ backend, parameterSets, trace: true });
  engine.openQp({ localQpn: 1 });
  return engine;
}

const PARTS = [
  ['engine', (engine: Engine) => engine, ENGINE_ARGUMENTS],
  ['events', (engine: Engine) => engine.events, EVENT_ARGUMENTS],
  ['packets', (engine: Engine) => engine.packets, PACKET_ARGUMENTS],
  ['actions', (engine: Engine) => engine.actions, {}],
  ['trace', (engine: Engine) => engine.trace, {}],
  ['view', (engine: Engine) => engine.qp(0), {}],
] as const;

describe.each(BACKENDS)('a disposed engine on backend %s', (_, backend) => {
  it.each(PARTS)('throws in every method and getter: %s', (_name, partOf, given: Readonly<Record<string, unknown>>) => {
    const engine = liveEngine(backend);
    const part = partOf(engine) as object as Record<string, unknown>;
    engine.dispose();
    const names = membersOf(part);
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const use = (): unknown => {
        const value = part[name];
        return typeof value === 'function' ? value.apply(part, given[name] ?? [0]) : value;
      };
      expect([name, codeOf(use)]).toEqual([name, 'disposed']);
    }
  });

  it('throws in iterators, including those created before it was disposed of', () => {
    const engine = liveEngine(backend);
    engine.cnp(1, 0);
    const begun = engine.actions[Symbol.iterator]();
    const numbers = engine.openQps();
    engine[Symbol.dispose]();
    for (const use of [() => begun.next(), () => numbers.next(), () => [...engine.actions], () => [...engine.trace]]) {
      expect(codeOf(use)).toBe('disposed');
    }
  });
});

it('accepts addresses of a Fast CNP event as text or bytes', () => {
  const engine = liveEngine();
  const bytes = new Uint8Array(16);
  bytes.set([0x20, 0x01, 0x0d, 0xb8]);
  bytes[15] = 1;
  engine.events.fastCnp(1, FAST_CNP);
  engine.events.fastCnp(1, { ...FAST_CNP, source: bytes, originalDestination: bytes });
  expect(engine.events.length).toBe(2);
  expect(codeOf(() => {
    engine.events.fastCnp(1, { ...FAST_CNP, source: 'no address' });
  })).toBe('invalid-argument');
});

function codeOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error;
  }
  return 'nothing was thrown';
}
