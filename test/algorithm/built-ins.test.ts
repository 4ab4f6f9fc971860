/**
 * The algorithms of examples/algorithms against the built-in ones: a QP of each gets the same events and has the same
 * rate, window and next send time after each event, to the bit.
 */
import { describe, expect, it } from 'vitest';
import { createEngineSync, us, type AckTelemetry, type Engine, type ExactAckTelemetry } from '../../src/index.js';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { caseCount } from '../support/effort.js';
import { Seeded } from '../support/seeded.js';
import { exampleSubstitutes, type BuiltInName } from './support/example-algorithms.js';
import { NETWORK, PRESETS } from './support/presets.js';

const EVENTS = caseCount('ROCE_EVENTS', { few: 3000, all: 60_000 });
const SENDER = parseIpAddress('2001:db8:1::10');
const RECEIVER = parseIpAddress('2001:db8:2::20');
const SWITCH = parseIpAddress('2001:db8:ffff::1');
const PEER_QPN = 0x222;
/** At 100 Gb/s. */
const PS_PER_BYTE = 80;

const substitutes = await exampleSubstitutes();

function engineOf(parameters: AlgorithmParameters): Engine {
  const engine = createEngineSync({
    parameterSets: { default: parameters },
    fastCnp: { enabled: true, defaultAction: 'allow' },
    hashSeed: 1,
  });
  engine.addEndpoint([SENDER]);
  engine.openQp({ localQpn: 1, peerAddress: RECEIVER, peerQpn: PEER_QPN });
  return engine;
}

function viewOf(engine: Engine): readonly number[] {
  const { rateBps, windowBytes, nextSendPs } = engine.qp(0);
  return [rateBps, windowBytes, nextSendPs];
}

/** Timers are lazy: an event without a signal expires timers of a custom algorithm, but not of a built-in one. */
function expectSame(got: Engine, wanted: Engine, timePs: number, where: string): void {
  if (viewOf(wanted).every((value, place) => value === viewOf(got)[place])) return;
  for (const engine of [got, wanted]) engine.touch(timePs, 0);
  expect(viewOf(got), where).toEqual(viewOf(wanted));
}

/** Random events of a sender, whose gaps include timer periods and long idle times. */
class Events {
  readonly #random: Seeded;
  readonly #periods: readonly number[];
  readonly #int64: boolean;
  readonly #readsAcks: boolean;
  readonly #readsHops: boolean;
  /** Power of PINT that encodes a utilization of 1. */
  readonly #powerOfOne: number;
  #timePs = us(500);
  /** Bytes sent by the ports of the path. */
  #sentBytes = 0;
  #acked = 0;
  #next = 0;

  constructor(seed: number, parameters: AlgorithmParameters) {
    this.#random = new Seeded(seed);
    this.#periods = Object.entries(parameters).flatMap((
      [key, value],
    ) => (key.endsWith('PeriodPs') ? [Number(value)] : []));
    this.#int64 = 'records' in parameters && parameters.records === 'int64';
    this.#readsAcks = parameters.algorithm !== 'dcqcn';
    this.#powerOfOne = Math.round(Math.log(512) / Math.log('pintBase' in parameters ? parameters.pintBase : 1.05));
    this.#readsHops = parameters.algorithm === 'hpcc' || parameters.algorithm === 'hpcc-pp';
  }

  /** The next event, which can be applied to several engines. */
  next(): { readonly name: string; readonly timePs: number; readonly apply: (engine: Engine) => unknown } {
    const random = this.#random;
    const timePs = this.#nextTime();
    const drawn = random.pick(
      ['ack', 'ack', 'ack', 'sent', 'sent', 'sent', 'cnp', 'fast-cnp', 'loss', 'touch'] as const,
    );
    const kind = drawn === 'ack' && !this.#readsAcks ? 'sent' : drawn;
    const name = `${kind} at ${timePs} ps`;
    switch (kind) {
      case 'ack': {
        const fields = this.#ack(timePs);
        return { name, timePs, apply: (engine) => engine.ack(timePs, 0, fields) };
      }
      case 'sent': {
        const lenBytes = random.pick([64, 1000, 1090, 9000, random.whole(1, 9000)]);
        this.#next += random.whole(1, 3);
        return { name, timePs, apply: (engine) => engine.sent(timePs, 0, lenBytes) };
      }
      case 'cnp':
        return { name, timePs, apply: (engine) => engine.cnp(timePs, 0) };
      case 'fast-cnp': {
        const telemetry = this.#readsHops && random.chance(0.5) ? { telemetry: this.#exact(timePs, 0.3) } : {};
        const fields = { endpoint: 0, source: SWITCH, originalDestination: RECEIVER, destQpn: PEER_QPN, ...telemetry };
        return { name, timePs, apply: (engine) => engine.fastCnp(timePs, fields) };
      }
      case 'loss': {
        const found = random.pick(['fast', 'timeout'] as const);
        return { name, timePs, apply: (engine) => engine.loss(timePs, 0, found) };
      }
      case 'touch':
        return { name, timePs, apply: (engine) => engine.touch(timePs, 0) };
    }
  }

  #nextTime(): number {
    const random = this.#random;
    const gapPs = random.pick([0, 1, random.whole(0, us(1)), random.whole(0, us(10)), ...this.#periods]);
    const passedPs = random.chance(0.003) ? random.whole(0, us(2_000_000)) : gapPs;
    this.#timePs += passedPs;
    this.#sentBytes += Math.floor((passedPs / PS_PER_BYTE) * random.next() * 1.2);
    return this.#timePs;
  }

  #ack(timePs: number) {
    const random = this.#random;
    this.#acked = Math.min(this.#next, this.#acked + random.whole(0, 4));
    const base = { ackSeq: this.#acked % 2 ** 24, sndNxt: this.#next % 2 ** 24, ecnEcho: random.chance(0.2) };
    const telemetry = this.#telemetry(timePs);
    return {
      ...base,
      ...(random.chance(0.95) && { sentTimePs: timePs - random.whole(us(5), us(120)) }),
      hostDelayPs: random.pick([0, 0, us(1)]),
      pathHops: random.whole(0, 5),
      ackedPackets: random.whole(1, 4),
      ...(random.chance(0.95) && { ackedBytes: random.whole(0, 4000) }),
      ...(random.chance(0.95) && { pintPower: this.#powerOfOne + random.whole(-45, 45) }),
      ...(telemetry && { telemetry }),
    };
  }

  #telemetry(timePs: number): AckTelemetry | undefined {
    if (!this.#readsHops || this.#random.chance(0.03)) return undefined;
    return this.#int64 === this.#random.chance(0.97) ? this.#raw(timePs) : this.#exact(timePs, 0.01);
  }

  /** Hops of one path with ports between idle and saturated; at times another path or an inconsistent record. */
  #exact(timePs: number, odd: number): ExactAckTelemetry {
    const random = this.#random;
    const hops = Array.from({ length: random.chance(odd) ? random.whole(0, this.#int64 ? 5 : 16) : 3 }, (_, hop) => ({
      timePs: timePs - us(hop) - (random.chance(odd) ? random.whole(0, us(20)) : 0),
      txBytes: this.#sentBytes + (random.chance(odd) ? random.whole(0, 9000) : 0),
      qlenBytes: random.pick([0, 0, random.whole(0, 200_000)]),
      lineRateBps: random.chance(odd) ? 0 : NETWORK.lineRateBps,
      hopId: random.chance(odd) ? random.whole(0, 9) : hop,
    }));
    return { kind: 'exact', hops, pathId: random.chance(odd) ? 2 : 1 };
  }

  #raw(timePs: number): AckTelemetry {
    const random = this.#random;
    const hops = Array.from({ length: random.whole(3, 5) }, (_, hop) => ({
      lineRateCode: random.pick([2, 2, 4]),
      time: Math.floor(timePs / 1000 - hop * 1000) % 2 ** 24,
      bytes: Math.floor(this.#sentBytes / 128) % 2 ** 20,
      qlen: random.pick([0, random.whole(0, 5000)]),
    }));
    return { kind: 'int64', hopCount: hops.length === 5 && random.chance(0.1) ? 7 : hops.length, hops };
  }
}

describe('the algorithms of examples/algorithms have the rate, window and next send time of the built-in ones', () => {
  it.each(PRESETS)('$name', ({ name, parameters }) => {
    const custom = substitutes[parameters.algorithm as BuiltInName].substituteFor(parameters, NETWORK);
    const [wanted, got] = [engineOf(parameters), engineOf(custom)];
    const events = new Events(name.length, parameters);
    let changes = 0;
    expect(viewOf(got), 'opened').toEqual(viewOf(wanted));
    for (let i = 0; i < EVENTS; i++) {
      const before = wanted.rateBps(0);
      const event = events.next();
      event.apply(wanted);
      event.apply(got);
      if (wanted.rateBps(0) !== before) changes += 1;
      expectSame(got, wanted, event.timePs, `${event.name}, event ${i}`);
    }
    if (name !== 'none') expect(changes).toBeGreaterThan(EVENTS / 500);
  });
});
