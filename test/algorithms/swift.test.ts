import { beforeAll, describe, expect, it } from 'vitest';
import { swiftSigcomm20, type SwiftParameters, CWND_MAX, CWND_MIN,
  validateSwift } from '../../src/config/algorithms/swift.js';
import { parameterRecord } from '../../src/config/algorithms/registry.js';
import { PERIOD_MAX_PS, PERIOD_MIN_PS, RATE_MAX_BPS } from '../../src/config/algorithms/algorithm.js';
import { SwiftModel } from '../../src/reference/algorithms/swift/model.js';
import { gbps, us } from '../../src/units.js';
import { instantiatePart, WasmController, type WasmExports } from './support/harness.js';
import { Seeded } from '../support/seeded.js';
import { driveTwins, fieldsOf, Stream, type Twins } from './support/streams.js';

const CWND = 8;
const RTT = 16;
const TIMEOUTS = 32;
const LAST_DECREASE = 56;
const STREAMS = 250;
const EVENTS = 600;
const PAPER = swiftSigcomm20({ lineRateBps: gbps(100) });

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/entry.ts');
});

function controllerOf(parameters: SwiftParameters): WasmController {
  return new WasmController(wasm, 'swift', parameterRecord(parameters));
}

describe("Swift's parameters", () => {
  it('are written to the engine fields of the same names', () => {
    const parameters = validateSwift({
      algorithm: 'swift',
      maxRateBps: 40e9,
      packetBytes: 1024,
      baseTargetPs: 25_000_001,
      hopScalePs: 1_000_003,
      flowScaleRangePs: 90e6,
      flowScaleMinCwnd: 1 / 4,
      flowScaleMaxCwnd: 4,
      aiPackets: 1.5,
      decreaseBeta: 0.8,
      maxDecrease: 0.25,
      minCwnd: 0.01,
      maxCwnd: 500,
      initialCwnd: 10,
      timeoutsToReset: 5,
    });
    // The line falls from 90 us at 1 / sqrt(1/4) = 2 to 0 at 1 / sqrt(4) = 1/2.
    const [slopePs, offsetPs] = [60e6, 30e6];
    expect(fieldsOf(wasm, 'swift', parameterRecord(parameters))).toEqual([
      40e9,
      0,
      1024,
      25_000_001,
      1_000_003,
      90e6,
      slopePs,
      offsetPs,
      1.5,
      0.8,
      0.75,
      0.01,
      500,
      10,
      5,
    ]);
  });
});

function randomParameters(random: Seeded): SwiftParameters {
  const cwnd = () => random.pick([CWND_MIN, CWND_MAX, 1, random.scaled(CWND_MIN, CWND_MAX), random.scaled(0.01, 100)]);
  const [minCwnd, initialCwnd, maxCwnd] = [cwnd(), cwnd(), cwnd()].sort((a, b) => a - b);
  const period = (least: number) => Math.floor(random.pick([least, PERIOD_MAX_PS, random.scaled(1e6, 1e9)]));
  const flowScaleMinCwnd = random.pick([CWND_MIN, 0.1, random.scaled(CWND_MIN, 100)]);
  const flowScaleMaxCwnd = random.pick([CWND_MAX, 100.5, flowScaleMinCwnd * (1 + 2 ** -52), flowScaleMinCwnd * 10]);
  return validateSwift({
    algorithm: 'swift',
    maxRateBps: Math.floor(random.pick([1000, 100e9, RATE_MAX_BPS])),
    packetBytes: random.pick([1, 1024, 65535, random.whole(1, 65535)]),
    baseTargetPs: random.pick([us(25), period(PERIOD_MIN_PS)]),
    hopScalePs: random.pick([0, us(1), period(0)]),
    flowScaleRangePs: random.pick([0, us(100), period(0)]),
    flowScaleMinCwnd,
    flowScaleMaxCwnd,
    aiPackets: random.pick([0, 1, CWND_MAX, random.scaled(1e-6, 10)]),
    decreaseBeta: random.pick([CWND_MIN, 1, 0.8, random.next() * 0.9 + 0.01]),
    maxDecrease: random.pick([CWND_MIN, 1 - CWND_MIN, 0.5, random.next() * 0.9 + 0.01]),
    minCwnd,
    maxCwnd,
    initialCwnd,
    timeoutsToReset: random.pick([1, 2, 5, 255]),
  });
}

function twinsOf(parameters: SwiftParameters): Twins {
  const model = new SwiftModel(parameters);
  const qp = controllerOf(parameters);
  return {
    model,
    wasm: qp,
    stateOfModel: () => {
      const s = model.state;
      return [
        model.rateBps,
        s.cwnd,
        s.rttPs,
        model.windowBytes,
        s.timeouts,
        s.lastEventPs,
        s.nextSendPs,
        s.lastDecreasePs,
      ];
    },
    stateOfWasm: () => [
      qp.rateBps,
      qp.f64(CWND),
      qp.f64(RTT),
      qp.windowBytes,
      qp.u32(TIMEOUTS),
      qp.lastEventPs,
      qp.nextSendPs,
      qp.f64(LAST_DECREASE),
    ],
  };
}

describe('Swift in wasm', () => {
  it('matches its model bit for bit, under any parameters and events', () => {
    let acks = 0;
    for (let seed = 1; seed <= STREAMS; seed += 1) {
      const random = new Seeded(seed);
      acks += driveTwins(twinsOf(randomParameters(random)), new Stream(random), EVENTS);
    }
    expect(acks).toBeGreaterThan(STREAMS * EVENTS * 0.6);
  });

  it('opens a QP in the same state as its model, with no decrease yet', () => {
    const twins = twinsOf(PAPER);
    expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
    expect(twins.wasm.f64(LAST_DECREASE)).toBe(-Infinity);
  });

  it('matches its model through every phase of the window at a steady bottleneck', () => {
    const twins = twinsOf({ ...PAPER, initialCwnd: 0.5 });
    const seen = new Set<string>();
    for (let i = 1; i <= 5000; i += 1) {
      const cwnd = twins.wasm.f64(CWND);
      const timePs = us(1000 + 10 * i);
      const ack = { timePs, sentTimePs: timePs - us(20 + cwnd), ackSeq: i, sndNxt: i + 1, ecnEcho: false };
      const outcome = twins.wasm.onAck(ack);
      expect(outcome).toBe(twins.model.onAck(ack));
      twins.wasm.onSent(timePs, 1024);
      twins.model.onSent(timePs, 1024);
      expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
      const grown = twins.wasm.f64(CWND) - cwnd;
      seen.add(`${cwnd < 1 ? 'paced' : 'windowed'} ${outcome} ${Math.sign(grown)}`);
    }
    expect([...seen].sort()).toEqual([
      'paced update 1',
      'windowed skipped 0',
      'windowed update -1',
      'windowed update 1',
    ]);
  });

  it('decreases again after a whole round trip, not a picosecond earlier', () => {
    const twins = twinsOf({ ...PAPER, flowScaleRangePs: 0 });
    const windows = [us(100), us(150) - 1, us(150), us(200) - 1].map((timePs) => {
      const ack = { timePs, sentTimePs: timePs - us(50), ackSeq: 1, sndNxt: 2, ecnEcho: false };
      expect(twins.wasm.onAck(ack)).toBe(twins.model.onAck(ack));
      expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
      return twins.wasm.f64(CWND);
    });
    expect(windows.map((cwnd, i) => cwnd < (windows[i - 1] ?? PAPER.initialCwnd))).toEqual([true, false, true, false]);
  });

  it('stops counting consecutive timeouts once the window is reset', () => {
    const twins = twinsOf({ ...PAPER, timeoutsToReset: 2 });
    const timeouts = [1, 2, 3].map((timeUs) => {
      twins.wasm.onLoss(us(timeUs), 'timeout');
      twins.model.onLoss?.(us(timeUs), 'timeout');
      expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
      return twins.wasm.u32(TIMEOUTS);
    });
    expect(timeouts).toEqual([1, 2, 2]);
    expect(twins.wasm.f64(CWND)).toBe(PAPER.minCwnd);
  });

  it('reports no signal and changes nothing without a round trip, or if the host delay exceeds it', () => {
    const qp = controllerOf(PAPER);
    const ack = { timePs: us(100), ackSeq: 1, sndNxt: 2, ecnEcho: false };
    expect(qp.onAck(ack)).toBe('no-signal');
    expect(qp.onAck({ ...ack, sentTimePs: us(100) })).toBe('no-signal');
    expect(qp.onAck({ ...ack, sentTimePs: us(90), hostDelayPs: us(11) })).toBe('no-signal');
    expect(qp.onAck({ ...ack, sentTimePs: us(90), hostDelayPs: us(10) })).toBe('update');
  });
});
