import { describe, expect, it } from 'vitest';
import { DctcpModel } from '../../../src/reference/algorithms/dctcp/model.js';
import { ackOf, expectRow, numbersOf } from '../../support/golden-acks.js';
import { DCTCP_TRACES, dctcpGolden } from '../../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden } from '../../support/golden.js';

const COLUMNS = [
  'new_batch',
  'last_update_seq',
  'alpha',
  'ecn_cnt',
  'batch_size',
  'cwr_state',
  'cwr_high_seq',
  'rate_bps',
];

describe('DCTCP reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const traces = goldenFiles(folder, DCTCP_TRACES);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const model = new DctcpModel(dctcpGolden(name));
    for (const row of readGolden(folder, name)) {
      const batch = model.onAck(ackOf(row)) === 'fast' ? 0 : 1;
      const { lastUpdateSeq, alpha, markedAcks, batchPackets, reduced, reducedUntilSeq, rateBps } = model.state;
      const actual = [batch, lastUpdateSeq, alpha, markedAcks, batchPackets, reduced ? 1 : 0, reducedUntilSeq, rateBps];
      expectRow(actual, numbersOf(row, COLUMNS), row.time_ns);
    }
  });
});
