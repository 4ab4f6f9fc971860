import { describe, expect, it } from 'vitest';
import { dctcpNs3 } from '../../../src/config/algorithms/dctcp.js';
import { DctcpModel } from '../../../src/reference/algorithms/dctcp/model.js';
import { gbps, us } from '../../../src/units.js';

/** Doubles and PSNs, 100 packets per round trip. */
const PACKETS = dctcpNs3({ lineRateBps: gbps(100), numbers: 'float64', sequence: 'psn24', sequencePerPacket: 1 });

/** ACKs of one packet each, with 100 in flight; `marks` selects the marked ones. */
function run(model: DctcpModel, count: number, marks: (psn: number) => boolean, start = 0): void {
  for (let i = start; i < start + count; i += 1) {
    model.onAck({ timePs: us(i + 1), ackSeq: i + 1, sndNxt: i + 101, ecnEcho: marks(i) });
  }
}

describe('DCTCP in rate form', () => {
  it('alpha converges to the marked fraction of the packets', () => {
    const model = new DctcpModel(PACKETS);
    run(model, 20_000, (psn) => psn % 4 === 0);
    // A batch counts 101 packets, of which 25 or 26 are marked.
    expect(model.state.alpha).toBeGreaterThan(24 / 101);
    expect(model.state.alpha).toBeLessThan(26.5 / 101);
  });

  it('without marks alpha decays by 1 - g per batch and the rate rises by one step per round trip', () => {
    const model = new DctcpModel({ ...PACKETS, minRateBps: 1e6 });
    run(model, 1, () => true);
    expect(model.rateBps).toBe(50e9);
    run(model, 1011, () => false, 1);
    expect(model.state.alpha).toBeCloseTo((1 - 1 / 16) ** 10 + (1 / 16) * (15 / 16) ** 9 * (1 / 101), 9);
    // CWR ends with the first ACK of the second round trip, which therefore raises the rate.
    expect(model.rateBps).toBe(50e9 + 10 * 615e6);
  });

  it('more marks than packets, as duplicate ACKs cause, count as marks of all packets', () => {
    const model = new DctcpModel(PACKETS);
    run(model, 1, () => false);
    for (let i = 0; i < 500; i += 1) model.onAck({ timePs: us(2), ackSeq: 1, sndNxt: 101, ecnEcho: true });
    model.onAck({ timePs: us(3), ackSeq: 102, sndNxt: 202, ecnEcho: false });
    expect(model.state.alpha).toBe(1);
  });

  it('marks within one round trip cut the rate once', () => {
    const model = new DctcpModel(PACKETS);
    run(model, 100, () => true);
    expect(model.rateBps).toBe(50e9);
    expect(model.state.reduced).toBe(true);
  });

  it('the rate stays between its floor and its cap', () => {
    const model = new DctcpModel(PACKETS);
    run(model, 5000, () => true);
    expect(model.rateBps).toBe(PACKETS.minRateBps);
    run(model, 30_000, () => false, 5000);
    expect(model.rateBps).toBe(PACKETS.maxRateBps);
  });

  it('a wrap of packet sequence numbers does not affect the batches', () => {
    const model = new DctcpModel(PACKETS);
    const base = 2 ** 24 - 500;
    const twin = new DctcpModel(PACKETS);
    for (let i = 0; i < 2000; i += 1) {
      const common = { timePs: us(i + 1), ecnEcho: i % 7 === 0 };
      const wrapped = model.onAck({ ...common, ackSeq: (base + i + 1) % 2 ** 24, sndNxt: (base + i + 101) % 2 ** 24 });
      expect(wrapped).toBe(twin.onAck({ ...common, ackSeq: 1000 + i + 1, sndNxt: 1000 + i + 101 }));
      expect(model.rateBps).toBe(twin.rateBps);
      expect(model.state.alpha).toBe(twin.state.alpha);
    }
  });

  it('late events are rejected', () => {
    const model = new DctcpModel(PACKETS);
    run(model, 3, () => false);
    const before = structuredClone(model.state);
    expect(model.onAck({ timePs: us(1), ackSeq: 9, sndNxt: 10, ecnEcho: true })).toBe('time-backwards');
    expect(model.onSent(Number.NaN, 1000)).toBe('bad-time');
    expect(model.state).toEqual(before);
    expect(model.onSent(us(3), 1250)).toBe('handled');
    expect(model.nextSendPs).toBe(us(3) + 99_000);
  });
});
