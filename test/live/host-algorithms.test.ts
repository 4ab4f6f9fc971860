/**
 * Compares an incast of emulated hosts with the simulator, under every algorithm whose signals fit on the wire.
 *
 * Times differ slightly: on the wire the first packet of a message has a RETH, the last packet has full size, and
 * traces count nanoseconds. So queues and times are compared within bounds that a wrong signal exceeds.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { tracedTelemetry } from '../../src/live/hosts/congestion-control.js';
import { runScenario, type ScenarioSpec } from '../../src/sim/index.js';
import { HOP_TRACE_TYPE, freeHops, recordHop } from '../../src/switching/hop-trace.js';
import { locateRoce } from '../../src/wire/roce/roce-frame.js';
import { IoamTraceData } from '../../src/wire/telemetry/ioam-trace-data.js';
import { starScenario } from './support/emulated-star.js';
import { VirtualWire } from './support/virtual-wire.js';

const SENDERS = 3;
const SIZE_BYTES = 3_000_000;
const SECOND_PS = 1e12;
const ACK_OPCODE = 17;
const OPTION_BEFORE_TRACE = 8;

function incast(preset: string): ScenarioSpec {
  return starScenario(SENDERS + 1, {
    topology: { kind: 'star', hosts: SENDERS + 1, rateGbps: 10, delayNs: 1000 },
    workload: { kind: 'incast', senders: SENDERS, sizeBytes: SIZE_BYTES },
    algorithms: { default: { preset: preset as 'hpcc-sigcomm19' } },
  });
}

/** The completion time of each flow and the longest queue on the wire. */
function onTheWire(scenario: ScenarioSpec): { readonly endsPs: readonly number[]; readonly queueBytes: number } {
  const wire = new VirtualWire(scenario);
  const endsPs = new Array<number>(SENDERS).fill(NaN);
  const look = (timePs: number): void => {
    wire.hosts.senders.forEach(({ requester }, flow) => {
      if (requester.isDone && Number.isNaN(endsPs[flow])) endsPs[flow] = timePs;
    });
  };
  wire.run(SECOND_PS, { everyPs: 1e6, look });
  // The last ACK is the last event of all.
  look(wire.switch.nowPs);
  for (const { requester } of wire.hosts.senders) expect(requester.timeouts + requester.again).toBe(0);
  for (const { node } of wire.hosts.settings.hosts) {
    const { icrcWrong, strays } = wire.hosts.countersOf(node);
    expect({ icrcWrong, strays }).toEqual({ icrcWrong: 0, strays: 0 });
  }
  return { endsPs, queueBytes: Math.max(...wire.switch.queues.maxBytes) };
}

describe('an incast of emulated hosts', () => {
  it.each([
    'dcqcn-sigcomm15',
    'hpcc-sigcomm19',
    'hpcc-pp-draft',
    'hpcc-pp-fast-cnp',
    'dctcp-ns3',
    'timely-sigcomm15',
    'swift-sigcomm20',
    'nscc-uet',
  ])('matches the queue and the times of the simulator under %s', async (preset) => {
    const scenario = incast(preset);
    const { endsPs, queueBytes } = onTheWire(scenario);
    const { flows, ports } = await runScenario(scenario).result;
    const simulated = Math.max(...ports.map(({ maxQueueBytes }) => maxQueueBytes));
    expect(queueBytes / simulated).toBeGreaterThan(0.9);
    expect(queueBytes / simulated).toBeLessThan(1.1);
    const lastPs = Math.max(...Array.from(flows, ({ completionPs }) => completionPs ?? NaN));
    expect(Math.max(...endsPs) / lastPs).toBeGreaterThan(0.93);
    expect(Math.max(...endsPs) / lastPs).toBeLessThan(1.07);
  });

  it('keeps shorter queues under HPCC than under DCQCN', () => {
    const [hpcc, dcqcn] = ['hpcc-sigcomm19', 'dcqcn-sigcomm15'].map((preset) => onTheWire(incast(preset)).queueBytes);
    expect(hpcc! * 3).toBeLessThan(dcqcn!);
  });
});

describe('telemetry on the wire', () => {
  const data: Uint8Array[] = [];
  const acks: Uint8Array[] = [];

  beforeAll(() => {
    const wire = new VirtualWire(incast('hpcc-sigcomm19'));
    wire.keepsArrivals = true;
    wire.run(SECOND_PS / 5000);
    for (const frame of wire.departures) {
      const { bth } = locateRoce(frame, 0, 'ethernet');
      (bth.opcode === ACK_OPCODE ? acks : data).push(frame);
    }
  });

  function traceOf(frame: Uint8Array): ReturnType<typeof IoamTraceData.read> {
    const { extensions } = locateRoce(frame, 0, 'ethernet');
    const [{ offset }] = extensions as [(typeof extensions)[number]];
    const from = offset + OPTION_BEFORE_TRACE;
    return IoamTraceData.read(frame, from, frame[offset + 5]! - 2, 'pre-allocated');
  }

  it('has a record of the switch in data packets: time, rate, queue, bytes sent', () => {
    expect(data.length).toBeGreaterThan(100);
    let [timeNs, txBytes] = [0, -1n];
    for (const frame of data) {
      const { header, nodes } = traceOf(frame);
      expect(header).toMatchObject({ traceType: HOP_TRACE_TYPE, remainingLenWords: 0 });
      const [node] = nodes as [(typeof nodes)[number]];
      expect(node).toMatchObject({ hopLimit: 64, namespaceData: 10_000, egressInterface: SENDERS + 1 });
      expect(node.timestampFraction!).toBeGreaterThan(timeNs);
      expect(node.namespaceDataWide! > txBytes).toBe(true);
      [timeNs, txBytes] = [node.timestampFraction!, node.namespaceDataWide!];
    }
    expect(data.some((frame) => traceOf(frame).nodes[0]!.queueDepth! > 5000)).toBe(true);
  });

  it('is echoed unchanged in ACKs', () => {
    expect(acks.length).toBeGreaterThan(100);
    const sent = new Set(data.map((frame) => String(traceOf(frame).nodes[0]!.timestampFraction)));
    for (const frame of acks) expect(sent.has(String(traceOf(frame).nodes[0]!.timestampFraction))).toBe(true);
  });
});

describe('traces from the wire', () => {
  const HOP = { node: 3, ingress: 1, egress: 2, timePs: 5e12, rateBps: 1e10, queueBytes: 700, txBytes: 2 ** 40 + 5 };

  function traced(): Uint8Array {
    const trace = freeHops(2);
    recordHop(trace, 0, trace.length, HOP);
    return trace;
  }

  it('are read hop by hop, and are partial if a record did not fit', () => {
    const trace = traced();
    const hop = { timePs: 5e12, txBytes: 2 ** 40 + 5, qlenBytes: 700, lineRateBps: 1e10, hopId: 3, portId: 2 };
    expect(tracedTelemetry(trace, 0, trace.length)).toEqual({ kind: 'exact', hops: [hop], partial: false });
    recordHop(trace, 0, trace.length, { ...HOP, node: 4 });
    recordHop(trace, 0, trace.length, { ...HOP, node: 5 });
    const both = tracedTelemetry(trace, 0, trace.length)!;
    expect(both.hops.map(({ hopId }) => hopId)).toEqual([3, 4]);
    expect(both.partial).toBe(true);
  });

  it('yield only valid values if corrupted, and remain unchanged if truncated', () => {
    const trace = traced();
    for (let place = 0; place < 5 * trace.length; place += 1) {
      const odd = trace.slice();
      odd[Math.floor(place / 5)] = [0, 1, 0x7f, 0x80, 0xff][place % 5]!;
      recordHop(odd, 0, odd.length, HOP);
      const values = (tracedTelemetry(odd, 0, odd.length)?.hops ?? []).flatMap((hop) => Object.values(hop) as number[]);
      expect(values.filter((value) => !Number.isSafeInteger(value) || value < 0)).toEqual([]);
    }
    // 40 bytes are a valid shorter trace, with free space for one record.
    for (let lenBytes = 0; lenBytes < 40; lenBytes += 1) {
      const cut = trace.slice(0, lenBytes);
      recordHop(cut, 0, lenBytes, HOP);
      expect(cut).toEqual(trace.slice(0, lenBytes));
      tracedTelemetry(cut, 0, lenBytes);
    }
  });
});
