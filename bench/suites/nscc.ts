/**
 * NSCC over batches of acknowledgements: each measures a round trip, and half of them are marked, so that windows grow and fall.
 *
 * Everything that was sent is acknowledged by each, so nothing is in flight after it; there are no losses.
 */
import * as ack from '../../src/abi/ack-layout.js';
import { nsccUet } from '../../src/config/algorithms/nscc.js';
import { gbps, us } from '../../src/units.js';
import { BATCH, begin, wasmVariants } from '../support/ack-batches.js';
import { ackStreams, type AckStream } from '../support/ack-stream.js';
import { BenchEngine, checkSame } from '../support/bench-engine.js';
import type { BenchCase } from '../support/interleave.js';
import { ackEventBytes } from '../support/memory-map.js';
import { randomFrom } from '../support/random.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const PARAMETERS = nsccUet({ lineRateBps: gbps(100), baseRttPs: us(13) });
const LEAST_RTT_PS = us(8);
/** Queueing delays go up to this. */
const DELAY_PS = us(20);
const MARKED_DELAY_PS = us(60);
const ACKED_BYTES = 30_000;

export const nsccSuite: Suite = {
  name: 'nscc',
  about: 'NSCC over batches of acknowledgements, half of them marked',
  plan(size: SuiteSize): readonly CasePlan[] {
    const events = size.smoke ? 2 ** 12 : 2 ** 18;
    const counts = size.smoke ? [64] : [1000, 64_000];
    return counts.map((qps) => {
      const title = `nscc ${sizeName(qps)}`;
      return { title, inBenny: qps <= 1000, make: () => nsccCase(title, qps, events) };
    });
  },
};

function nsccCase(title: string, qps: number, events: number): BenchCase {
  const bench = new BenchEngine({
    parameterSets: { default: PARAMETERS },
    capacity: { qps, events: BATCH, packets: 1, frameBytes: 64 },
  });
  const { first, rest } = ackStreams({ hops: 0, qps, events, ackBytes: ackEventBytes(bench.config), batch: BATCH });
  for (const stream of [first, rest]) complete(stream);
  begin(bench, qps, first);
  const variants = wasmVariants(bench, rest);
  return {
    title,
    unit: 'ACK',
    units: rest.length,
    base: `wasm, batch ${BATCH}`,
    variants,
    check() {
      checkSame(title, bench, variants, 'state');
    },
  };
}

/** Gives ACKs what NSCC reads. */
function complete({ length, timePs, acks, ackBytes }: AckStream): void {
  const random = randomFrom(5);
  const view = new DataView(acks.buffer);
  for (let i = 0; i < length; i++) {
    const at = i * ackBytes;
    const isMarked = random() % 2 === 0;
    const rttPs = LEAST_RTT_PS + (random() % (isMarked ? MARKED_DELAY_PS : DELAY_PS));
    view.setFloat64(at + ack.ACK_SENT_TIME, Math.max(0, (timePs[i] ?? 0) - rttPs), true);
    view.setUint32(at + ack.ACK_SND_NXT, view.getUint32(at + ack.ACK_SEQ, true), true);
    view.setFloat64(at + ack.ACK_ACKED_BYTES, random() % ACKED_BYTES, true);
    view.setUint8(at + ack.ACK_ECN_ECHO, isMarked ? 1 : 0);
  }
}
