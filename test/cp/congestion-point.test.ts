import { beforeAll, describe, expect, it } from 'vitest';
import type { CongestionDecision, CongestionEvent, SenderCapability } from '../../src/config/congestion-decision.js';
import { CongestionPointModel, encodeCongestionDecision } from '../../src/reference/cp/congestion-point.js';
import { CAPABILITY_ABLE, CAPABILITY_UNABLE, CAPABILITY_UNKNOWN, CP_BAD_ARGUMENT,
  CP_REASON_SHIFT } from '../../src/abi/codes.js';
import { CONGESTION_POINT, TOKEN_BUCKET } from '../../src/abi/records/congestion-point.js';
import { congestionPointDefaults, resolveCongestionPointConfig, writeCongestionPointConfig,
  type CongestionPointConfig } from '../../src/config/congestion-point.js';
import { us } from '../../src/units.js';
import { type CongestionPointModule, compileCongestionPoint } from './support/compile.js';

const BASE = 1024;
const CAPABILITY_CODES: Record<SenderCapability, number> = {
  unknown: CAPABILITY_UNKNOWN,
  able: CAPABILITY_ABLE,
  unable: CAPABILITY_UNABLE,
};

/** Thresholds below the queue of PACKET, so that congestion is certain. */
const FULL = { kminBytes: 10_000, kmaxBytes: 20_000, pmax: 0.5 };
const PACKET: CongestionEvent = {
  timePs: 0,
  port: 0,
  flow: 0,
  queueBytes: 30_000,
  ecn: 2,
  capability: 'able',
  isIpv6: true,
};
const ON = { ...FULL, enabled: true };

type Decider = (event: Partial<CongestionEvent>) => CongestionDecision;
type Backend = (config: Partial<CongestionPointConfig>, ports?: number, flows?: number) => Decider;

let wasm: CongestionPointModule;

beforeAll(async () => {
  wasm = await compileCongestionPoint();
});

function initialiseWasm(config: Partial<CongestionPointConfig>, ports: number, flows: number, base = BASE): number {
  writeCongestionPointConfig(new DataView(wasm.memory.buffer), base, resolveCongestionPointConfig(config));
  return wasm.cpInitialise(base, ports, flows);
}

function wasmArguments(event: CongestionEvent): [number, number, number, number, number, number, number] {
  const { timePs, port, flow, queueBytes, ecn, capability, isIpv6 } = event;
  return [timePs, port, flow, queueBytes, ecn, CAPABILITY_CODES[capability], isIpv6 ? 1 : 0];
}

const model: Backend = (config, ports = 2, flows = 4) => {
  const point = new CongestionPointModel(ports, flows, config);
  return (event) => point.decide({ ...PACKET, ...event });
};

const REASONS = [
  'not-congested',
  'fast-cnp',
  'disabled',
  'ipv4',
  'sender-unable',
  'flow-limited',
  'port-limited',
  'not-ect',
  'bad-argument',
] as const;

const compiled: Backend = (config, ports = 2, flows = 4) => {
  initialiseWasm(config, ports, flows);
  return (event) => {
    const code = wasm.cpDecide(...wasmArguments({ ...PACKET, ...event }));
    const reason = REASONS[code >> CP_REASON_SHIFT];
    return { markCe: (code & 1) !== 0, sendFastCnp: (code & 2) !== 0, reason };
  };
};

describe.each([['model', model], ['wasm', compiled]] as [string, Backend][])('Congestion point, %s', (_, backend) => {
  const decided = (markCe: boolean, sendFastCnp: boolean, reason: string) => ({ markCe, sendFastCnp, reason });

  it('does nothing for a queue at kmin, for any sender', () => {
    const decide = backend({ ...ON, markWhenLimited: true });
    for (const capability of ['unknown', 'able', 'unable'] as const) {
      expect(decide({ queueBytes: 10_000, capability })).toEqual(decided(false, false, 'not-congested'));
    }
  });

  it('is congested above kmax with certainty, and at kmax only with probability pmax', () => {
    const decide = backend({ ...FULL, pmax: 0 });
    expect(decide({ queueBytes: 20_000 }).reason).toBe('not-congested');
    expect(decide({ queueBytes: 20_001 }).reason).toBe('disabled');
  });

  it('Checklist 1: marks CE in addition to the Fast CNP for a sender of unknown ability, unless disabled', () => {
    expect(backend(ON)({ capability: 'unknown' })).toEqual(decided(true, true, 'fast-cnp'));
    expect(backend({ ...ON, markWhenUnknown: false })({ capability: 'unknown' })).toEqual(
      decided(false, true, 'fast-cnp'),
    );
  });

  it('Checklist 2: never marks CE together with a Fast CNP for a sender known to be able', () => {
    for (const markWhenUnknown of [false, true]) {
      for (const markWhenLimited of [false, true]) {
        const decide = backend({ ...ON, markWhenUnknown, markWhenLimited });
        for (const ecn of [0, 1, 2, 3]) {
          const decision = decide({ ecn, timePs: us(100 * ecn) });
          expect(decision).toEqual(decided(false, true, 'fast-cnp'));
        }
      }
    }
  });

  it('Checklist 2: leaves an able sender without a mark when the bucket rejects, by default', () => {
    const decide = backend(ON);
    decide({});
    expect(decide({ timePs: us(1) })).toEqual(decided(false, false, 'flow-limited'));
  });

  it('marks instead of a rejected Fast CNP only with markWhenLimited', () => {
    const decide = backend({ ...ON, markWhenLimited: true });
    decide({});
    expect(decide({ timePs: us(1) })).toEqual(decided(true, false, 'flow-limited'));
    expect(decide({ timePs: us(1), ecn: 0 })).toEqual(decided(false, false, 'flow-limited'));
  });

  it('still marks for a sender of unknown ability when the bucket rejects', () => {
    const decide = backend(ON);
    decide({ capability: 'unknown' });
    expect(decide({ capability: 'unknown', timePs: us(1) })).toEqual(decided(true, false, 'flow-limited'));
  });

  it('Checklist 9: sends one Fast CNP per flow every 50 us by default', () => {
    const decide = backend(ON);
    const sent = (timePs: number, flow = 0) => decide({ timePs, flow }).sendFastCnp;
    expect([sent(0), sent(us(49.999999)), sent(us(50)), sent(us(99)), sent(us(100))]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(sent(us(100), 1)).toBe(true);
  });

  it('Checklist 9: limits the Fast CNPs of a port, and of no other port', () => {
    const decide = backend({ ...ON, portBurst: 2, portRatePerSecond: 1e6 }, 2, 8);
    const reasons = [0, 1, 2].map((flow) => decide({ flow }).reason);
    expect(reasons).toEqual(['fast-cnp', 'fast-cnp', 'port-limited']);
    expect(decide({ flow: 3, port: 1 }).reason).toBe('fast-cnp');
    expect(decide({ flow: 2, timePs: us(1) }).reason).toBe('fast-cnp');
  });

  it('Checklist 9: takes a token from both buckets or from none', () => {
    const decide = backend({ ...ON, portBurst: 1, portRatePerSecond: 1e6, flowBurst: 1, flowRatePerSecond: 0 });
    decide({ flow: 0 });
    expect(decide({ flow: 1 }).reason).toBe('port-limited');
    expect(decide({ flow: 1, timePs: us(1) }).reason).toBe('fast-cnp'); // flow 1 still has its own token
    expect(decide({ flow: 0, timePs: us(2) }).reason).toBe('flow-limited');
    expect(decide({ flow: 2, timePs: us(2) }).reason).toBe('fast-cnp'); // the rejected flow took no token of the port
  });

  it('Checklist 9: does not refill when time goes backwards, and counts no interval twice', () => {
    const decide = backend({ ...ON, flowRatePerSecond: 10_000 });
    expect(decide({ timePs: us(500) }).sendFastCnp).toBe(true);
    for (const time of [400, 0, 499, 500, 599]) expect(decide({ timePs: us(time) }).sendFastCnp).toBe(false);
    expect(decide({ timePs: us(600) }).sendFastCnp).toBe(true);
  });

  it('Checklist 13: sends Fast CNPs when the feature is on, and none when it is off', () => {
    expect(backend({ ...FULL, enabled: true })({}).sendFastCnp).toBe(true);
    expect(backend({ ...FULL, enabled: false })({}).sendFastCnp).toBe(false);
  });

  it('Checklist 14: is plain ECN marking as long as the Fast CNP feature is off, which it is by default', () => {
    expect(congestionPointDefaults.enabled).toBe(false);
    const decide = backend(FULL);
    for (const capability of ['unknown', 'able', 'unable'] as const) {
      expect(decide({ capability })).toEqual(decided(true, false, 'disabled'));
    }
  });

  it('only marks for a sender known to be unable', () => {
    expect(backend(ON)({ capability: 'unable' })).toEqual(decided(true, false, 'sender-unable'));
  });

  it('marks IPv4 packets, for which there is no Fast CNP', () => {
    expect(backend(ON)({ isIpv6: false })).toEqual(decided(true, false, 'ipv4'));
  });

  it('never marks a packet that is Not-ECT, but sends a Fast CNP for it', () => {
    expect(backend(FULL)({ ecn: 0 })).toEqual(decided(false, false, 'not-ect'));
    expect(backend(ON)({ ecn: 0, capability: 'unable' })).toEqual(decided(false, false, 'not-ect'));
    expect(backend(ON)({ ecn: 0, isIpv6: false })).toEqual(decided(false, false, 'not-ect'));
    expect(backend(ON)({ ecn: 0, capability: 'unknown' })).toEqual(decided(false, true, 'fast-cnp'));
  });

  it('rejects events out of range and changes nothing', () => {
    const decide = backend(ON);
    const bad: Partial<CongestionEvent>[] = [
      { port: 2 },
      { flow: 4 },
      { timePs: -1 },
      { timePs: NaN },
      { timePs: 2 ** 53 },
      { queueBytes: NaN },
      { queueBytes: -1 },
    ];
    for (const event of bad) expect(decide(event)).toEqual(decided(false, false, 'bad-argument'));
    expect(decide({}).reason).toBe('fast-cnp');
  });
});

describe('Congestion point in linear memory', () => {
  it('uses 96 bytes and 16 per port and flow, and returns the address after them', () => {
    expect(initialiseWasm({}, 3, 5)).toBe(BASE + CONGESTION_POINT.bytes + 8 * TOKEN_BUCKET.bytes);
  });

  it('keeps two congestion points of one module separate', () => {
    const second = initialiseWasm(ON, 1, 1);
    initialiseWasm(ON, 1, 1, second);
    const event = wasmArguments(PACKET);
    expect(wasm.cpDecideAt(BASE, ...event)).toBe(wasm.cpDecideAt(second, ...event));
    expect(wasm.cpDecideAt(BASE, ...event)).not.toBe(0x102);
  });

  it('rejects an unknown capability', () => {
    initialiseWasm(ON, 1, 1);
    expect(wasm.cpDecide(0, 0, 0, 30_000, 2, 3, 1)).toBe(CP_BAD_ARGUMENT << CP_REASON_SHIFT);
  });
});

describe('Congestion point, model against wasm', () => {
  const seed = (Date.now() & 0x7fffffff) >>> 0;

  it.each([
    ['off', { enabled: false }],
    ['on', { enabled: true }],
    ['on, tight', { enabled: true, flowBurst: 3, flowRatePerSecond: 33_333, portBurst: 5, portRatePerSecond: 77_777 }],
    ['on, marks when limited only', { enabled: true, markWhenUnknown: false, markWhenLimited: true }],
  ] as [string, Partial<CongestionPointConfig>][])(`decides 20,000 random packets the same way: %s (seed ${seed})`,
    (_, overrides) => {
      const config = { ...overrides, kminBytes: 5_000, kmaxBytes: 50_000, pmax: 0.3, seed };
      const point = new CongestionPointModel(4, 50, config);
      initialiseWasm(config, 4, 50);
      for (const event of randomPackets(seed, 20_000)) {
        const expected = encodeCongestionDecision(point.decide(event));
        if (wasm.cpDecide(...wasmArguments(event)) !== expected) expect.fail(`${JSON.stringify(event)} ${expected}`);
      }
    });
});

/** Random packets, mostly in time order, queue lengths around the thresholds. */
function* randomPackets(seed: number, count: number): Generator<CongestionEvent> {
  let state = seed | 1;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  let timePs = 0;
  for (let i = 0; i < count; i++) {
    timePs = Math.max(0, timePs + below(400_000) - (below(50) === 0 ? 1_000_000 : 0));
    const capability = (['unknown', 'able', 'unable'] as const)[below(3)];
    yield {
      timePs,
      port: below(4),
      flow: below(50),
      queueBytes: below(70_000),
      ecn: below(4),
      capability,
      isIpv6: below(8) !== 0,
    };
  }
}
