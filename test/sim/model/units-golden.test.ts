import { describe, expect, it } from 'vitest';
import { CongestionPointRandom } from '../../../src/reference/cp/random.js';
import { ecmpHash, HOST_PORT_SEED } from '../../../src/switching/ecmp-hash.js';
import { ns3TxTimePs as txTimePs, TxTimes } from '../../../src/sim/compile/paths.js';
import { markProbability } from '../../../src/switching/congestion-judge.js';
import { SharedBuffer } from '../../../src/switching/shared-buffer.js';
import { expectRow } from '../../support/golden-acks.js';
import { GOLDEN_UNIT, readGolden, type Row } from '../../support/golden.js';

const tupleOf = (row: Row) => ({
  sourceAddress: Number(row.sip),
  destinationAddress: Number(row.dip),
  sourcePort: Number(row.sport),
  destinationPort: Number(row.dport),
});

describe('Serialisation in whole nanoseconds', () => {
  it('is the ceiling less one: 83.84 ns for 1048 bytes at 100 Gb/s become 83, and 100 ns for 1250 become 99', () => {
    expect([txTimePs(1048, 100e9), txTimePs(1250, 100e9), txTimePs(60, 100e9)]).toEqual([83_000, 99_000, 4_000]);
  });
});

describe('Serialisation takes as long as in the reference', () => {
  it('for each length and rate', () => {
    for (const row of readGolden(GOLDEN_UNIT, 'tx_time_ns.csv')) {
      const [bytes, rateBps, expectedPs] = [Number(row.bytes), Number(row.rate_bps), Number(row.tx_ns) * 1000];
      const times = new TxTimes('ns3');
      const timesPs = (lenBytes: number) => times.ps(lenBytes, rateBps);
      expectRow([txTimePs(bytes, rateBps), timesPs(bytes), timesPs(bytes)], [expectedPs, expectedPs, expectedPs],
        `${bytes} at ${rateBps}`);
    }
  });
});

describe('Equal paths are chosen as in the reference', () => {
  it('by switches', () => {
    for (const row of readGolden(GOLDEN_UNIT, 'ecmp_hash.csv')) {
      expect(ecmpHash(tupleOf(row), Number(row.seed))).toBe(Number(row.hash));
    }
  });

  it('by hosts', () => {
    for (const row of readGolden(GOLDEN_UNIT, 'qp_hash.csv')) {
      expect(ecmpHash(tupleOf(row), HOST_PORT_SEED)).toBe(Number(row.hash));
    }
  });
});

describe('The shared buffer has the same states as in the reference', () => {
  it('after each operation', () => {
    const shifts = [3, 3, 3, 1];
    const sizes = { bufferBytes: 2 ** 20, reservedBytes: 4096, resumeOffsetBytes: 3072 };
    const buffer = new SharedBuffer(sizes, shifts.map((thresholdShift) => ({ headroomBytes: 37_500, thresholdShift })));
    for (const row of readGolden(GOLDEN_UNIT, 'mmu_sequence.csv')) {
      const [port, trafficClass, bytes] = [Number(row.port) - 1, Number(row.q), Number(row.bytes)];
      const told = row.op === 'enq' ?
        arrive(buffer, port, trafficClass, bytes) :
        leave(buffer, port, trafficClass, bytes);
      const { ingressBytes, headroomBytes, paused } = buffer.occupancy(port, trafficClass);
      const actual = [
        told,
        ingressBytes,
        headroomBytes,
        buffer.sharedUsedBytes,
        buffer.thresholdBytes(port),
        paused ? 1 : 0,
      ];
      const flags = row.op === 'enq' ? `${row.admitted} ${row.should_pause}` : row.should_resume;
      const expected = [flags, row.ingress_bytes, row.hdrm_bytes, row.shared_used, row.pfc_threshold, row.paused];
      expectRow(actual.map(String), expected.map(String), `step ${row.step}`);
    }
  });
});

function arrive(buffer: SharedBuffer, port: number, trafficClass: number, bytes: number): string {
  const admitted = buffer.admits(port, trafficClass, bytes);
  if (admitted) buffer.store(port, trafficClass, bytes);
  return `${admitted ? 1 : 0} ${buffer.beginPause(port, trafficClass) ? 1 : 0}`;
}

function leave(buffer: SharedBuffer, port: number, trafficClass: number, bytes: number): string {
  buffer.release(port, trafficClass, bytes);
  return buffer.endPause(port, trafficClass) ? '1' : '0';
}

describe('The marking probability matches the reference', () => {
  it.each(readGolden(GOLDEN_UNIT, 'ecn_mark_prob.csv'))('$egress_bytes bytes queued: $expected_p', (row) => {
    const thresholds = {
      kminBytes: Number(row.kmin_cfg) * 1000,
      kmaxBytes: Number(row.kmax_cfg) * 1000,
      pmax: Number(row.pmax),
    };
    const probability = markProbability(thresholds, Number(row.egress_bytes));
    const draws = Number(row.draws);
    const random = new CongestionPointRandom(1);
    const marked = Array.from({ length: draws }, () => random.next()).filter((number) => number < probability).length;
    expect(probability).toBeCloseTo(Number(row.expected_p), 6);
    // Four standard deviations of the difference of two such counts.
    expect(Math.abs(marked - Number(row.marked))).toBeLessThanOrEqual(
      4 * Math.sqrt(2 * draws * probability * (1 - probability)),
    );
  });
});
