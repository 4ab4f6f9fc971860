import { describe, expect, it } from 'vitest';
import { hpccPpDraft } from '../../src/config/algorithms/hpcc-pp.js';
import type { TelemetrySettings } from '../../src/config/telemetry.js';
import { dcqcnSigcomm15, gbps, hpccPintNs3, us, type Engine, type EngineOptions,
  type ExactAckTelemetry } from '../../src/index.js';
import type { IoamNode } from '../../src/wire/telemetry/ioam-node.js';
import { IoamTraceData, pushIoamNode } from '../../src/wire/telemetry/ioam-trace-data.js';
import { Chains } from './support/chains.js';
import { Herd } from './support/herd.js';
import { ackWithHeaders, DESTINATION_OPTIONS, fastCnpWith, HOP_BY_HOP } from './support/hpcc-pp-frames.js';
import { cnpPacket, RECEIVER, RECEIVER_QPN, SENDER, SENDER_QPN, SWITCH } from './support/network.js';
import { caseCount } from '../support/effort.js';

const RTT = { lineRateBps: gbps(100), baseRttPs: us(10) };
const STEPS = caseCount('ROCE_EVENTS', { few: 3000, all: 12_000 });
const BATCH = 32;
const ALL_ONES = 0xffffffff;

/** Telemetry settings that together read every trace field. */
const TELEMETRIES: readonly Partial<TelemetrySettings>[] = [
  { ackTraces: 'echo', defaultLineRateBps: gbps(100) },
  {
    namespaceId: 'any',
    timestampFormat: 'ntp',
    ackTraces: 'echo',
    queueField: 'buffer-occupancy',
    queueUnitBytes: 208,
    txBytes: { field: 'namespace-data-wide', fromBit: 7, bits: 41, unit: 1 },
    lineRate: { field: 'namespace-data-wide', fromBit: 48, bits: 16, unit: gbps(1) },
    ports: [{ nodeId: 1, lineRateBps: gbps(25), queueUnitBytes: 80 }],
  },
  {
    timestampFormat: 'posix',
    ackTraces: 'echo',
    opaqueSchemaId: 3,
    queueUnitBytes: 80,
    txBytes: { field: 'opaque', fromBit: 3, bits: 37, unit: 32 },
    ports: [
      { nodeId: 1, lineRateBps: gbps(100) },
      { nodeId: 1, egressInterface: 2, lineRateBps: gbps(25), queueUnitBytes: 1 },
      { nodeId: 0x01020304, egressInterface: 70_000, lineRateBps: gbps(400) },
      { nodeId: 2, egressInterface: 1, lineRateBps: gbps(50) },
    ],
  },
  {
    txBytes: { field: 'namespace-data', fromBit: 4, bits: 28, unit: 8 },
    lineRate: { field: 'namespace-data', fromBit: 0, bits: 4, unit: gbps(25) },
  },
];

class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }
  /** The value, sometimes "not available" or random. */
  value(value: number, all: number): number {
    const kind = this.below(40);
    if (kind === 0) return all;
    return kind === 1 ? this.below(2 ** 31) % (all + 1) : value % (all + 1);
  }
}

function randomNode(chance: Chance, timePs: number): IoamNode {
  const seconds = Math.floor(timePs / 1e12) + 1_751_330_000;
  const bytes = Math.floor(timePs / 90) + chance.below(2000);
  return {
    hopLimit: chance.below(256),
    nodeId: chance.value(1 + chance.below(3), 0xffffff),
    ingressInterface: 0,
    egressInterface: chance.value(chance.below(3), 0xffff),
    timestampSeconds: chance.value(seconds, ALL_ONES),
    timestampFraction: chance.value(Math.floor((timePs % 1e12) / [1000, 233, 1e6][chance.below(3)]!), ALL_ONES),
    transitDelay: 0,
    namespaceData: chance.value((chance.below(16) * 2 ** 28 + (bytes % 2 ** 28)) % 2 ** 32, ALL_ONES),
    queueDepth: chance.value(chance.below(4) === 0 ? 0 : chance.below(300_000), ALL_ONES),
    hopLimitWide: 0,
    nodeIdWide: BigInt(chance.value(0x01020304, ALL_ONES)) + (chance.below(3) === 0 ? 0xffffffn << 32n : 0n),
    ingressInterfaceWide: 0,
    egressInterfaceWide: chance.value(70_000, ALL_ONES),
    namespaceDataWide: (BigInt(bytes) << 16n) | BigInt(chance.below(401)),
    bufferOccupancy: chance.value(chance.below(9000), ALL_ONES),
    opaque: {
      schemaId: chance.below(4) === 0 ? 9 : 3,
      data: Uint8Array.from({ length: 4 * chance.below(4) }, () => chance.below(256)),
    },
  };
}

/** Only the fields of a trace type. */
function ofType(node: IoamNode, traceType: number): IoamNode {
  const has = (bit: number): boolean => ((traceType >> (23 - bit)) & 1) !== 0;
  const bits: Readonly<Record<string, number>> = {
    hopLimit: 0,
    nodeId: 0,
    ingressInterface: 1,
    egressInterface: 1,
    timestampSeconds: 2,
    timestampFraction: 3,
    transitDelay: 4,
    namespaceData: 5,
    queueDepth: 6,
    hopLimitWide: 8,
    nodeIdWide: 8,
    ingressInterfaceWide: 9,
    egressInterfaceWide: 9,
    namespaceDataWide: 10,
    bufferOccupancy: 11,
    opaque: 22,
  };
  return Object.fromEntries(Object.entries(node).filter(([name]) => has(bits[name]!)));
}

/** Trace types that a domain would request. */
const TRACE_TYPES = [0xf60000, 0xf20000, 0x56a002, 0xf60002, 0x77f000, 0xf63002, 0xb2c002];

/** A trace with some nodes, sometimes overflowed, mutated or truncated, and its IOAM Option-Type. */
function randomTrace(chance: Chance, timePs: number): { trace: Uint8Array; type: number } {
  const traceType = chance.below(10) === 0 ? chance.below(2 ** 24) : TRACE_TYPES[chance.below(TRACE_TYPES.length)]!;
  const nodes = Array.from({ length: chance.below(20) === 0 ? chance.below(4) : 1 + chance.below(2) },
    (_, hop) => ofType(randomNode(chance, timePs - us(1) * (hop + chance.below(8))), traceType));
  const type = chance.below(4) === 0 ? 1 : 0;
  const kind = type === 1 ? 'incremental' : 'pre-allocated';
  const hasFields = (traceType & 0xfffffe) !== 0;
  const trace = IoamTraceData.write({
    kind,
    header: { traceType, namespaceId: chance.below(30) === 0 ? 5 : 0, remainingLenWords: chance.below(4) },
    nodes: hasFields ? nodes : [],
  });
  if (type === 0 && hasFields && chance.below(8) === 0) {
    pushIoamNode(trace, 0, trace.length, ofType(randomNode(chance, timePs), traceType));
  }
  if (chance.below(6) === 0) trace[chance.below(trace.length)] = chance.below(256);
  return { trace: trace.length > 236 ? trace.slice(0, 236) : trace, type };
}

function randomTelemetry(chance: Chance, atPs: number): ExactAckTelemetry {
  const hops = Array.from({ length: chance.below(5) === 0 ? 15 + chance.below(2) : chance.below(4) }, (_, hop) => ({
    timePs: Math.max(0, atPs - us(chance.below(9))),
    txBytes: Math.floor(atPs / 90) + chance.below(3000),
    qlenBytes: chance.below(3) * chance.below(200_000),
    lineRateBps: chance.below(9) === 0 ? 0 : gbps(100),
    hopId: chance.below(7) === 0 ? 0 : hop + chance.below(3),
    portId: chance.below(9) === 0 ? 1 : 0,
  }));
  return { kind: 'exact', hops, pathId: chance.below(20) === 0 ? 2 : chance.below(2), partial: chance.below(9) === 0 };
}

/** The one or two headers of an ACK that carry traces. */
function randomHeaders(chance: Chance): readonly number[] {
  return [[HOP_BY_HOP], [DESTINATION_OPTIONS], [HOP_BY_HOP, DESTINATION_OPTIONS], [
    DESTINATION_OPTIONS,
    DESTINATION_OPTIONS,
  ]][chance.below(4)]!;
}

/** Adds a random event or frame to the batch of each engine. */
function addInput(herd: Herd, chance: Chance, atPs: number, qp: number, sequence: number): void {
  const kind = chance.below(15);
  const add = (packet: Uint8Array): void => {
    herd.step((engine) => {
      engine.packets.add(atPs, packet, undefined, 'raw-ip');
    });
  };
  const { trace, type } = randomTrace(chance, atPs);
  const telemetry = chance.below(5) === 0 ? {} : { telemetry: randomTelemetry(chance, atPs) };
  if (kind < 4) add(fastCnpWith(trace, type, chance.below(5) === 0 ? RECEIVER : SWITCH));
  else if (kind === 4) add(ackWithHeaders(randomHeaders(chance).map((header) => [header, trace])));
  else if (kind === 5) add(cnpPacket());
  else if (kind === 6) {
    const fields = {
      endpoint: 0,
      source: SWITCH,
      originalDestination: RECEIVER,
      destQpn: RECEIVER_QPN + qp,
      ...telemetry,
    };
    herd.step((engine) => {
      engine.events.fastCnp(atPs, fields);
    });
  } else if (kind < 9) {
    herd.step((engine) => {
      engine.events.ack(atPs, qp, { ackSeq: sequence, sndNxt: sequence + 40, ...telemetry });
    });
  } else if (kind === 9) {
    herd.step((engine) => {
      engine.events.cnp(atPs, qp);
    });
  } else if (kind === 10) {
    herd.step((engine) => {
      engine.events.touch(atPs, qp);
    });
  } else {herd.step((engine) => {
      engine.events.sent(atPs, qp, 1100);
    });}
}

/** Makes a step on all engines and checks them; traced rate changes must be contiguous. */
function checked(herd: Herd, chains: Chains | undefined, step: (engine: Engine) => unknown): void {
  herd.step(step);
  herd.check();
  chains?.follow();
}

/** Applies the batches; every rate must be valid. */
function apply(herd: Herd, chains: Chains | undefined): void {
  checked(herd, chains, (engine) => engine.applyEvents());
  checked(herd, chains, (engine) => engine.applyPackets());
  for (const qp of herd.first.openQps()) {
    const rateBps = herd.first.rateBps(qp);
    if (!(rateBps > 0 && rateBps <= gbps(100))) {
      expect(rateBps, `rate of QP ${qp}`).toBe('above 0, up to the line rate');
    }
  }
}

/** Mostly microseconds, sometimes zero or up to a second. */
function randomGap(chance: Chance): number {
  if (chance.below(200) === 0) return chance.below(1_000_000) * us(1);
  return chance.below(3) === 0 ? 0 : chance.below(us(5));
}

function drive(options: Omit<EngineOptions, 'backend' | 'hashSeed'>, names: readonly string[],
  seed: number): { herd: Herd; chains: Chains | undefined } {
  const herd = new Herd({
    capacity: { qps: 16, events: BATCH, packets: BATCH },
    fastCnp: { enabled: true, defaultAction: 'allow', duplicateWindowPs: us(15) },
    ...options,
  });
  const chance = new Chance(seed);
  herd.step((engine) => engine.addEndpoint([SENDER]));
  names.forEach((parameterSet, index) => {
    // The first QP is the flow of the frames.
    herd.step((engine) =>
      engine.openQp({
        localQpn: SENDER_QPN + index,
        peerAddress: RECEIVER,
        peerQpn: RECEIVER_QPN + index,
        parameterSet,
      })
    );
  });
  const chains = options.trace ? new Chains(herd.first) : undefined;
  let timePs = us(500);
  for (let i = 0; i < STEPS; i++) {
    timePs += randomGap(chance);
    const at = chance.below(100) === 0 ? Math.max(0, timePs - us(9)) : timePs;
    addInput(herd, chance, at, chance.below(names.length + 1), i);
    if (i % BATCH !== BATCH - 1) continue;
    apply(herd, chains);
    checked(herd, chains, (engine) => engine.advance(at));
    if (i < STEPS / 2 && i + BATCH >= STEPS / 2) herd.fork();
  }
  apply(herd, chains);
  return { herd, chains };
}

describe('engines with HPCC++', () => {
  it.each(TELEMETRIES.map((telemetry, index) => [index, telemetry] as const))(
    'agree on random signals and mutated traces, resume from snapshots and trace each rate change (telemetry %i)',
    (index, telemetry) => {
      const more = index % 2 === 0 ?
        {} :
        {
          firstSample: 'queue-only',
          clock: 'timer',
          pathChange: 'ignore',
          repeatedTimestamp: 'one-nanosecond',
        } as const;
      const parameterSets = {
        plus: hpccPpDraft({ ...RTT, ...more }),
        rates: hpccPpDraft({
          ...RTT,
          primary: 'rate',
          windowMode: 'none',
          numbers: 'whole-bps',
          minRateBps: 1e8,
          aiRateBps: 5e7,
          aiWindowBytes: 0,
          fastReact: false,
          signalSources: ['fast-cnps', 'acks'],
        }),
        cnps: hpccPpDraft({ ...RTT, notifiedUtilization: 4, ewma: 'constant', ewmaBeta: 0.3, signalSources: ['cnps'] }),
        dcqcn: dcqcnSigcomm15({ lineRateBps: gbps(100) }),
        // Its table precedes the ports.
        pint: hpccPintNs3(RTT),
      };
      const trace = index % 2 === 1;
      const { herd, chains } = drive({ parameterSets, telemetry, trace, lateEvents: index < 2 ? 'reject' : 'clamp' },
        Object.keys(parameterSets), 77 + index);
      const { outcomes } = herd.first.stats();
      for (
        const outcome of [
          'sent',
          'ack',
          'ack-applied',
          'ack-not-used',
          'ack-no-signal',
          'cnp-not-used',
          'cnp-handled',
          'cnp-duplicate',
          'fast-cnp-accepted',
          'fast-cnp-duplicate',
          'touched',
        ] as const
      ) {
        expect(outcomes[outcome], outcome).toBeGreaterThan(0);
      }
      const reasons = ['hpcc-additive', 'hpcc-multiplicative', 'recovery-additive', 'recovery-halfway'];
      if (chains) expect([...chains.reasons.keys()]).toEqual(expect.arrayContaining(reasons));
    },
    300_000,
  );
});
