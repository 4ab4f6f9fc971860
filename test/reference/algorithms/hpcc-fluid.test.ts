import { describe, expect, it } from 'vitest';
import { dctcpNs3 } from '../../../src/config/algorithms/dctcp.js';
import { hpccNs3, hpccSigcomm19 } from '../../../src/config/algorithms/hpcc-presets.js';
import { hpccPintNs3 } from '../../../src/config/algorithms/hpcc-pint.js';
import { swiftSigcomm20 } from '../../../src/config/algorithms/swift.js';
import type { Ack, CongestionControl } from '../../../src/reference/algorithms/ack.js';
import { CongestionPointRandom } from '../../../src/reference/cp/random.js';
import { DctcpModel } from '../../../src/reference/algorithms/dctcp/model.js';
import { HpccModel } from '../../../src/reference/algorithms/hpcc/model.js';
import { HpccPintModel, PintCodec, pintPortUtilization } from '../../../src/reference/algorithms/hpcc-pint/model.js';
import { quantizeHop, type HopSample } from '../../../src/reference/algorithms/hpcc/hops.js';
import { SwiftModel, targetDelayPs } from '../../../src/reference/algorithms/swift/model.js';
import { gbps, us } from '../../../src/units.js';

const LINK_BPS = gbps(100);
const RTT_PS = us(10);
const STEPS_PER_RTT = 16;
const STEP_PS = RTT_PS / STEPS_PER_RTT;
/** The link marks above this queue length, in bytes. */
const MARK_ABOVE_BYTES = 60_000;

/** The state of the link that each ACK reports. */
interface Link {
  readonly sample: HopSample;
  readonly delayPs: number;
  readonly marked: boolean;
}

interface ShareOptions {
  /** Round trips between the starts of consecutive flows. */
  readonly apartRoundTrips?: number;
  /** One ACK per 1000 bytes, not per step. */
  readonly perPacket?: boolean;
}

type Signal = (link: Link, timePs: number) => Partial<Ack>;

interface Outcome {
  /** Sum of the rates, divided by the rate of the link. */
  readonly utilization: number;
  readonly queueBytes: number;
  readonly ratesBps: number[];
  /** Mean rate of each flow over the last quarter. */
  readonly meansBps: number[];
}

/** One fluid flow, and the round trip in which it starts. */
class FluidFlow {
  /** Bytes sent by the end of each of the last steps, newest first: the oldest is acknowledged. */
  readonly #sent = new Array<number>(STEPS_PER_RTT).fill(0);
  #acked = 0;

  constructor(readonly control: CongestionControl, readonly startRoundTrip: number) {}

  rateAt(roundTrip: number, delayPs: number): number {
    return roundTrip < this.startRoundTrip ? 0 : flowRate(this.control, delayPs);
  }

  /** Sends for one step and handles the returning ACKs: one, or with `perPacket` one for each 1000 bytes. */
  step(rateBps: number, timePs: number, signals: Partial<Ack>, perPacket: boolean): void {
    if (rateBps === 0) return;
    const lenBytes = (rateBps * STEP_PS) / 8e12;
    const sndNxt = Math.ceil(this.#sent[0] + lenBytes);
    const ackSeq = Math.floor(this.#sent.pop()!);
    this.#sent.unshift(this.#sent[0] + lenBytes);
    const common = { timePs, ecnEcho: false, sndNxt, ackedPackets: lenBytes / 1024, ...signals };
    if (!perPacket) {
      this.control.onAck({ ...common, ackSeq });
      return;
    }
    for (; this.#acked + 1000 <= ackSeq; this.#acked += 1000) {
      this.control.onAck({ ...common, ackSeq: this.#acked + 1000 });
    }
  }
}

/**
 * Flows that share one link as fluids: each sends at its rate, or its window per round trip if that is less; the link's
 * queue holds the excess. ACKs come each step, one round trip after the bytes that they acknowledge.
 */
function share(controls: readonly CongestionControl[], roundTrips: number, signal: Signal,
  options: ShareOptions = {}): Outcome {
  const { apartRoundTrips = 0, perPacket = false } = options;
  const flows = controls.map((control, i) => new FluidFlow(control, i * apartRoundTrips));
  const sums = flows.map(() => 0);
  const lateSteps = (roundTrips * STEPS_PER_RTT) / 4;
  let queueBytes = 0;
  let txBytes = 0;
  for (let step = 0; step < roundTrips * STEPS_PER_RTT; step += 1) {
    const timePs = RTT_PS + step * STEP_PS;
    const delayPs = RTT_PS + (queueBytes * 8e12) / LINK_BPS;
    const rates = flows.map((flow) => flow.rateAt(Math.floor(step / STEPS_PER_RTT), delayPs));
    const arrived = (rates.reduce((a, b) => a + b, 0) * STEP_PS) / 8e12;
    const drained = Math.min((LINK_BPS * STEP_PS) / 8e12, queueBytes + arrived);
    txBytes += drained;
    queueBytes += arrived - drained;
    const sample = { timePs, txBytes, qlenBytes: queueBytes, lineRateBps: LINK_BPS };
    const signals = signal({ sample, delayPs: Math.round(delayPs), marked: queueBytes > MARK_ABOVE_BYTES }, timePs);
    flows.forEach((flow, i) => {
      flow.step(rates[i], timePs, signals, perPacket);
      if (step >= 3 * lateSteps) sums[i] += rates[i] / lateSteps;
    });
  }
  const ratesBps = controls.map((control) => control.rateBps);
  return { utilization: ratesBps.reduce((a, b) => a + b, 0) / LINK_BPS, queueBytes, ratesBps, meansBps: sums };
}

function flowRate(flow: CongestionControl, delayPs: number): number {
  const byWindow = flow.windowBytes === 0 ? Infinity : (flow.windowBytes * 8e12) / delayPs;
  return Math.min(flow.rateBps, byWindow);
}

/** Exact records of the one hop. */
const exact: Signal = ({ sample }) => ({ telemetry: { kind: 'exact', hops: [sample] } });

/** The largest relative deviation from the mean. */
function spread(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.max(...values.map((value) => Math.abs(value / mean - 1)));
}

const HPCC = { lineRateBps: LINK_BPS, baseRttPs: RTT_PS };

describe('one link', () => {
  it.each([1, 2, 8])('%i HPCC flows by the paper converge to eta plus their additive steps, exactly', (count) => {
    const parameters = hpccSigcomm19({ ...HPCC, maxStage: 0 });
    const flows = Array.from({ length: count }, () => new HpccModel(parameters));
    const { utilization, queueBytes } = share(flows, 200, exact);
    // Fixed point of W = W / (U / eta) + W_AI with U = n W / W0: n W = eta W0 + n W_AI.
    const steps = (count * parameters.aiWindowBytes) / parameters.windowBytes;
    expect(utilization).toBeCloseTo(parameters.targetUtilization + steps, 6);
    expect(queueBytes).toBe(0);
  });

  it.each([1, 2, 8])('%i HPCC flows with five additive steps stay within those steps of eta', (count) => {
    const parameters = hpccSigcomm19(HPCC);
    const flows = Array.from({ length: count }, () => new HpccModel(parameters));
    const { utilization } = share(flows, 200, exact);
    // From below eta at most maxStage steps follow each other, and each correction ends at most one step above eta.
    const step = (count * parameters.aiWindowBytes) / parameters.windowBytes;
    expect(Math.abs(utilization - parameters.targetUtilization)).toBeLessThanOrEqual((parameters.maxStage + 1) * step);
  });

  it('HPCC as in the simulator converges to eta plus R_AI, within the units of its records', () => {
    const parameters = hpccNs3('run.py', { ...HPCC, intMultiplier: 1 });
    const flow = new HpccModel(parameters);
    const signal: Signal = ({ sample }) => ({
      telemetry: { kind: 'int64', hopCount: 1, hops: [quantizeHop(sample, 1)] },
    });
    const { meansBps } = share([flow], 400, signal);
    // A step's 7.8 kB are counted in units of 128 bytes: each u' is off by less than 128 / 7812, and T averages them.
    const resolved = parameters.targetUtilization + parameters.aiRateBps / LINK_BPS;
    expect(Math.abs(meansBps[0] / LINK_BPS - resolved)).toBeLessThan(128 / ((LINK_BPS * STEP_PS) / 8e12));
  });

  it('HPCC-PINT with encoded utilization stays within 0.01 of eta plus R_AI on average', () => {
    const parameters = hpccPintNs3({ ...HPCC, pintBase: 1.01, pintBits: 11 });
    const codec = new PintCodec(parameters.pintBase, parameters.pintBits);
    const random = new CongestionPointRandom(3);
    let lastTx = 0;
    let u = 1;
    const signal: Signal = ({ sample }) => {
      const port = { sinceLastNs: STEP_PS / 1000, lastLenBytes: sample.txBytes - lastTx, qlenBytes: sample.qlenBytes };
      lastTx = sample.txBytes;
      u = pintPortUtilization(u, port, LINK_BPS, RTT_PS / 1000);
      return { pintPower: codec.encode(u, random) };
    };
    const { meansBps } = share([new HpccPintModel(parameters, random)], 400, signal);
    const resolved = parameters.targetUtilization + parameters.aiRateBps / LINK_BPS;
    expect(Math.abs(meansBps[0] / LINK_BPS - resolved)).toBeLessThan(0.01);
  });
});

describe('flows that start 20 round trips apart share the link within 5 %', () => {
  const APART = { apartRoundTrips: 20 };
  const four = <T>(make: () => T): T[] => Array.from({ length: 4 }, make);

  it('HPCC, at the pace that its additive step sets', () => {
    const parameters = hpccSigcomm19({ ...HPCC, expectedFlows: 10, maxStage: 0 });
    const early = share(four(() => new HpccModel(parameters)), 80, exact, APART);
    expect(spread(early.meansBps)).toBeGreaterThan(0.2);
    // From then on differences shrink by eta W0 / (eta W0 + 4 W_AI) per round trip: 1.0211^-200 = 1.5 %.
    const late = share(four(() => new HpccModel(parameters)), 280, exact, APART);
    expect(spread(late.ratesBps)).toBeLessThan(0.05);
    expect(late.utilization).toBeLessThan(1);
  });

  it('DCTCP in rate form', () => {
    const parameters = dctcpNs3({ lineRateBps: LINK_BPS });
    const echo: Signal = ({ marked }) => ({ ecnEcho: marked });
    const { meansBps } = share(four(() => new DctcpModel(parameters)), 800, echo, { ...APART, perPacket: true });
    expect(spread(meansBps)).toBeLessThan(0.05);
    expect(meansBps.reduce((a, b) => a + b, 0) / LINK_BPS).toBeGreaterThan(0.8);
  });

  it('Swift, with its delay near the target', () => {
    const parameters = swiftSigcomm20({ lineRateBps: LINK_BPS });
    const signal: Signal = ({ delayPs }, timePs) => ({ sentTimePs: timePs - delayPs });
    const flows = four(() => new SwiftModel(parameters));
    const { meansBps, queueBytes } = share(flows, 1600, signal, APART);
    expect(spread(meansBps)).toBeLessThan(0.05);
    const delayPs = RTT_PS + (queueBytes * 8e12) / LINK_BPS;
    // The four additive steps of one round trip are 4096 bytes: the queue moves by no more around the target.
    const targetPs = targetDelayPs(parameters, flows[0].state.cwnd, 0);
    expect(Math.abs(delayPs - targetPs)).toBeLessThan((4 * 1024 * 8e12) / LINK_BPS);
  });
});
