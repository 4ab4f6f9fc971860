import { beforeAll, describe, expect, it } from 'vitest';
import { type DctcpParameters, dctcpNs3, validateDctcp } from '../../src/config/algorithms/dctcp.js';
import { parameterRecord } from '../../src/config/algorithms/registry.js';
import { ALPHA_GAIN_MIN } from '../../src/config/algorithms/algorithm.js';
import { DctcpModel } from '../../src/reference/algorithms/dctcp/model.js';
import { gbps, us } from '../../src/units.js';
import { ackOf, expectRow, numbersOf } from '../support/golden-acks.js';
import { DCTCP_TRACES, dctcpGolden } from '../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden } from '../support/golden.js';
import { instantiatePart, WasmController, type WasmExports } from './support/harness.js';
import { Seeded } from '../support/seeded.js';
import { driveTwins, fieldsOf, randomRates, Stream, type Twins } from './support/streams.js';
import { CONTROLLER, CONTROLLER_REDUCED } from '../../src/abi/records/controllers.js';

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
const ALPHA = 8;
const MARKED_ACKS = 16;
const FURTHER_PACKETS = 20;
const REDUCED_UNTIL = 32;
const STREAMS = 200;
const EVENTS = 600;

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/entry.ts');
});

function controllerOf(parameters: DctcpParameters): WasmController {
  return new WasmController(wasm, 'dctcp', parameterRecord(parameters));
}

function isReduced(qp: WasmController): boolean {
  return (qp.u8(CONTROLLER.at.flags) & CONTROLLER_REDUCED) !== 0;
}

/** Packets in the batch: the record counts those after the first; before any batch there are none. */
function batchOf(qp: WasmController, isAny: boolean): number {
  return isAny ? qp.u32(FURTHER_PACKETS) + 1 : qp.u32(FURTHER_PACKETS);
}

describe('DCTCP in wasm reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const traces = goldenFiles(folder, DCTCP_TRACES);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const qp = controllerOf(dctcpGolden(name));
    for (const row of readGolden(folder, name)) {
      const batch = qp.onAck(ackOf(row)) === 'fast' ? 0 : 1;
      const counts = [qp.u32(MARKED_ACKS), batchOf(qp, true), Number(isReduced(qp)), qp.u32(REDUCED_UNTIL)];
      const actual = [batch, qp.lastUpdateSeq, qp.f64(ALPHA), ...counts, qp.rateBps];
      expectRow(actual, numbersOf(row, COLUMNS), row.time_ns);
    }
    qp.checkContained();
  });
});

describe("DCTCP's parameters", () => {
  it('are written to the engine fields of the same names', () => {
    const parameters = validateDctcp({
      algorithm: 'dctcp',
      numbers: 'whole-bps',
      maxRateBps: 40e9,
      minRateBps: 1e9,
      alphaGain: 0.1,
      aiRateBps: 3e6,
      sequencePerPacket: 1024,
      sequence: 'u32',
      sendGap: 'picoseconds',
    });
    const numbers = [40e9, 1e9, 3e6, 0.1, 0.9, 1024];
    const fields = (more: Partial<DctcpParameters>) =>
      fieldsOf(wasm, 'dctcp', parameterRecord({ ...parameters, ...more }));
    expect(fields({})).toEqual([...numbers, 1, 0, 0]);
    expect(fields({ numbers: 'float64' })).toEqual([...numbers, 0, 0, 0]);
    expect(fields({ sequence: 'psn24' })).toEqual([...numbers, 1, 1, 0]);
    expect(fields({ sendGap: 'ns3-nanoseconds' })).toEqual([...numbers, 1, 0, 1]);
  });
});

function randomParameters(random: Seeded): DctcpParameters {
  return validateDctcp({
    algorithm: 'dctcp',
    ...randomRates(random),
    alphaGain: random.pick([0, ALPHA_GAIN_MIN, 1, 1 / 16, random.next() * 0.9 + 0.01]),
    sequencePerPacket: random.pick([1, 1000, 65535, random.whole(1, 65535)]),
    sequence: random.pick(['u32', 'psn24']),
    sendGap: random.pick(['picoseconds', 'ns3-nanoseconds']),
  });
}

function twinsOf(parameters: DctcpParameters): Twins & { readonly model: DctcpModel } {
  const model = new DctcpModel(parameters);
  const qp = controllerOf(parameters);
  return {
    model,
    wasm: qp,
    stateOfModel: () => {
      const s = model.state;
      return [
        s.rateBps,
        s.alpha,
        s.markedAcks,
        s.batchPackets,
        model.windowBytes,
        s.reducedUntilSeq,
        Number(s.reduced),
        Number(s.started),
        s.lastEventPs,
        s.nextSendPs,
        s.lastLenBytes,
        s.lastUpdateSeq,
      ];
    },
    stateOfWasm: () => [
      qp.rateBps,
      qp.f64(ALPHA),
      qp.u32(MARKED_ACKS),
      batchOf(qp, model.state.batchPackets > 0),
      qp.windowBytes,
      qp.u32(REDUCED_UNTIL),
      Number(isReduced(qp)),
      Number(qp.started),
      qp.lastEventPs,
      qp.nextSendPs,
      qp.u32(CONTROLLER.at.lastLenBytes),
      qp.lastUpdateSeq,
    ],
  };
}

describe('DCTCP in wasm', () => {
  it('matches its model bit for bit, under any parameters and events', () => {
    let acks = 0;
    for (let seed = 1; seed <= STREAMS; seed += 1) {
      const random = new Seeded(seed);
      acks += driveTwins(twinsOf(randomParameters(random)), new Stream(random), EVENTS);
    }
    expect(acks).toBeGreaterThan(STREAMS * EVENTS * 0.6);
  });

  it('opens a QP in the same state as its model', () => {
    const twins = twinsOf(dctcpNs3({ lineRateBps: gbps(100) }));
    expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
  });

  it('counts a batch of 2^32 packets, and saturates the count of marked ACKs at 2^32 - 1', () => {
    const parameters: DctcpParameters = {
      ...dctcpNs3({ lineRateBps: gbps(100) }),
      sequencePerPacket: 1,
      sequence: 'u32',
      alphaGain: 1,
    };
    const twins = twinsOf(parameters);
    const both = (timeUs: number, ackSeq: number, sndNxt: number, ecnEcho: boolean) => {
      const ack = { timePs: us(timeUs), ackSeq, sndNxt, ecnEcho };
      expect(twins.wasm.onAck(ack)).toBe(twins.model.onAck(ack));
      expect(twins.stateOfWasm()).toEqual(twins.stateOfModel());
    };
    both(1, 1, 100, false);
    both(2, 101, 100, true);
    expect(twins.model.state.batchPackets).toBe(2 ** 32);
    expect(twins.wasm.u32(FURTHER_PACKETS)).toBe(2 ** 32 - 1);
    both(3, 101, 200, true);
    expect(twins.wasm.f64(ALPHA)).toBe(1 / 2 ** 32);
    const qp = controllerOf(parameters);
    const ack = (timeUs: number, ackSeq: number, ecnEcho: boolean) => {
      qp.onAck({ timePs: us(timeUs), ackSeq, sndNxt: 100, ecnEcho });
      return qp.u32(MARKED_ACKS);
    };
    ack(1, 1, false);
    ack(2, 101, false);
    qp.state.setUint32(MARKED_ACKS, 2 ** 32 - 2, true);
    expect([ack(3, 100, true), ack(4, 100, true)]).toEqual([2 ** 32 - 1, 2 ** 32 - 1]);
    expect(ack(5, 101, false)).toBe(0);
    expect(qp.f64(ALPHA)).toBe((2 ** 32 - 1) / 2 ** 32);
  });
});
