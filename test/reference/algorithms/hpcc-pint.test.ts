import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hpccPintNs3 } from '../../../src/config/algorithms/hpcc-pint.js';
import { RoceError } from '../../../src/errors.js';
import { CongestionPointRandom } from '../../../src/reference/cp/random.js';
import { HpccPintModel, PintCodec, pintDecodeTable,
  pintPortUtilization } from '../../../src/reference/algorithms/hpcc-pint/model.js';
import { gbps, ns, us } from '../../../src/units.js';

const PARAMETERS = hpccPintNs3({ lineRateBps: gbps(100), baseRttPs: ns(4160), numbers: 'float64', sequence: 'psn24' });

/** A random source that always returns the same number, and counts its draws. */
class Fixed {
  draws = 0;
  constructor(readonly value: number) {}
  next(): number {
    this.draws += 1;
    return this.value;
  }
}

function ack(i: number, ackSeq: number, power: number) {
  return { timePs: us(i), ackSeq, sndNxt: ackSeq + 100, ecnEcho: false, pintPower: power };
}

describe('the encoding', () => {
  const codec = new PintCodec(1.05, 8);

  it('a value between two powers is rounded up with a probability equal to its position between them', () => {
    const at = (share: number) => codec.table[100] + share * (codec.table[101] - codec.table[100]);
    const n = Math.ceil(at(0.5) * 512) / 512;
    const share = (n - codec.table[100]) / (codec.table[101] - codec.table[100]);
    expect(codec.encode(n, new Fixed(share - 1e-9))).toBe(101);
    expect(codec.encode(n, new Fixed(share))).toBe(100);
  });

  it('decoded values are correct on average', () => {
    const random = new CongestionPointRandom(11);
    const u = 0.95;
    let sum = 0;
    const draws = 20_000;
    for (let i = 0; i < draws; i += 1) sum += codec.decode(codec.encode(u, random));
    // ceil(512 u) / 512, within five standard errors: neighbours lie 5 % apart, so one draw deviates by at most half of it.
    expect(Math.abs(sum / draws - Math.ceil(u * 512) / 512)).toBeLessThan((5 * 0.05 * 0.5) / Math.sqrt(draws));
  });

  it('a value that is a power is encoded as that power for any draw', () => {
    const twos = new PintCodec(2, 8);
    for (const power of [0, 1, 7, 100]) {
      for (const draw of [0, 0.999]) expect(twos.encode(2 ** power / 512, new Fixed(draw))).toBe(power);
    }
  });

  it('stays within the table and within one power of the value', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 0.999, noNaN: true }),
        (u, draw) => {
          const power = codec.encode(u, new Fixed(draw));
          const n = Math.max(1, Math.ceil(u * 512)) / 512;
          expect(power).toBeGreaterThanOrEqual(0);
          expect(power).toBeLessThanOrEqual(255);
          if (power < 255) expect(n).toBeGreaterThan(codec.decode(power) / 1.05 / (1 + 1e-12));
          if (power < 255) expect(n).toBeLessThan(codec.decode(power + 1) * (1 + 1e-12));
        }),
    );
  });

  it('0 is encoded as power 0, and a value beyond the table as the last power', () => {
    expect(codec.encode(0, new Fixed(0))).toBe(0);
    expect(codec.encode(1e9, new Fixed(0))).toBe(255);
    expect(codec.encode(Infinity, new Fixed(0))).toBe(255);
  });

  it('powers are correctly rounded: compared with exact rational arithmetic', () => {
    // 1.25 and 1.0625 are exact in binary, so integers give the exact power.
    for (const [base, numerator, shift] of [[1.25, 5n, 2n], [1.0625, 17n, 4n]] as const) {
      const table = pintDecodeTable(base, 8);
      for (let p = 0; p < 256; p += 1) {
        expect(table[p]).toBe(roundedQuotient(numerator ** BigInt(p), shift * BigInt(p)) / 512);
      }
    }
  });

  it.each([[1, 8], [2.1, 8], [Number.NaN, 8], [1.05, 0], [1.05, 17], [1.05, 2.5], [2, 11]])(
    'base %d with %d bits is rejected',
    (base, bits) => {
      expect(() => new PintCodec(base, bits)).toThrow(RoceError);
    },
  );

  it('takes one byte for up to 8 bits, otherwise two', () => {
    expect(new PintCodec(1.05, 8).bytes).toBe(1);
    expect(new PintCodec(1.01, 11).bytes).toBe(2);
  });
});

/** n / 2^shift as the nearest double, ties to even. */
function roundedQuotient(n: bigint, shift: bigint): number {
  const bits = BigInt(n.toString(2).length);
  if (bits <= 53n) return Number(n) / 2 ** Number(shift);
  const cut = bits - 53n;
  const low = n & ((1n << cut) - 1n);
  const half = 1n << (cut - 1n);
  let top = n >> cut;
  if (low > half || (low === half && (top & 1n) === 1n)) top += 1n;
  return Number(top) * 2 ** Number(cut - shift);
}

describe('a switch port', () => {
  it.each([0.25, 0.5, 1])('converges to a steady load of %d if it has no queue', (load) => {
    const sinceLastNs = (1000 * 8) / (100 * load);
    let u = 0;
    for (let i = 0; i < 3000; i += 1) {
      u = pintPortUtilization(u, { sinceLastNs, lastLenBytes: 1000, qlenBytes: 0 }, gbps(100), 4160);
    }
    expect(u).toBeCloseTo(load, 9);
  });

  it('a persistent queue adds its length over the bandwidth-delay product', () => {
    let u = 0;
    for (let i = 0; i < 3000; i += 1) {
      u = pintPortUtilization(u, { sinceLastNs: 80, lastLenBytes: 1000, qlenBytes: 26_000 }, gbps(100), 4160);
    }
    expect(u).toBeCloseTo(1 + 26_000 / 52_000, 9);
  });

  it('after an idle time longer than T, only the last packet and the queue count', () => {
    expect(pintPortUtilization(7, { sinceLastNs: 1e6, lastLenBytes: 5200, qlenBytes: 5200 }, gbps(100), 4160))
      .toBeCloseTo(0.2, 12);
  });
});

describe('the sender of HPCC-PINT', () => {
  const codec = new PintCodec(1.05, 8);

  it('divides the reference by u / eta and commits once per round trip', () => {
    const model = new HpccPintModel(PARAMETERS, new Fixed(0));
    expect(model.onAck(ack(1, 1, 130))).toBe('first');
    expect(model.onAck(ack(2, 50, 150))).toBe('fast');
    const wanted = 100e9 / (codec.decode(150) / 0.95) + 40e6;
    expect(model.state).toMatchObject({ rateBps: wanted, committed: 100e9 });
    expect(model.onAck(ack(3, 102, 150))).toBe('update');
    expect(model.state).toMatchObject({ rateBps: wanted, committed: wanted });
    expect(model.windowBytes).toBe((52_000 * wanted) / 100e9);
  });

  it('a utilisation of exactly eta counts as reached', () => {
    const model = new HpccPintModel({ ...PARAMETERS, maxStage: 5, targetUtilization: codec.decode(120) }, new Fixed(0));
    model.onAck(ack(1, 1, 120));
    model.onAck(ack(2, 102, 119));
    expect(model.state.incStage).toBe(1);
    model.onAck(ack(3, 203, 120));
    expect(model.state.incStage).toBe(0);
  });

  it('handles a first ACK with number 0 under u32', () => {
    const model = new HpccPintModel({ ...PARAMETERS, sequence: 'u32' }, new Fixed(0));
    expect(model.onAck(ack(1, 0, 120))).toBe('first');
    expect(model.state.lastUpdateSeq).toBe(100);
  });

  it('handles each ACK with pintProbability, and draws no random number if it is 1', () => {
    const random = new CongestionPointRandom(5);
    const model = new HpccPintModel({ ...PARAMETERS, pintProbability: 0.25 }, random);
    let inspected = 0;
    for (let i = 1; i <= 4000; i += 1) if (model.onAck(ack(i, i, 100)) !== 'skipped') inspected += 1;
    // Mean 1000, standard deviation sqrt(4000 * 0.25 * 0.75) = 27.4.
    expect(Math.abs(inspected - 1000)).toBeLessThan(5 * 27.4);
    const fixed = new Fixed(0.9);
    new HpccPintModel(PARAMETERS, fixed).onAck(ack(1, 1, 100));
    expect(fixed.draws).toBe(0);
  });

  it('skips ACKs within a round trip without fastReact, and gets no signal from an ACK without a power', () => {
    const model = new HpccPintModel({ ...PARAMETERS, fastReact: false }, new Fixed(0));
    model.onAck(ack(1, 1, 100));
    expect(model.onAck(ack(2, 50, 200))).toBe('skipped');
    expect(model.onAck({ timePs: us(3), ackSeq: 500, sndNxt: 600, ecnEcho: false })).toBe('no-signal');
    expect(model.state).toMatchObject({ rateBps: 100e9, lastUpdateSeq: 101, lastEventPs: us(2) });
  });

  it('stretches the running gap at a lower rate, and rejects late events', () => {
    const model = new HpccPintModel({ ...PARAMETERS, sendGap: 'picoseconds' }, new Fixed(0));
    model.onAck(ack(1, 1, 100));
    model.onSent(us(2), 1250);
    expect(model.nextSendPs).toBe(us(2) + 100_000);
    model.onAck(ack(3, 50, 150));
    expect(model.nextSendPs).toBe(us(2) + Math.ceil(1e16 / model.rateBps));
    expect(model.onSent(us(2), 1250)).toBe('time-backwards');
    expect(model.onAck(ack(2, 51, 150))).toBe('time-backwards');
  });
});
