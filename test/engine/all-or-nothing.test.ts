/** A call that throws leaves the engine unchanged, with any arguments and in any state, on both backends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEngine, readAll, step, STEP_LIMIT } from '../../scripts/fuzz/engines.js';
import { decodeSnapshot } from '../../src/engine/snapshot.js';
import { RoceError, type Engine } from '../../src/index.js';

const RUNS = 30;
const STEP_PS = 1_000_000;
/** Values for each argument: valid ones of every parameter, and invalid ones. */
const VALUES: readonly unknown[] = [
  0,
  1,
  2,
  3,
  7,
  1e9,
  64,
  '10.0.0.2',
  '2001:db8::7',
  ['10.0.0.1'],
  ['10.9.9.9'],
  ['10.9.9.9', '10.9.9.9'],
  ['10.9.9.8', 'no address'],
  ['10.9.9.7', '2001:db8::2'],
  { localQpn: 1 },
  { localQpn: 99, peerAddress: '10.0.0.2', peerQpn: 1 },
  { localQpn: 99, parameterSet: 'none' },
  { localQpn: 99, endpoint: 9 },
  { ackSeq: 5, sndNxt: 9 },
  { ackSeq: 5, sndNxt: -1 },
  { endpoint: 0, source: '::1', originalDestination: '::2', destQpn: 2 ** 24 },
  new Uint8Array(60),
  new Uint8Array(9000),
  new Uint8Array(0),
  undefined,
  null,
  -1,
  0.5,
  NaN,
  Infinity,
  2 ** 32 + 7,
  2 ** 53,
  '',
  '5',
  5n,
  {},
  [],
  [null],
  Symbol('s'),
  () => 0,
  Object.create(null),
  'timeout',
  'raw-ip',
];
/** Methods that dispose of the engine, or that only the engine calls. */
const LEFT_OUT = ['constructor', 'dispose', 'setLength', 'finish'];
type Part = 'engine' | 'events' | 'packets' | 'actions' | 'trace';
const PARTS: readonly Part[] = ['engine', 'events', 'packets', 'actions', 'trace'];

function partOf(engine: Engine, part: Part): Record<string, (...args: unknown[]) => unknown> {
  return (part === 'engine' ? engine : engine[part]) as unknown as Record<string, (...args: unknown[]) => unknown>;
}

function callsOf(engine: Engine): [Part, string][] {
  return PARTS.flatMap((part) => {
    const prototype = Object.getPrototypeOf(partOf(engine, part)) as object;
    return Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([name, { value }]) => typeof value === 'function' && !LEFT_OUT.includes(name))
      .map(([name]): [Part, string] => [part, name]);
  });
}

/** The state of all QPs, the counters, and the numbers of endpoints, pending events, packets and actions. */
function whole(engine: Engine): unknown[] {
  const { header } = decodeSnapshot(engine.snapshot());
  return [readAll(engine), header.endpoints, engine.events.length, engine.packets.length, engine.actions.length];
}

describe.each(['wasm', 'js'] as const)('a call that throws on backend %s', (backend) => {
  const engine = makeEngine(backend);
  const initial = engine.snapshot();
  const calls = callsOf(engine);

  it('is tried on all methods of the engine and its parts', () => {
    expect(calls.length).toBeGreaterThan(40);
  });

  it('leaves the engine unchanged, except for the counters of rejected events', () => {
    let thrown = 0;
    const call = fc.tuple(fc.constantFrom(...calls), fc.array(fc.constantFrom(...VALUES), { maxLength: 5 }));
    const codes = fc.array(fc.integer({ min: 0, max: STEP_LIMIT - 1 }), { maxLength: 40 });
    fc.assert(fc.property(codes, fc.array(call, { minLength: 20, maxLength: 60 }), (steps, tried) => {
      engine.restore(initial);
      steps.forEach((code, index) => step(engine, code, STEP_PS * (index + 1)));
      for (const [[part, name], args] of tried) {
        const [before, hash] = [whole(engine), engine.stateHash()];
        try {
          partOf(engine, part)[name]!(...args);
        } catch (error) {
          thrown++;
          expect(error, `${part}.${name}`).toBeInstanceOf(RoceError);
          // A single event that is rejected is counted, as in a batch.
          const isCounted = ['sent', 'cnp', 'marked', 'touch'].includes(name) && part === 'engine';
          if (isCounted) expect(engine.stateHash(), name).toBe(hash);
          else expect(whole(engine), `${part}.${name}`).toEqual(before);
        }
      }
    }), { numRuns: RUNS, seed: 11 });
    expect(thrown).toBeGreaterThan(RUNS);
  });
});
