/** The parts of a network against the reference simulator's own numbers, row by row. */
import { describe, expect, it } from 'vitest';
import { goldenPlan } from '../support/golden-plan.js';
import { expectRow } from '../support/golden-acks.js';
import { GOLDEN_UNIT, readGolden, type Row } from '../support/golden.js';
import { UNIT_SUBJECTS, type BufferSubject } from '../support/unit-subjects.js';

const HOST_PORT_SEED = 0x8bad_f00d;
/** The switch of mmu_sequence.csv: four ports, numbered from 1, the last one faster. */
const BUFFER = {
  bufferBytes: 1024 * 1024,
  reservedBytes: 4096,
  resumeOffsetBytes: 3072,
  ports: [3, 3, 3, 1].map((thresholdShift) => ({ headroomBytes: 37_500, thresholdShift })),
};

/** All rows of a golden table, of every folder that has it. */
function rowsOf(name: string): readonly Row[] {
  return readGolden(GOLDEN_UNIT, `${name}.csv`);
}

function step(buffer: BufferSubject, row: Row): (string | number)[] {
  const [port, trafficClass, bytes] = [Number(row.port) - 1, Number(row.q), Number(row.bytes)];
  const enqueued = row.op === 'enq';
  const admitted = enqueued && buffer.admits(port, trafficClass, bytes);
  if (admitted) buffer.store(port, trafficClass, bytes);
  if (!enqueued) buffer.release(port, trafficClass, bytes);
  const pause = enqueued && buffer.beginPause(port, trafficClass);
  const resume = !enqueued && buffer.endPause(port, trafficClass);
  return [
    enqueued ? Number(admitted) : '',
    buffer.ingressBytes(port, trafficClass),
    buffer.headroomBytes(port, trafficClass),
    buffer.sharedUsedBytes(),
    buffer.thresholdBytes(port),
    enqueued ? Number(pause) : '',
    enqueued ? '' : Number(resume),
  ];
}

describe.each(UNIT_SUBJECTS)('Parts of $name', (units) => {
  it('hash a flow as the switches and hosts of the reference do', () => {
    const rows = [...rowsOf('ecmp_hash'), ...rowsOf('qp_hash')];
    const { ecmpHash } = units;
    expect(rows.length).toBeGreaterThan(100);
    for (const { sip, dip, sport, dport, seed, hash } of rows) {
      const got = ecmpHash(Number(sip), Number(dip), Number(sport), Number(dport), Number(seed ?? HOST_PORT_SEED));
      expectRow([got], [Number(hash)], `${sip} ${dip} ${sport} ${dport}`);
    }
  });

  it('take as long to send a packet as in the reference', () => {
    const rows = rowsOf('tx_time_ns');
    const { txTimePs } = units;
    expect(rows.length).toBeGreaterThan(100);
    for (const { bytes, rate_bps, tx_ns } of rows) {
      expectRow([txTimePs(Number(bytes), Number(rate_bps))], [Number(tx_ns) * 1000], `${bytes} B at ${rate_bps}`);
    }
  });

  it('mark with the same probability as the reference', () => {
    const rows = rowsOf('ecn_mark_prob');
    const { markProbability } = units;
    expect(rows.length).toBeGreaterThan(5);
    for (const { kmin_cfg, kmax_cfg, pmax, egress_bytes, expected_p } of rows) {
      const thresholds = { kminBytes: Number(kmin_cfg) * 1000, kmaxBytes: Number(kmax_cfg) * 1000, pmax: Number(pmax) };
      expect(markProbability(thresholds, Number(egress_bytes))).toBeCloseTo(Number(expected_p), 6);
    }
  });

  it('admit, count, pause and resume packets as the reference does', () => {
    const rows = rowsOf('mmu_sequence');
    const { createBuffer } = units;
    expect(rows.length).toBeGreaterThan(1000);
    let buffer = createBuffer(BUFFER);
    for (const row of rows) {
      if (row.step === '0') buffer = createBuffer(BUFFER);
      const flag = (text: string) => (text === '' ? '' : Number(text));
      const expected = [
        flag(row.admitted),
        Number(row.ingress_bytes),
        Number(row.hdrm_bytes),
        Number(row.shared_used),
        Number(row.pfc_threshold),
        flag(row.should_pause),
        flag(row.should_resume),
      ];
      expectRow(step(buffer, row), expected, `step ${row.step}`);
    }
  });
});

describe('Packet sizes of plans', () => {
  const CC_OF_MODE: Readonly<Record<string, string>> = {
    NORMAL: 'hpcc',
    TS: 'timely',
    'PINT(2B)': 'hpccPint',
    NONE: 'dcqcn_step',
  };

  it.each(rowsOf('packet_sizes'))('match the reference with $int_mode telemetry', (row) => {
    const { flows, rules } = goldenPlan('incast2_1MB', CC_OF_MODE[row.int_mode]);
    expect(flows.get(0).headerBytes).toBe(Number(row.data_header_bytes));
    expect(flows.get(0).headerBytes + rules.mtuBytes).toBe(Number(row.data_pkt_bytes_for_1000B_payload));
    expect(flows.get(0).ackBytes).toBe(Number(row.ack_pkt_bytes));
    expect(rules.pauseFrameBytes).toBe(Number(row.pfc_pkt_bytes));
  });
});
