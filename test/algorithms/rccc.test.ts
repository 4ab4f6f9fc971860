/** RCCC on both backends, with numbers that can be computed by hand: 100 Gb/s and 12 µs, a bandwidth-delay product of 150,000 bytes. */
import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, rcccUet, swiftSigcomm20, us, type Engine,
  type RcccPresetOptions } from '../../src/index.js';
import { Credit } from '../../src/uet/receiver-control.js';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import type { RcccState } from '../../src/abi/state/ack-states.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';
import { Seeded } from '../support/seeded.js';

const NETWORK = { lineRateBps: gbps(100), baseRttPs: us(12) };
const PACKET = 4150;
const QUANTUM = 256;
/** 1.5 bandwidth-delay products. */
const LARGEST = 225_000;

class Sender {
  readonly engine: Engine;
  readonly #qp: number;
  #timePs = 0;

  constructor(backend: BackendOption, parameters: AlgorithmParameters) {
    this.engine = createEngineSync({ backend, parameterSets: { default: parameters } });
    this.#qp = this.engine.openQp({ localQpn: 1 });
  }

  get state(): RcccState {
    return this.engine.qp(this.#qp).algorithmState() as unknown as RcccState;
  }

  get creditBytes(): number {
    return this.state.creditBytes;
  }

  get maySend(): boolean {
    return this.engine.maySend(this.#qp, 0);
  }

  sent(lenBytes = PACKET): number {
    this.engine.sent(this.#next(), this.#qp, lenBytes);
    return this.creditBytes;
  }

  /** Sends until credit is exhausted. @returns the number of packets. */
  sendAll(): number {
    let packets = 0;
    for (; this.maySend; packets++) this.sent();
    return packets;
  }

  ack(): number {
    this.engine.ack(this.#next(), this.#qp, { ackSeq: 1, sndNxt: 2 });
    return this.creditBytes;
  }

  nack(): number {
    this.engine.nack(this.#next(), this.#qp, { trimmedBytes: 4086 });
    return this.creditBytes;
  }

  loss(found: 'fast' | 'timeout'): number {
    this.engine.loss(this.#next(), this.#qp, found);
    return this.creditBytes;
  }

  credit(pullNumber: number): boolean {
    return this.engine.credit(this.#next(), this.#qp, pullNumber);
  }

  target(backlogBytes: number, senders?: number): number {
    return this.engine.pullTarget(this.#qp, backlogBytes, senders);
  }

  #next(): number {
    this.#timePs += 1000;
    return this.#timePs;
  }
}

describe.each(BACKENDS)('RCCC (%s)', (_, backend) => {
  const open = (options: Partial<RcccPresetOptions> = {}): Sender =>
    new Sender(backend, rcccUet({ ...NETWORK, ...options }));

  it('starts with 1.5 bandwidth-delay products of credit or the given credit, at line rate without a window', () => {
    expect(open().state).toMatchObject({ creditBytes: LARGEST, pullNumber: 0, isSpeculating: true });
    expect(open().engine.rateBps(0)).toBe(gbps(100));
    expect(open().engine.windowBytes(0)).toBe(0);
    expect(open({ maxWindowBdps: 2 }).creditBytes).toBe(300_000);
    expect(open({ initialCreditBytes: 1000 }).creditBytes).toBe(1000);
    // Credit for at least one packet.
    expect(open({ maxWindowBdps: 0.01 }).creditBytes).toBe(PACKET);
  });

  it('sends while credit is left; each packet consumes its length, and the last may exceed the credit', () => {
    const sender = open();
    expect(sender.sendAll()).toBe(Math.ceil(LARGEST / PACKET));
    expect(sender.creditBytes).toBe(LARGEST - 55 * PACKET);
    const exact = open({ initialCreditBytes: 2 * PACKET });
    expect(exact.sendAll()).toBe(2);
    expect([exact.creditBytes, exact.maySend]).toEqual([0, false]);
    // One byte of credit is enough for a packet.
    expect(open({ initialCreditBytes: 2 * PACKET + 1 }).sendAll()).toBe(3);
  });

  it('holds packets by credit alone, regardless of the bytes in flight', () => {
    const sender = open({ initialCreditBytes: 1 });
    expect(sender.engine.maySend(0, 2 ** 53 - 1)).toBe(true);
    sender.sent();
    expect(sender.engine.maySend(0, 0)).toBe(false);
  });

  it.each([
    ['an ACK', (sender: Sender) => sender.ack()],
    ['a NACK', (sender: Sender) => sender.nack()],
    ['a loss', (sender: Sender) => sender.loss('fast')],
  ])('ends speculation with %s: remaining credit is discarded, overdrawn credit is kept', (_name, hear) => {
    const sender = open();
    expect(hear(sender)).toBe(0);
    expect(sender.state.isSpeculating).toBe(false);
    const beyond = open({ initialCreditBytes: 1000 });
    beyond.sent();
    expect(hear(beyond)).toBe(1000 - PACKET);
    // Later events leave granted credit unchanged.
    beyond.credit(100);
    expect(hear(beyond)).toBe(1000 - PACKET + 100 * QUANTUM);
  });

  it('uses an ACK only while it speculates', () => {
    const sender = open();
    sender.ack();
    sender.ack();
    expect(sender.engine.stats().outcomes).toMatchObject({ 'ack-applied': 1, 'ack-not-used': 1 });
  });

  it('adds 256 bytes for each pull number beyond the highest, up to the largest window, and ignores older ones', () => {
    const sender = open();
    sender.sendAll();
    const beyond = sender.creditBytes;
    expect(sender.credit(64)).toBe(true);
    expect(sender.creditBytes).toBe(beyond + 64 * QUANTUM);
    expect([sender.credit(64), sender.credit(10)]).toEqual([false, false]);
    expect(sender.state).toMatchObject({ creditBytes: beyond + 64 * QUANTUM, pullNumber: 64 });
    // The next pull number makes up for a lost one.
    sender.credit(192);
    expect(sender.creditBytes).toBe(beyond + 192 * QUANTUM);
    sender.credit(2 ** 45 - 1);
    expect(sender.creditBytes).toBe(LARGEST);
    expect(sender.engine.stats().outcomes).toMatchObject({ 'credit-applied': 3, 'credit-not-used': 2 });
  });

  it('ends speculation with any credit, even with an old pull number', () => {
    const fresh = open();
    expect(fresh.credit(2)).toBe(true);
    expect(fresh.creditBytes).toBe(2 * QUANTUM);
    const none = open();
    expect(none.credit(0)).toBe(false);
    expect(none.state).toMatchObject({ creditBytes: 0, isSpeculating: false });
  });

  it('has credit for at least one packet after a timeout, unless timeoutCredit is "none"', () => {
    const sender = open();
    sender.sendAll();
    expect(sender.loss('timeout')).toBe(PACKET);
    expect(sender.sendAll()).toBe(1);
    // Credit for more than a packet is unchanged.
    sender.credit(100);
    expect(sender.loss('timeout')).toBe(100 * QUANTUM);
    const none = open({ timeoutCredit: 'none' });
    expect(none.loss('timeout')).toBe(0);
    expect(none.maySend).toBe(false);
  });

  it('requests the part of the backlog not covered by credit, up to the largest window, in whole quanta', () => {
    const sender = open();
    sender.ack();
    expect(sender.target(0)).toBe(0);
    expect([sender.target(1), sender.target(256), sender.target(257)]).toEqual([1, 1, 2]);
    expect(sender.target(1e9)).toBe(Math.ceil(LARGEST / QUANTUM));
    sender.credit(10);
    // Granted credit counts in both the pull number and the credit.
    expect(sender.target(10_000)).toBe(10 + Math.ceil((10_000 - 2560) / QUANTUM));
    expect(sender.target(0)).toBe(0);
  });

  it('requests at least one packet while it speculates and has a backlog', () => {
    const sender = open();
    expect(sender.target(1)).toBe(Math.ceil(PACKET / QUANTUM));
    // Without a backlog, the whole credit is surplus.
    expect(sender.target(0)).toBe(Math.ceil(-LARGEST / QUANTUM));
    const more = open({ initialCreditBytes: 1000 });
    expect(more.target(100_000)).toBe(Math.ceil(99_000 / QUANTUM));
  });

  it('requests its share of a port that several senders use', () => {
    const sender = open();
    sender.ack();
    expect([0, 1, 2, 3].map((senders) => sender.target(10_000, senders))).toEqual([40, 40, 20, 14]);
    // A share is rounded down to whole bytes: half of 513 bytes is 256 bytes, one quantum.
    expect([512, 513, 514].map((backlogBytes) => sender.target(backlogBytes, 2))).toEqual([1, 1, 2]);
  });

  it('matches the sender of the reference program for random packets, pull numbers and backlogs', () => {
    const random = new Seeded(20_261_127);
    const sender = open();
    const program = new Credit();
    // The program's pull numbers start at another value.
    const first = program.lastPull;
    program.bytes = LARGEST;
    for (let i = 0; i < 2000; i++) {
      const kind = random.whole(0, 3);
      if (kind === 0 && sender.maySend) {
        const lenBytes = random.whole(64, PACKET);
        program.bytes -= lenBytes;
        sender.sent(lenBytes);
      } else if (kind === 1) {
        const pullNumber = Math.max(0, sender.state.pullNumber + random.whole(-5, 34));
        program.stopSpeculating();
        program.pull(first + pullNumber, LARGEST);
        sender.credit(pullNumber);
      } else if (kind === 2 && i > 100) {
        program.stopSpeculating();
        sender.ack();
      }
      const [backlogBytes, senders] = [random.whole(0, 300_000), random.whole(0, 4)];
      const target = program.target({
        backlogBytes,
        queuedBytes: 0,
        windowBytes: Infinity,
        maxBytes: LARGEST,
        mtuBytes: PACKET,
        senders,
      });
      expect([sender.creditBytes, sender.target(backlogBytes, senders)]).toEqual([program.bytes, target - first]);
    }
    expect(sender.state.pullNumber).toBeGreaterThan(1000);
  });

  it('applies credit from a batch as from a single call', () => {
    const [single, batched] = [open(), open()];
    single.credit(30);
    batched.engine.events.credit(1000, 0, 30);
    batched.engine.applyEvents();
    expect(batched.engine.stateHash()).toBe(single.engine.stateHash());
  });
});

describe.each(BACKENDS)('credit (%s)', (_, backend) => {
  const LINE = { lineRateBps: gbps(100) };

  it('is counted as not used by algorithms without credit, and changes nothing', () => {
    const parameterSets = { default: swiftSigcomm20(LINE), dcqcn: dcqcnSigcomm15(LINE) };
    const engine = createEngineSync({ backend, parameterSets });
    engine.openQp({ localQpn: 1 });
    engine.openQp({ localQpn: 2, parameterSet: 'dcqcn' });
    const before = engine.stateHash();
    expect([engine.credit(us(1), 0, 5), engine.credit(us(1), 1, 5)]).toEqual([false, false]);
    expect(engine.stats().outcomes['credit-not-used']).toBe(2);
    expect(engine.stateHash()).toBe(before);
    expect(() => engine.pullTarget(0, 1000)).toThrow(expect.objectContaining({ code: 'unsupported' }) as Error);
  });

  it('is rejected with an invalid number, a time before the last event, or an unknown QP', () => {
    const { engine } = new Sender(backend, rcccUet(NETWORK));
    for (const bad of [-1, 0.5, 2 ** 45, NaN]) {
      expect(() => engine.credit(0, 0, bad)).toThrow(/pullNumber must be .*between 0 and 35,184,372,088,831/);
    }
    engine.credit(us(2), 0, 1);
    expect(() => engine.credit(us(1), 0, 2)).toThrow(/time-backwards/);
    expect(() => engine.credit(us(3), 1, 2)).toThrow(expect.objectContaining({ code: 'unknown-qp' }) as Error);
    expect(() => engine.pullTarget(0, -1)).toThrow(/backlogBytes/);
    expect(() => engine.pullTarget(0, 1, -1)).toThrow(/senders/);
    const dcqcn = createEngineSync({ backend, parameterSets: { default: dcqcnSigcomm15(LINE) } });
    dcqcn.openQp({ localQpn: 1 });
    expect(() => dcqcn.credit(0, 0, 1)).toThrow(/acknowledgements/);
    expect(() => dcqcn.pullTarget(0, 1)).toThrow(expect.objectContaining({ code: 'unsupported' }) as Error);
  });
});

describe('parameters of RCCC', () => {
  it('are rejected with the name of the invalid field', () => {
    const withField = (fields: object): () => unknown => () => rcccUet({ ...NETWORK, ...fields });
    expect(withField({ packetBytes: 63 })).toThrow(/rcccUet\.packetBytes must be between 64 and 65,535/);
    expect(withField({ timeoutCredit: 'all' })).toThrow(/rcccUet\.timeoutCredit/);
    expect(withField({ initialCreditBytes: LARGEST + 1 })).toThrow(/largest window/);
    expect(withField({ initialCreditBytes: LARGEST })).not.toThrow();
    expect(withField({ window: 1 })).toThrow(/window/);
  });
});
