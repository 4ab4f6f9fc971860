import { describe, expect, it } from 'vitest';
import type { DctcpParameters } from '../../../src/config/dctcp-parameters.js';
import { DctcpModel } from '../../../src/reference/cc/dctcp.js';
import { ackOf, expectRow, numbersOf } from '../../support/golden-acks.js';
import { GOLDEN_FOLDERS, goldenFiles, readGolden } from '../../support/golden.js';

const COLUMNS = [
  'new_batch', 'last_update_seq', 'alpha', 'ecn_cnt', 'batch_size', 'cwr_state', 'cwr_high_seq', 'rate_bps',
];
const NAME = /^dctcp__g([\d.]+)_ai(\d+)M_min(\d+)G\.csv(\.gz)?$/;

/** The file's name tells gain and rates. */
function parametersOf(name: string): DctcpParameters {
  const [, gain, ai, min] = NAME.exec(name) ?? [];
  return {
    algorithm: 'dctcp', numbers: 'whole-bps', maxRateBps: 100e9, minRateBps: Number(min) * 1e9, alphaGain: Number(gain),
    aiRateBps: Number(ai) * 1e6, sequencePerPacket: 1000, sequence: 'u32', sendGap: 'ns3-nanoseconds',
  };
}

describe.each(GOLDEN_FOLDERS)('DCTCP reproduces the per-ACK traces of the ns-3 reference simulator in %s', (folder) => {
  const traces = goldenFiles(folder, NAME);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const model = new DctcpModel(parametersOf(name));
    for (const row of readGolden(folder, name)) {
      const batch = model.onAck(ackOf(row)) === 'fast' ? 0 : 1;
      const { lastUpdateSeq, alpha, markedAcks, batchPackets, reduced, reducedUntilSeq, rateBps } = model.state;
      const actual = [batch, lastUpdateSeq, alpha, markedAcks, batchPackets, reduced ? 1 : 0, reducedUntilSeq, rateBps];
      expectRow(actual, numbersOf(row, COLUMNS), row.time_ns);
    }
  });
});
