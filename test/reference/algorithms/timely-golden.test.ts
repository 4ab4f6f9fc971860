import { describe, expect, it } from 'vitest';
import { TimelyModel } from '../../../src/reference/algorithms/timely/model.js';
import { ns } from '../../../src/units.js';
import { ackOf, expectRow, numbersOf } from '../../support/golden-acks.js';
import { TIMELY_TRACES, timelyGolden } from '../../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden } from '../../support/golden.js';

const COLUMNS = ['last_update_seq', 'last_rtt_ns', 'rtt_diff', 'cur_rate_bps', 'rate_bps', 'inc_stage'];

describe('TIMELY reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const traces = goldenFiles(folder, TIMELY_TRACES);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const model = new TimelyModel(timelyGolden(name));
    for (const row of readGolden(folder, name)) {
      const ack = ackOf(row);
      model.onAck({ ...ack, sentTimePs: ack.timePs - ns(Number(row.rtt_ns)) });
      const { lastUpdateSeq, lastRttNs, rttDiffNs, rateBps, incStage } = model.state;
      expectRow([lastUpdateSeq, lastRttNs, rttDiffNs, rateBps, rateBps, incStage], numbersOf(row, COLUMNS),
        row.time_ns);
    }
  });
});
