/**
 * Five algorithms in one batch against batches of one algorithm each: what telling them apart costs.
 *
 * Each event is the same in both variants, and so is the order of a QP's events, so the states at the end are equal; the
 * time of the pure batches is the sum over the algorithms, each with as many events as in the mix.
 */
import { EVENT_ACK, EVENT_CNP, EVENT_SENT } from '../../src/abi/codes.js';
import { EVENT_BYTES, EVENT_KIND_SHIFT, REGION_ACK_EVENTS, REGION_KEPT_HOPS } from '../../src/abi/layout.js';
import * as ack from '../../src/abi/ack-layout.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { dctcpNs3 } from '../../src/config/algorithms/dctcp.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { swiftSigcomm20 } from '../../src/config/algorithms/swift.js';
import { timelySigcomm15 } from '../../src/config/algorithms/timely.js';
import { gbps, us } from '../../src/units.js';
import { applyAcks, BATCH } from '../support/ack-batches.js';
import { ackStreams, type AckStream } from '../support/ack-stream.js';
import { BenchEngine, checkSame } from '../support/bench-engine.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { ackEventBytes } from '../support/memory-map.js';
import { randomFrom } from '../support/random.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const HOPS = 5;
const LINE = { lineRateBps: gbps(100) };
const PARAMETER_SETS = {
  dcqcn: dcqcnSigcomm15(LINE),
  hpcc: hpccSigcomm19({ ...LINE, baseRttPs: us(13) }),
  timely: timelySigcomm15(LINE),
  dctcp: dctcpNs3(LINE),
  swift: swiftSigcomm20(LINE),
};
const NAMES = Object.keys(PARAMETER_SETS);
const SENT_BYTES = 4096;
const RTT_PS = us(20);
/** Of DCQCN's events; the others are packets sent. */
const CNP_ONE_IN = 10;

export const mixedSuite: Suite = {
  name: 'mixed',
  about: 'DCQCN, HPCC, TIMELY, DCTCP and Swift in one batch against batches of one of them',
  plan(size: SuiteSize): readonly CasePlan[] {
    const events = size.smoke ? 2 ** 12 : 2 ** 18;
    const counts = size.smoke ? [65] : [1000, 64_000];
    return counts.map((qps) => ({ title: `mixed ${sizeName(qps)}`, make: () => mixedCase(qps, events) }));
  },
};

function mixedCase(qps: number, events: number): BenchCase {
  const title = `mixed ${sizeName(qps)}`;
  const bench = new BenchEngine({
    parameterSets: PARAMETER_SETS,
    capacity: { qps, events: BATCH, packets: 1, frameBytes: 64 },
  });
  const { first, rest } = ackStreams({ hops: HOPS, qps, events, ackBytes: ackEventBytes(bench.config), batch: BATCH });
  for (let qp = 0; qp < qps; qp++) {
    bench.engine.openQp({ localQpn: qp + 1, parameterSet: NAMES[qp % NAMES.length] ?? '' });
    bench.abi.applyEvent(EVENT_SENT, qp, 0, SENT_BYTES);
  }
  for (const stream of [first, rest]) complete(stream);
  applyAcks(bench, first, BATCH, (n) => bench.abi.applyEvents(n));
  bench.save();
  const pure = NAMES.map((_, algorithm) => only(rest, algorithm));
  const variants = [variantOf(bench, 'wasm, pure batches', pure), variantOf(bench, 'wasm, mixed batches', [rest])];
  return {
    title,
    unit: 'event',
    units: rest.length,
    base: 'wasm, pure batches',
    variants,
    check: () => {
      checkSame(title, bench, variants, 'state');
    },
  };
}

function variantOf(bench: BenchEngine, name: string, streams: readonly AckStream[]): Variant {
  return {
    name,
    reset() {
      bench.restore();
    },
    pass() {
      const spent = streams.reduce(
        (sum, stream) => sum + applyAcks(bench, stream, BATCH, (n) => bench.abi.applyEvents(n)),
        0,
      );
      // The records of the last batch, which lie among the state, are others than in the other variant.
      bench.views.u8.fill(0, bench.region(REGION_ACK_EVENTS), bench.region(REGION_KEPT_HOPS));
      return spent;
    },
  };
}

/** Gives ACKs what the other algorithms read, and DCQCN's QPs packets and CNPs in their place. */
function complete({ length, timePs, qp, records, acks, ackBytes }: AckStream): void {
  const random = randomFrom(5);
  const view = new DataView(acks.buffer);
  const u32 = new Uint32Array(records.buffer);
  for (let i = 0; i < length; i++) {
    const at = i * ackBytes;
    view.setFloat64(at + ack.ACK_SENT_TIME, Math.max(0, (timePs[i] ?? 0) - RTT_PS - (random() % us(30))), true);
    view.setFloat64(at + ack.ACK_ACKED_PACKETS, 1, true);
    view.setUint8(at + ack.ACK_ECN_ECHO, random() % 4 === 0 ? 1 : 0);
    if ((qp[i] ?? 0) % NAMES.length !== 0) continue;
    const isCnp = random() % CNP_ONE_IN === 0;
    u32[i * 4 + 3] = isCnp ? EVENT_CNP << EVENT_KIND_SHIFT : (EVENT_SENT << EVENT_KIND_SHIFT) | SENT_BYTES;
  }
}

/** The events of the QPs of one algorithm, in their order, as separate batches. */
function only(stream: AckStream, algorithm: number): AckStream {
  const { ackBytes } = stream;
  const chosen = Array.from(stream.qp.keys()).filter((i) => (stream.qp[i] ?? 0) % NAMES.length === algorithm);
  const records = new Uint8Array(chosen.length * EVENT_BYTES);
  const acks = new Uint8Array(chosen.length * ackBytes);
  const u32 = new Uint32Array(records.buffer);
  chosen.forEach((from, to) => {
    records.set(stream.records.subarray(from * EVENT_BYTES, (from + 1) * EVENT_BYTES), to * EVENT_BYTES);
    acks.set(stream.acks.subarray(from * ackBytes, (from + 1) * ackBytes), to * ackBytes);
    if ((u32[to * 4 + 3] ?? 0) >>> EVENT_KIND_SHIFT === EVENT_ACK) {
      u32[to * 4 + 3] = ((EVENT_ACK << EVENT_KIND_SHIFT) | (to % BATCH)) >>> 0;
    }
  });
  const pick = <Columns extends Float64Array | Uint32Array>(column: Columns, into: Columns): Columns => {
    chosen.forEach((from, to) => {
      into[to] = column[from] ?? 0;
    });
    return into;
  };
  const length = chosen.length;
  return {
    length,
    timePs: pick(stream.timePs, new Float64Array(length)),
    qp: pick(stream.qp, new Uint32Array(length)),
    records,
    acks,
    ackBytes,
  };
}
