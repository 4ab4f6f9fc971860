/**
 * NSCC on both backends, with numbers that can be computed by hand: at 100 Gb/s and 12 µs, the network for which its
 * constants are stated, A = B = 1.
 */
import { describe, expect, it } from 'vitest';
import { createEngineSync, dcqcnSigcomm15, gbps, nsccMrc, nsccUet, swiftSigcomm20, us, type AckFields, type Engine,
  type NsccPresetOptions } from '../../src/index.js';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import type { NsccState } from '../../src/abi/state/ack-states.js';
import { BACKENDS, type BackendOption } from '../support/backends.js';

const NETWORK = { lineRateBps: gbps(100), baseRttPs: us(12) };
const PACKET = 4160;
const PAYLOAD = 4096;
/** 1.5 bandwidth-delay products of 150,000 bytes. */
const LARGEST = 225_000;
/** fi = 5 payloads; eta = 0.15 payloads. */
const FAIR = 5 * PAYLOAD;
const FIXED = 0.15 * PAYLOAD;

class Sender {
  readonly engine: Engine;
  readonly #qp: number;

  constructor(backend: BackendOption, parameters: AlgorithmParameters) {
    this.engine = createEngineSync({ backend, parameterSets: { default: parameters } });
    this.#qp = this.engine.openQp({ localQpn: 1 });
  }

  get state(): NsccState {
    return this.engine.qp(this.#qp).algorithmState() as unknown as NsccState;
  }

  get windowBytes(): number {
    return this.engine.windowBytes(this.#qp);
  }

  sent(timePs: number, packets: number): void {
    for (let i = 0; i < packets; i++) this.engine.sent(timePs, this.#qp, PACKET);
  }

  /** Acknowledges a full payload after this round trip, unless `fields` override it. */
  ack(timePs: number, rttPs: number, fields: Partial<AckFields> = {}): number {
    const sentTimePs = timePs - rttPs;
    this.engine.ack(timePs, this.#qp, { ackSeq: 1, sndNxt: 2, ackedBytes: PAYLOAD, sentTimePs, ...fields });
    return this.windowBytes;
  }

  nack(timePs: number, fields: { lastHop?: boolean; sentTimePs?: number } = {}): number {
    this.engine.nack(timePs, this.#qp, { trimmedBytes: PAYLOAD, ...fields });
    return this.windowBytes;
  }

  loss(timePs: number, found: 'fast' | 'timeout'): number {
    this.engine.loss(timePs, this.#qp, found);
    return this.windowBytes;
  }
}

describe.each(BACKENDS)('NSCC (%s)', (_, backend) => {
  const open = (options: Partial<NsccPresetOptions> = {}): Sender =>
    new Sender(backend, nsccUet({ ...NETWORK, ...options }));
  const openMrc = (options: Partial<NsccPresetOptions> = {}): Sender =>
    new Sender(backend, nsccMrc({ ...NETWORK, ...options }));

  describe('a window penalty from the receiver', () => {
    /** A sender that refills its window after each ACK under this penalty. @returns the window after each trip. */
    function windowsUnder(windowPenalty: number, roundTrips: number): { sender: Sender; windows: number[] } {
      const start = 40 * PAYLOAD;
      const sender = open({ initialWindowBytes: start, quickAdapt: false });
      let [inFlight, timePs] = [0, us(100)];
      const refill = (): void => {
        for (; inFlight + PAYLOAD <= sender.windowBytes; inFlight += PAYLOAD) sender.sent(timePs, 1);
      };
      refill();
      const windows = [];
      for (let trip = 0; trip < roundTrips; trip++) {
        for (let left = inFlight; left > 0; left -= PAYLOAD) {
          timePs += 1000;
          sender.ack(timePs, us(12), { windowPenalty });
          inFlight -= PAYLOAD;
          refill();
        }
        windows.push(sender.windowBytes);
      }
      return { sender, windows };
    }

    it('of 64 halves the window in a round trip', () => {
      const [window] = windowsUnder(64, 1).windows;
      expect(Math.abs(window! - 20 * PAYLOAD)).toBeLessThanOrEqual(PAYLOAD);
    });

    it('of 127 leaves a window below two packets after each round trip', () => {
      for (const window of windowsUnder(127, 3).windows) expect(window).toBeLessThan(2 * PAYLOAD);
    });

    it('ends with the window before its first ACK if the receiver restores it', () => {
      const { sender } = windowsUnder(64, 2);
      expect(sender.state.savedWindowBytes).toBe(40 * PAYLOAD);
      const left = sender.windowBytes;
      const without = sender.ack(us(200), us(40), { windowPenalty: 0 });
      expect(without).toBeLessThan(left + PAYLOAD);
      expect(sender.ack(us(201), us(40), { windowPenalty: 0, restoreWindow: true })).toBe(40 * PAYLOAD);
      expect(sender.state.savedWindowBytes).toBe(0);
    });

    it('subtracts its fraction of the acknowledged bytes and accumulates no increase', () => {
      const sender = open({ initialWindowBytes: 40_000 });
      sender.sent(us(100), 10);
      const { increase } = sender.state;
      // 32 / 128 of 4,096 bytes.
      expect(sender.ack(us(112), us(12), { windowPenalty: 32 })).toBe(40_000 - 1024);
      expect(sender.state.increase).toBe(increase);
    });

    it('starts from the bytes in flight if they are less than the window', () => {
      const sender = open({ initialWindowBytes: 40_000 });
      sender.sent(us(100), 3);
      expect(sender.ack(us(112), us(12), { windowPenalty: 32 })).toBe(3 * PACKET - 1024);
    });

    it('leaves a window of at least one payload', () => {
      const sender = open({ initialWindowBytes: 8000 });
      sender.sent(us(100), 1);
      expect(sender.ack(us(112), us(12), { windowPenalty: 127 })).toBeLessThanOrEqual(PACKET);
      expect(sender.windowBytes).toBeGreaterThanOrEqual(PAYLOAD);
    });

    it('must be an integer from 0 to 127, and is separate from the PINT power', () => {
      for (const windowPenalty of [-1, 128, 0.5])
        expect(() => open().ack(us(112), us(12), { windowPenalty })).toThrow('ack.windowPenalty');
      const sender = open({ initialWindowBytes: 40_000 });
      sender.sent(us(100), 10);
      expect(sender.ack(us(112), us(12), { pintPower: 64 })).toBeGreaterThanOrEqual(40_000);
    });
  });

  it('starts with a window of 1.5 bandwidth-delay products, or the given window', () => {
    expect(open().windowBytes).toBe(LARGEST);
    expect(open().engine.rateBps(0)).toBe(gbps(100));
    expect(open({ maxWindowBdps: 2 }).windowBytes).toBe(300_000);
    const small = open({ initialWindowBytes: 15_000 });
    expect(small.windowBytes).toBe(15_000);
    // 15,000 bytes in 12 µs.
    expect(small.engine.rateBps(0)).toBe(gbps(10));
    expect(open({ initialWindowBytes: 1 }).windowBytes).toBe(PACKET);
    expect(open({ initialWindowBytes: 300_000 }).windowBytes).toBe(LARGEST);
  });

  it('increases by the distance to the target, and by a quarter of the bytes after a window without delay', () => {
    const sender = open({ initialWindowBytes: 10_000 });
    expect(sender.ack(us(12), us(12))).toBe(10_000);
    // alpha b (target - delay) = 4 payload b at no delay.
    expect(sender.state.increase).toBe(4 * PAYLOAD * PAYLOAD);
    expect(sender.ack(us(12), us(12))).toBe(10_000);
    expect(sender.ack(us(12), us(12))).toBe(10_000 + PAYLOAD / 4);
    expect(sender.ack(us(12), us(12))).toBe(10_000 + PAYLOAD / 2);
    expect(sender.state).toMatchObject({ isFast: true, increase: 8 * PAYLOAD * PAYLOAD, receivedBytes: 4 * PAYLOAD });
    // A delay ends the fast increase.
    sender.ack(us(15), us(15));
    expect(sender.state).toMatchObject({ isFast: false, fastBytes: 0 });
    // A delay of 3 µs leaves three quarters of the target.
    sender.ack(us(15), us(15));
    expect(sender.state.increase).toBe(3 * PAYLOAD * PAYLOAD);
  });

  it('increases fast only after more than a whole window without delay', () => {
    const sender = open({ initialWindowBytes: 2 * PAYLOAD, proportionalGain: 0 });
    sender.ack(us(12), us(12));
    expect(sender.ack(us(12), us(12))).toBe(2 * PAYLOAD);
    expect(sender.state).toMatchObject({ isFast: false, fastBytes: 2 * PAYLOAD });
    expect(sender.ack(us(12), us(12))).toBe(2 * PAYLOAD + PAYLOAD / 4);
  });

  it('keeps increasing fast while there is no delay, even when the window exceeds the bytes without delay', () => {
    const sender = open({ initialWindowBytes: 10_000, proportionalGain: 0, fixedGain: 40 });
    for (let i = 0; i < 3; i++) sender.ack(us(12), us(12));
    const grown = sender.ack(us(24) + 1, us(12));
    expect(grown).toBeGreaterThan(sender.state.fastBytes + PAYLOAD);
    expect(sender.ack(us(24) + 1, us(12))).toBe(grown + PAYLOAD / 4);
  });

  it('ends the fast increase after a marked and delayed ACK, and resets its byte count', () => {
    const sender = open({ initialWindowBytes: 10_000 });
    for (let i = 0; i < 3; i++) sender.ack(us(12), us(12));
    expect(sender.state.isFast).toBe(true);
    sender.ack(us(24), us(24), { ecnEcho: true });
    expect(sender.state).toMatchObject({ isFast: false, fastBytes: 0 });
  });

  it('treats 1 µs above the base round trip as a delay, and less as none', () => {
    const sender = open();
    sender.ack(us(20), us(13) - 1);
    expect(sender.state.fastBytes).toBe(PAYLOAD);
    sender.ack(us(20), us(13));
    expect(sender.state.fastBytes).toBe(0);
  });

  it('increases by the fair term at the target delay, and fulfils by time and by bytes', () => {
    const sender = open({ initialWindowBytes: 100_000 });
    const first = Math.floor(100_000 + Math.floor((FAIR * PAYLOAD) / 100_000) + FIXED);
    expect(sender.ack(us(24), us(24))).toBe(first);
    // Eight packets of 4,160 bytes exceed eight payloads of 4,096, so the ninth ACK fulfils; eta is added by time only.
    for (let i = 0; i < 8; i++) expect(sender.ack(us(24), us(24))).toBe(first);
    expect(sender.ack(us(24), us(24))).toBe(first + Math.floor((9 * FAIR * PAYLOAD) / first));
    expect(sender.state).toMatchObject({ increase: 0, receivedBytes: 0, lastFulfilPs: us(24) });
  });

  it('adds eta after exactly a base round trip if bytes fulfil, and a picosecond later by time alone', () => {
    const byTime = open({ initialWindowBytes: 100_000, fairGain: 0, proportionalGain: 0 });
    expect(byTime.ack(us(12), us(12))).toBe(100_000);
    expect(byTime.ack(us(12) + 1, us(12))).toBe(Math.floor(100_000 + FIXED));
    const byBytes = open({ initialWindowBytes: 100_000, fairGain: 0, proportionalGain: 0 });
    expect(byBytes.ack(us(12), us(12), { ackedBytes: 40_000 })).toBe(Math.floor(100_000 + FIXED));
  });

  it('fulfils by bytes after more than eight packets, not after exactly eight', () => {
    const windowAfter = (ackedBytes: number): number =>
      open({ initialWindowBytes: 100_000, fairGain: 0, proportionalGain: 0 }).ack(us(12), us(12), { ackedBytes });
    expect(windowAfter(8 * PACKET)).toBe(100_000);
    expect(windowAfter(8 * PACKET + 1)).toBe(Math.floor(100_000 + FIXED));
  });

  it('does not decrease at an average of exactly the target, and may decrease with the next ACK', () => {
    const sender = open({ initialWindowBytes: 100_000, delayWeight: 1, fixedGain: 0 });
    expect(sender.ack(us(36), us(24), { ecnEcho: true })).toBe(100_000);
    expect(sender.state.averageDelayPs).toBe(us(12));
    expect(sender.ack(us(37), us(36), { ecnEcho: true })).toBe(60_000);
  });

  it('decreases by the excess of the average over the target, at most by half, once per base round trip', () => {
    const sender = open({ initialWindowBytes: 100_000, delayWeight: 1, fixedGain: 0 });
    const marked = { ecnEcho: true };
    expect(sender.ack(us(36), us(36), marked)).toBe(60_000);
    expect(sender.ack(us(48), us(36), marked)).toBe(60_000);
    expect(sender.ack(us(48) + 1, us(36), marked)).toBe(36_000);
    expect(sender.ack(us(70), us(60), marked)).toBe(18_000);
    // Below the target, marks have no effect.
    expect(sender.ack(us(90), us(24) - 1, marked)).toBe(18_000);
    expect(open({ initialWindowBytes: 100_000, delayWeight: 1, fixedGain: 0, maxDecrease: 0.25 })
      .ack(us(36), us(36), marked)).toBe(75_000);
  });

  it('counts a long delay without a mark as a quarter of the base round trip', () => {
    const sender = open();
    sender.ack(us(50), us(24));
    expect(sender.state.averageDelayPs).toBe(us(12) / 80);
    const late = open();
    late.ack(us(50), us(24) + 1);
    expect(late.state.averageDelayPs).toBe(us(3) / 80);
    // An ACK without a round trip leaves the average unchanged.
    late.ack(us(51), NaN);
    expect(late.state.averageDelayPs).toBe(us(3) / 80);
  });

  it('uses the smallest round trip as its base and derives the largest window from it', () => {
    const sender = open();
    expect(sender.ack(us(12), us(6))).toBe(LARGEST / 2);
    expect(sender.state).toMatchObject({ baseRttPs: us(6), maxWindowBytes: LARGEST / 2 });
    sender.ack(us(13), us(9));
    expect(sender.state.baseRttPs).toBe(us(6));
  });

  it('quick-adapts to the achieved bytes after a NACK, then ignores marks until all in flight is acknowledged', () => {
    const sender = open({ delayWeight: 1 });
    sender.sent(0, 6);
    sender.ack(us(12), us(12));
    expect(sender.state).toMatchObject({ adaptEndPs: us(36), achievedBytes: 0, inFlightBytes: 6 * PACKET - PAYLOAD });
    sender.ack(us(20), us(15), { ackedBytes: 3000 });
    sender.ack(us(21), us(15), { ackedBytes: 2000 });
    expect(sender.state.increase).toBeGreaterThan(0);
    const inFlightBytes = 6 * PACKET - PAYLOAD - 5000;
    expect(sender.nack(us(36) + 1)).toBe(5000);
    expect(sender.state).toMatchObject({
      toIgnoreBytes: inFlightBytes,
      inFlightBytes: inFlightBytes - PAYLOAD,
      ignoredBytes: 0,
      hasLost: false,
      adaptEndPs: us(60) + 1,
      increase: 0,
      receivedBytes: 0,
    });
    expect(sender.ack(us(50), us(36), { ecnEcho: true, ackedBytes: 7000 })).toBe(5000);
    expect(sender.ack(us(50), us(36), { ecnEcho: true, ackedBytes: inFlightBytes - 7000 })).not.toBe(5000);
  });

  it('ends a quick-adapt period after the base round trip plus the target delay, not exactly then', () => {
    const windowAfter = (timePs: number): number => {
      const sender = open();
      sender.ack(us(12), us(12));
      return sender.nack(timePs);
    };
    expect(windowAfter(us(36))).toBe(LARGEST - PAYLOAD);
    expect(windowAfter(us(36) + 1)).toBe(PACKET);
  });

  it('lets the next packet be sent immediately', () => {
    const sender = open();
    sender.sent(us(3), 2);
    expect(sender.state.nextSendPs).toBe(us(3));
  });

  it('quick-adapts only if a period achieved less than the largest window / 2^gate', () => {
    const after = (achieved: number, options = {}): number => {
      const sender = open({ initialWindowBytes: 100_000, fairGain: 0, proportionalGain: 0, fixedGain: 0, ...options });
      sender.ack(us(15), us(15));
      sender.ack(us(16), us(15), { ackedBytes: achieved });
      return sender.nack(us(40));
    };
    const gate = LARGEST / 8;
    expect(after(gate - 1)).toBe(gate - 1);
    expect(after(gate)).toBe(100_000 - PAYLOAD);
    expect(after(LARGEST / 2 - 1, { adaptGate: 1 })).toBe(LARGEST / 2 - 1);
    expect(after(1)).toBe(PACKET);
    expect(after(1, { quickAdapt: false })).toBe(100_000 - PAYLOAD);
  });

  it('quick-adapts on a delay of more than adaptTargets targets, four by default, unless it is 0', () => {
    const after = (options: Partial<NsccPresetOptions>, delayPs: number): number => {
      const sender = open({ initialWindowBytes: 100_000, fairGain: 0, fixedGain: 0, ...options });
      sender.ack(us(100), us(24));
      return sender.ack(us(130), us(12) + delayPs);
    };
    expect(after({}, us(48) + 1)).toBe(PACKET);
    expect(after({}, us(48))).toBe(100_000);
    expect(after({ adaptTargets: 0 }, us(100))).toBe(100_000);
    expect(after({ adaptTargets: 1 }, us(12) + 1)).toBe(PACKET);
  });

  it('subtracts a trimmed packet from the window, unless trims at the last hop are left to the receiver', () => {
    const sender = open({ lastHopTrims: 'leave' });
    expect(sender.nack(us(1), { lastHop: true })).toBe(LARGEST);
    expect(sender.nack(us(1))).toBe(LARGEST - PAYLOAD);
    // Each of the two NACKs counts as a delay of one base round trip.
    expect(sender.state.averageDelayPs).toBe(Math.floor(0.0125 * us(12) + 0.9875 * 0.0125 * us(12)));
    expect(open().nack(us(1), { lastHop: true })).toBe(LARGEST - PAYLOAD);
  });

  it('measures the base round trip with NACKs, unless nackRtt is "ignore"', () => {
    const base = (sender: Sender): number => {
      sender.nack(us(20), { sentTimePs: us(10) });
      return sender.state.baseRttPs;
    };
    expect(base(open())).toBe(us(10));
    expect(base(open({ nackRtt: 'ignore' }))).toBe(us(12));
    const atOnce = open();
    atOnce.nack(us(20), { sentTimePs: us(20) });
    expect(atOnce.state.baseRttPs).toBe(us(12));
  });

  it('limits the window to the largest for the round trip of a NACK, even if the trim is left to the receiver', () => {
    const sender = open({ lastHopTrims: 'leave' });
    expect(sender.nack(us(20), { lastHop: true, sentTimePs: us(14) })).toBe(LARGEST / 2);
  });

  it('subtracts a packet from the window after a timeout, down to one packet', () => {
    const sender = open({ initialWindowBytes: 10_000 });
    expect(sender.loss(us(1), 'timeout')).toBe(10_000 - PACKET);
    expect(sender.loss(us(1), 'timeout')).toBe(PACKET);
    expect(sender.state).toMatchObject({ averageDelayPs: 0, hasLost: false, inFlightBytes: -2 * PACKET });
  });

  it('handles an inferred loss as a trimmed packet, but under MRC without counting it as a delay', () => {
    const trimmed = open();
    expect(trimmed.loss(us(1), 'fast')).toBe(LARGEST - PACKET);
    expect(trimmed.state).toMatchObject({ averageDelayPs: 0.0125 * us(12), hasLost: true, ignoredBytes: PACKET });
    const reduced = openMrc();
    reduced.ack(us(12), us(12));
    expect(reduced.loss(us(40), 'fast')).toBe(LARGEST - PACKET);
    expect(reduced.state).toMatchObject({ averageDelayPs: 0, hasLost: true });
    // The next ACK quick-adapts: the period achieved only its bytes.
    expect(reduced.ack(us(41), us(12), { ackedBytes: 6000 })).toBe(6000);
  });

  it('wraps the sum of increases at 32 bits as the reference does, but not under MRC', () => {
    const large = { packetBytes: 60_000, payloadBytes: 60_000, fairGain: 100, fulfilPackets: 100 };
    const sumOf = (sender: Sender): number => {
      sender.ack(us(24), us(24));
      sender.ack(us(24), us(24), { ackedBytes: 1000 });
      return sender.state.increase;
    };
    expect(sumOf(openMrc(large))).toBe(6e9);
    expect(sumOf(open(large))).toBe(6e9 - 2 ** 32);
  });

  it('wraps the sum of increases modulo 2^32, to 0 at exactly 2^32', () => {
    // 64 times 32,768 bytes: 2^21 per byte.
    const large = { packetBytes: 65_535, payloadBytes: 2 ** 15, fairGain: 64, fulfilPackets: 100 };
    const sumOf = (ackedBytes: number): number => {
      const sender = open(large);
      sender.ack(us(24), us(24));
      sender.ack(us(24), us(24), { ackedBytes });
      return sender.state.increase;
    };
    expect(sumOf(2047)).toBe(2047 * 2 ** 21);
    expect(sumOf(2048)).toBe(0);
    expect(sumOf(5 * 2048 + 1)).toBe(2 ** 21);
  });

  it('has nothing in flight when all sent packets are acknowledged', () => {
    const sender = open();
    sender.sent(0, 3);
    sender.ack(us(12), us(12));
    expect(sender.state.inFlightBytes).toBe(3 * PACKET - PAYLOAD);
    sender.ack(us(12), us(12), { ackSeq: 3, sndNxt: 3 });
    expect(sender.state.inFlightBytes).toBe(0);
    // A packet counts at most as a full packet.
    sender.engine.sent(us(12), 0, 9000);
    expect(sender.state.inFlightBytes).toBe(PACKET);
  });

  it('ignores an ACK whose acknowledged bytes are unknown', () => {
    const sender = open();
    const before = sender.engine.stateHash();
    sender.ack(us(12), us(6), { ackedBytes: NaN });
    expect(sender.engine.stats().outcomes['ack-no-signal']).toBe(1);
    expect(sender.engine.stateHash()).toBe(before);
  });
});

describe.each(BACKENDS)('a NACK (%s)', (_, backend) => {
  const LINE = { lineRateBps: gbps(100) };

  it('is handled as a fast loss by algorithms without NACKs, and not used by DCQCN', () => {
    const [lost, nacked] = [0, 1].map(() => new Sender(backend, swiftSigcomm20(LINE)));
    lost!.loss(us(50), 'fast');
    nacked!.nack(us(50));
    expect(nacked!.state).toEqual(lost!.state);
    expect(nacked!.engine.stats().outcomes['loss-applied']).toBe(1);
    const parameterSets = { default: swiftSigcomm20(LINE), dcqcn: dcqcnSigcomm15(LINE) };
    const engine = createEngineSync({ backend, parameterSets });
    engine.openQp({ localQpn: 1, parameterSet: 'dcqcn' });
    engine.events.nack(us(1), 0, { trimmedBytes: 1000 });
    engine.applyEvents();
    expect(engine.stats().outcomes['loss-not-used']).toBe(1);
  });

  it('is rejected with the name of the invalid field', () => {
    const sender = new Sender(backend, nsccUet(NETWORK));
    const reject = (fields: object): () => unknown => () =>
      sender.engine.nack(0, 0, fields as { trimmedBytes: number });
    expect(reject({})).toThrow(/nack\.trimmedBytes/);
    expect(reject({ trimmedBytes: -1 })).toThrow(/nack\.trimmedBytes/);
    expect(reject({ trimmedBytes: 1, sentTimePs: -1 })).toThrow(/nack\.sentTimePs/);
    expect(reject({ trimmedBytes: 1, lastHop: 1 })).toThrow(/nack\.lastHop/);
    const dcqcn = createEngineSync({ backend, parameterSets: { default: dcqcnSigcomm15(LINE) } });
    dcqcn.openQp({ localQpn: 1 });
    expect(() => dcqcn.nack(0, 0, { trimmedBytes: 1 })).toThrow(/acknowledgements/);
  });
});
