/**
 * The example of NSCC follows the traces of the Ultra Ethernet Consortium's simulator: window, average delay, bytes in flight and what was gained are equal
 * after each ACK, up to a flow's first NACK, which there measures a round trip too.
 */
import { describe, expect, it } from 'vitest';
import { createEngineSync, gbps, type Engine } from '../../src/index.js';
import { uetGoldenRun } from '../support/golden-uet.js';
import { exampleAlgorithm } from './support/example-algorithms.js';

/** With the number of ACKs before first NACKs. */
const RUNS = [['single_odd_nscc', 86], ['incast2_nscc', 90], ['ls2x4x4_perm_mixed', 313], [
  'messages_one_pair',
  23,
]] as const;
/** Of one switch and of two tiers, 100 Gb/s, 1 us links. */
const BASE_RTT_PS = 9_351_680;
const nscc = await exampleAlgorithm('nscc');
const PARAMETERS = nscc.parametersFor({
  lineRateBps: gbps(100),
  packetBytes: 4160,
  payloadBytes: 4096,
  baseRttPs: BASE_RTT_PS,
  targetDelayPs: 0.75 * BASE_RTT_PS,
});

describe('NSCC in traces of the reference', () => {
  it.each(RUNS)('%s: %i ACKs', (run, acks) => {
    expect(follow(traceOf(run))).toEqual({ equal: acks, different: [] });
  });
});

function traceOf(run: string): string[][] {
  return uetGoldenRun(run).read('trace.csv').trim().split('\n').map((line) => line.split(','));
}

interface Flow {
  readonly qp: number;
  /** When the packets without ACK were sent, by number. */
  readonly sentPs: Map<string, number>;
  hasLost: boolean;
}

function follow(lines: readonly (readonly string[])[]): { equal: number; different: string[] } {
  const engine = createEngineSync({ parameterSets: { default: PARAMETERS }, capacity: { qps: 64 } });
  const flows = new Map<string, Flow>();
  const outcome = { equal: 0, different: [] as string[] };
  for (const [ps = '', event, flow = '', ...rest] of lines) {
    if (event === 'ST')
      flows.set(flow, { qp: engine.openQp({ localQpn: Number(flow) + 1 }), sentPs: new Map(), hasLost: false });
    const state = flows.get(flow);
    if (state === undefined || state.hasLost) continue;
    if (event === 'NK') state.hasLost = true;
    if (event === 'TX') {
      engine.sent(Number(ps), state.qp, Number(rest[1]));
      state.sentPs.set(rest[0]!, Number(ps));
    }
    if (event !== 'AK') continue;
    const expected = acknowledge(engine, state, Number(ps), rest);
    const { state: got } = engine.qp(state.qp).algorithmState() as unknown as { state: Record<string, number> };
    if (Object.entries(expected).every(([name, value]) => got[name] === value)) outcome.equal++;
    else outcome.different.push(`${ps} flow ${flow}: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`);
  }
  return outcome;
}

/** An ACK of a trace; the state that follows there. Packets that a map acknowledged before have no round trip: the average counts. */
function acknowledge(engine: Engine, { qp, sentPs }: Flow, timePs: number,
  [, acked = '', , echo, ...rest]: readonly string[]): Record<string, number> {
  const [ackedBytes = 0, cwnd = 0, inFlightBytes = 0, averagePs = 0, inc = 0, delayPs = 0] = rest.map(Number);
  const sentTimePs = averagePs > 0 && delayPs === averagePs ? undefined : sentPs.get(acked);
  engine.ack(timePs, qp, {
    ackSeq: 1,
    sndNxt: 2,
    ackedBytes,
    ecnEcho: echo === '1',
    ...(sentTimePs === undefined ? {} : { sentTimePs }),
  });
  return { cwnd, inFlightBytes, averagePs, inc };
}
