/** Random streams of one QP's events, and a model and its wasm driven by one and compared after each event. */
import { expect } from 'vitest';
import { TIME_MAX_PS } from '../../../src/abi/codes.js';
import { RATE_MAX_BPS, writeParameterRecord, type ParameterRecord } from '../../../src/config/algorithms/algorithm.js';
import type { Ack, CongestionControl } from '../../../src/reference/algorithms/ack.js';
import type { WasmController, WasmExports } from './harness.js';
import type { Seeded } from '../../support/seeded.js';

/** Sequence numbers at which arithmetic wraps or changes sign. */
const TURNS = [0, 1, 2 ** 23 - 1, 2 ** 23, 2 ** 24 - 1, 2 ** 24, 2 ** 31, 2 ** 32 - 1];
/** After the records of a WasmController. */
const PARAMETERS_ADDRESS = 3 * 65536;
const FIELDS_ADDRESS = 4 * 65536;
const LENGTHS = [0, 1, 64, 1090, 9000, 2 ** 32 - 1];

/** A sender whose sequence numbers mostly increase, as does its clock. */
export class Stream {
  readonly random: Seeded;
  timePs: number;
  #acked: number;
  #next: number;
  readonly #stepMax: number;
  readonly #markProbability: number;
  readonly #rttPs: number;
  readonly #gapPs: number;
  readonly #turnsPs: readonly number[];

  /** @param turnsPs round-trip times at which the algorithm changes its reaction. */
  constructor(random: Seeded, turnsPs: readonly number[] = []) {
    this.#turnsPs = turnsPs;
    this.random = random;
    this.timePs = random.pick([0, 0, random.scaled(1, 1e15), TIME_MAX_PS - random.scaled(1, 1e13)]);
    this.timePs = Math.floor(this.timePs);
    this.#next = random.pick([0, 0, ...TURNS, random.u32()]);
    this.#acked = this.#next;
    this.#stepMax = random.pick([2, 20, 10_000, 100_000_000]);
    this.#markProbability = random.pick([0, 0.05, 0.5, 1]);
    this.#rttPs = random.scaled(1000, 1e10);
    this.#gapPs = random.scaled(1000, 1e9);
  }

  /** The next event's time: rarely before the last one, never above the maximum. */
  nextTime(): number {
    const { random } = this;
    if (random.chance(0.01)) return this.timePs - random.whole(1, 1000);
    const gapPs = random.pick([0, random.next() * this.#gapPs, random.next() * this.#gapPs, random.scaled(1, 1e11)]);
    this.timePs = Math.min(this.timePs + Math.floor(gapPs), TIME_MAX_PS);
    return this.timePs;
  }

  nextLength(): number {
    return this.random.chance(0.7) ? this.random.whole(1, 9000) : this.random.pick(LENGTHS);
  }

  nextAck(): Ack {
    const { random } = this;
    this.#moveSequence();
    const timePs = this.nextTime();
    const ack = {
      timePs,
      ackSeq: this.#acked,
      sndNxt: this.#next,
      ecnEcho: random.chance(this.#markProbability),
      hostDelayPs: random.pick([0, 0, random.scaled(1, 1e10), -random.scaled(1, 1e6)]),
      hopCount: random.pick([0, 1, 5, random.whole(0, 64), 2 ** 32 - 1]),
      ackedPackets: random.pick([1, 1, 0, random.whole(1, 100), random.next(), 1e9]),
    };
    return random.chance(0.03) ? ack : { ...ack, sentTimePs: timePs - this.#nextRtt() };
  }

  #nextRtt(): number {
    const { random } = this;
    if (random.chance(0.1) && this.#turnsPs.length > 0) return random.pick(this.#turnsPs);
    const rtt = Math.floor(this.#rttPs * (0.5 + random.next()));
    return random.pick([rtt, rtt, rtt, rtt, rtt, 0, Math.floor(random.scaled(1, 2 ** 53)), -random.whole(1, 1000)]);
  }

  #moveSequence(): void {
    const { random } = this;
    if (random.chance(0.02)) this.#next = random.pick([...TURNS, random.u32()]);
    if (random.chance(0.02)) this.#acked = random.pick([...TURNS, random.u32()]);
    else this.#acked = (this.#acked + random.whole(0, (this.#next - this.#acked) >>> 0)) >>> 0;
    if (random.chance(0.8)) this.#next = (this.#next + random.whole(0, this.#stepMax)) >>> 0;
  }
}

/** A model and its wasm, and the state of each as the same list of numbers. */
export interface Twins {
  readonly model: CongestionControl;
  readonly wasm: WasmController;
  readonly stateOfModel: () => readonly number[];
  readonly stateOfWasm: () => readonly number[];
}

/** Applies the events to both, whose results and states must be equal to the bit. @returns the number of ACKs. */
export function driveTwins(twins: Twins, stream: Stream, events: number): number {
  let acks = 0;
  for (let i = 0; i < events; i += 1) {
    const kind = stream.random.pick(['ack', 'ack', 'ack', 'ack', 'sent', 'loss'] as const);
    if (kind === 'ack') acks += 1;
    const [expected, actual] = applyToBoth(twins, stream, kind);
    expectSame([actual], [expected], `result of event ${i}`);
    expectSame(twins.stateOfWasm(), twins.stateOfModel(), `state after event ${i}`);
  }
  twins.wasm.checkContained();
  return acks;
}

function applyToBoth(twins: Twins, stream: Stream, kind: 'ack' | 'sent' | 'loss'): [string, string] {
  const { model, wasm } = twins;
  if (kind === 'ack') {
    const ack = stream.nextAck();
    return [model.onAck(ack), wasm.onAck(ack)];
  }
  const timePs = stream.nextTime();
  if (kind === 'sent' || model.onLoss === undefined) {
    const lenBytes = stream.nextLength();
    return [model.onSent(timePs, lenBytes), wasm.onSent(timePs, lenBytes)];
  }
  const found = stream.random.pick(['fast', 'timeout'] as const);
  return [model.onLoss(timePs, found), wasm.onLoss(timePs, found)];
}

/** Compares to the bit and rejects NaN; equal lists take the fast path. */
function expectSame(actual: readonly unknown[], expected: readonly unknown[], where: string): void {
  const same = actual.length === expected.length && actual.every((value, i) => Object.is(value, expected[i]));
  if (same && !actual.some((value) => Number.isNaN(value))) return;
  expect(actual, where).toEqual(expected);
  throw new Error(`${where}: ${actual.join(', ')}, expected ${expected.join(', ')}`);
}

/** Random values of the shared rate parameters: whole where required, and up to their limits. */
export function randomRates(random: Seeded): RateParameters {
  const maxRateBps = Math.floor(random.pick([1000, 100e9, RATE_MAX_BPS, random.scaled(1000, RATE_MAX_BPS)]));
  const numbers = random.pick(['float64', 'whole-bps'] as const);
  const inNumbers = (rateBps: number) => (numbers === 'whole-bps' ? Math.floor(rateBps) : rateBps);
  const minRateBps = inNumbers(random.pick([1000, maxRateBps, random.scaled(1000, maxRateBps)]));
  const aiRateBps = inNumbers(random.pick([0, RATE_MAX_BPS, maxRateBps / 1000, random.scaled(1, 1e9)]));
  return { numbers, maxRateBps, minRateBps, aiRateBps };
}

interface RateParameters {
  readonly numbers: 'float64' | 'whole-bps';
  readonly maxRateBps: number;
  readonly minRateBps: number;
  readonly aiRateBps: number;
}

/** Code and switches precede the fields that an algorithm names. */
const OWN_FIELDS = 2;

/** The fields of an algorithm's parameter class in the order of the entry's `<name>Fields`, after a record was written. */
export function fieldsOf(exports: WasmExports, name: string, record: ParameterRecord): number[] {
  const [from, to] = [PARAMETERS_ADDRESS, FIELDS_ADDRESS];
  const view = new DataView(exports.memory.buffer);
  writeParameterRecord(view, from, record);
  exports[`${name}Fields`](from, to);
  return record.slice(OWN_FIELDS).map((_, i) => view.getFloat64(to + 8 * i, true));
}
