import { beforeAll, describe, expect, it } from 'vitest';
import { QP_NEXT_SEND } from '../../src/abi/layout.js';
import type { RoundTripMark, SendPace } from '../../src/abi/state/state-record.js';
import * as ack from '../../src/reference/algorithms/ack.js';
import * as rates from '../../src/reference/algorithms/rate-numbers.js';
import { GOLDEN_UNIT, readGolden } from '../support/golden.js';
import { instantiatePart, type WasmExports } from './support/harness.js';
import { Seeded } from '../support/seeded.js';
import { CONTROLLER, CONTROLLER_STARTED } from '../../src/abi/records/controllers.js';

const STATE_ADDRESS = 65536;
const NUMBERS = ['float64', 'whole-bps'] as const;
const WINDOW_MODES = ['none', 'fixed', 'variable'] as const;
const SEQUENCES = ['u32', 'psn24'] as const;
const GAPS = ['picoseconds', 'ns3-nanoseconds'] as const;
const RATES = [1000, 1001, 1e6, 1e9, 25e9, 99_999_999_999, 100e9, 4e11, 2 ** 43 - 1, 2 ** 43];
const LENGTHS = [0, 1, 43, 60, 1090, 1250, 4138, 9000, 65535, 2 ** 31, 2 ** 32 - 1];

let wasm: WasmExports;
let state: DataView;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/entry.ts');
  state = new DataView(wasm.memory.buffer, STATE_ADDRESS, 64);
});

describe('arithmetic of the engine matches the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  it('truncates a rate multiplied or divided by a double to whole bits per second', () => {
    for (const row of readGolden(folder, 'rate_arith.csv')) {
      const [rate, factor] = [Number(row.rate_bps), Number(row.factor)];
      const rounded = [rate * factor, rate / factor, rate / 2].map((value) => wasm.roundRate(1, value));
      expect(rounded).toEqual([Number(row.mul_bps), Number(row.div_bps), Number(row.half_bps)]);
    }
  });

  it('computes transmission times exact to the nanosecond', () => {
    for (const row of readGolden(folder, 'tx_time_ns.csv')) {
      expect(wasm.txTimeNs(Number(row.bytes), Number(row.rate_bps)), JSON.stringify(row)).toBe(Number(row.tx_ns));
    }
  });
});

describe("rates, windows and gaps equal the model's to the bit", () => {
  it('computes transmission times and gaps from a nanosecond to a year', () => {
    const random = new Seeded(1);
    const drawn = Array.from({ length: 20_000 }, () => [
      random.pick([...LENGTHS, random.whole(1, 9000), random.u32()]),
      random.pick([...RATES, random.scaled(1000, 2 ** 43), Math.floor(random.scaled(1000, 2 ** 43))]),
    ]);
    const corners = LENGTHS.flatMap((lenBytes) => RATES.map((rateBps) => [lenBytes, rateBps]));
    for (const [lenBytes, rateBps] of [...corners, ...drawn]) {
      expect(wasm.txTimeNs(lenBytes, rateBps), `${lenBytes} at ${rateBps}`).toBe(rates.txTimeNs(lenBytes, rateBps));
      GAPS.forEach((gap, code) => {
        const expected = rates.sendGapPs(gap, lenBytes, rateBps);
        expect(wasm.sendGapPs(code, lenBytes, rateBps), `${lenBytes} at ${rateBps}, ${gap}`).toBe(expected);
      });
    }
  });

  it('computes windows up to the largest product that 64 bits hold', () => {
    const random = new Seeded(2);
    const compare = (windowBytes: number, rateBps: number, maxRateBps: number) => {
      NUMBERS.forEach((numbers, n) =>
        WINDOW_MODES.forEach((mode, m) => {
          const expected = rates.windowInUse(mode, numbers, windowBytes, rateBps, maxRateBps);
          expect(wasm.windowInUse(m, n, windowBytes, rateBps, maxRateBps)).toBe(expected);
        })
      );
    };
    compare(900_001, 310_744_099_174, 400_000_000_001);
    compare(2 ** 21 - 1, 2 ** 43, 2 ** 43);
    compare(2 ** 32 - 1, 2 ** 32 + 1 - 1000, 2 ** 32 + 1 - 1000);
    for (let i = 0; i < 3000; i += 1) {
      const maxRateBps = Math.floor(random.scaled(1000, 2 ** 43));
      const windowBytes = Math.max(1, Math.floor(random.next() * Math.min(2 ** 32 - 1, 2 ** 63.9 / maxRateBps)));
      compare(windowBytes, Math.floor(random.scaled(1000, maxRateBps)), maxRateBps);
    }
  });

  it('keeps a window of at least one byte', () => {
    expect([0, 1].map((numbers) => wasm.windowAtRate(numbers, 10, 1e6, 100e9))).toEqual([1, 1]);
  });

  it('rounds rates down or leaves them unchanged', () => {
    expect([0, 0.5, 1e9 + 0.75].map((rateBps) => wasm.roundRate(0, rateBps))).toEqual([0, 0.5, 1e9 + 0.75]);
    expect([0, 0.5, 1e9 + 0.75].map((rateBps) => wasm.roundRate(1, rateBps))).toEqual([0, 0, 1e9]);
  });

  it('spaces packets, and adjusts a pending gap to a new rate', () => {
    const random = new Seeded(3);
    const pace = { nextSendPs: 0, lastLenBytes: 0 };
    for (let i = 0; i < 3000; i += 1) {
      const [code, timePs, lenBytes] = [i % 2, random.whole(0, 2 ** 53 - 1), random.pick([...LENGTHS, 1090])];
      const [oldBps, newBps] = [random.pick(RATES), random.pick(RATES)];
      wasm.paceSentAt(code, STATE_ADDRESS, timePs, lenBytes, oldBps);
      rates.paceSent(GAPS[code], pace, timePs, lenBytes, oldBps);
      expect(paceOfWasm()).toEqual(pace);
      wasm.paceRateChangeAt(code, STATE_ADDRESS, oldBps, newBps);
      rates.paceRateChange(GAPS[code], pace, oldBps, newBps);
      expect(paceOfWasm()).toEqual(pace);
    }
  });
});

function paceOfWasm(): SendPace {
  return {
    nextSendPs: state.getFloat64(QP_NEXT_SEND, true),
    lastLenBytes: state.getUint32(CONTROLLER.at.lastLenBytes, true),
  };
}

describe.each(SEQUENCES)("sequence numbers and round trips equal the model's under %s", (mode) => {
  const code = SEQUENCES.indexOf(mode);
  const turns = [0, 1, 2, 2 ** 23, 2 ** 24, 2 ** 31, 2 ** 32].flatMap((turn) =>
    [turn - 1, turn, turn + 1].map((x) => x >>> 0)
  );

  it('compares sequence numbers and computes their distance across every wrap', () => {
    const random = new Seeded(4);
    const values = [...turns, ...Array.from({ length: 30 }, () => random.u32())];
    for (const rawA of values) {
      for (const rawB of values) {
        const [a, b] = [ack.sequenceOf(mode, rawA), ack.sequenceOf(mode, rawB)];
        expect(unsigned(wasm.sequenceOf(code, rawA))).toBe(a);
        expect(wasm.isNewer(code, a, b) !== 0, `${a} newer than ${b}`).toBe(ack.isNewer(mode, a, b));
        expect(unsigned(wasm.newerOf(code, a, b))).toBe(ack.newerOf(mode, a, b));
        expect(unsigned(wasm.sequenceGap(code, a, b))).toBe(ack.sequenceGap(mode, a, b));
      }
    }
  });

  it('detects the start of a round trip and moves its mark', () => {
    const random = new Seeded(5);
    const mark = { started: false, lastUpdateSeq: 0 };
    for (let i = 0; i < 5000; i += 1) {
      if (i % 50 === 0) setMark(mark, random.chance(0.5), ack.sequenceOf(mode, random.pick(turns)));
      const [ackSeq, sndNxt] = [random.pick([...turns, random.u32()]), random.pick([...turns, random.u32()])];
      const begins = ack.beginsRoundTrip(mode, mark, ackSeq);
      expect(wasm.beginsRoundTripAt(code, STATE_ADDRESS, ackSeq) !== 0).toBe(begins);
      ack.moveMark(mode, mark, sndNxt);
      wasm.moveMarkAt(code, STATE_ADDRESS, sndNxt);
      expect(markOfWasm()).toEqual(mark);
      expect(state.getUint8(CONTROLLER.at.flags) & ~CONTROLLER_STARTED, 'other flags stay').toBe(0xf0);
    }
  });
});

/** Wasm returns a u32 as a signed number. */
function unsigned(value: number): number {
  return value >>> 0;
}

function setMark(mark: RoundTripMark, started: boolean, lastUpdateSeq: number): void {
  mark.started = started;
  mark.lastUpdateSeq = lastUpdateSeq;
  state.setUint8(CONTROLLER.at.flags, 0xf0 | (started ? CONTROLLER_STARTED : 0));
  state.setUint32(CONTROLLER.at.lastUpdateSeq, lastUpdateSeq, true);
}

function markOfWasm(): RoundTripMark {
  return {
    started: (state.getUint8(CONTROLLER.at.flags) & CONTROLLER_STARTED) !== 0,
    lastUpdateSeq: state.getUint32(CONTROLLER.at.lastUpdateSeq, true),
  };
}
