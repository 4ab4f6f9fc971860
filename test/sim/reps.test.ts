/**
 * REPS of one host, replayed by its rules from what passed the host's port: the ring of eight entropies, freezing on a timeout, and exploring
 * after the thaw. The star has one path, so only the ports show the entropies.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_NS, PS_PER_US } from '../../src/units.js';

const MTU = 1024;
const PACKETS = 120;
const TIMEOUT_US = 100;
const DELAY_NS = 1000;
const PLACES = 8;
/** A round trip takes 5 us, so only a timeout ends a longer wait for ACKs. */
const SILENCE_PS = 50 * PS_PER_US;

interface Setting {
  readonly windowPackets: number;
  readonly freezeUs: number;
  readonly explorePackets: number;
  /** Packet, and which of its arrivals at the receiver is dropped. */
  readonly losses: readonly (readonly [packet: number, arrival: number])[];
}

function run({ windowPackets, freezeUs, explorePackets, losses }: Setting): { result: SimResult; events: Passed[] } {
  const records: PacketRecord[] = [];
  const faults = losses.map(([packet, arrival]): FaultSpec => ({
    kind: 'drop',
    flow: 0,
    firstByte: packet * MTU,
    arrival,
  }));
  const result = runScenarioSync({
    name: 'REPS by its rules',
    topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: DELAY_NS },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: PACKETS * MTU }] },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false },
    hosts: {
      transport: 'irn',
      irn: { windowBytes: windowPackets * MTU },
      mtuBytes: MTU,
      retransmitTimeoutUs: TIMEOUT_US,
      retryCount: 7,
      pathSelection: 'reps',
      reps: { freezeUs, explorePackets },
    },
    faults,
    record: { capture: ['h0:s0', 's0:h0'] },
  }, { onPackets: (some) => void records.push(...some) });
  return { result, events: passed(records) };
}

interface Passed {
  /** When data began to leave, or a response had arrived. */
  readonly atPs: number;
  readonly isData: boolean;
  readonly port: number;
}

function passed(records: readonly PacketRecord[]): Passed[] {
  return records.map(({ kind, timePs, lenBytes, sourcePort = 0 }) => {
    const isData = kind === 'data';
    // 20 bytes of preamble and gap, at 80 ps per byte.
    return { isData, port: sourcePort, atPs: isData ? timePs : timePs + 80 * (lenBytes + 20) + DELAY_NS * PS_PER_NS };
  }).sort((a, b) => a.atPs - b.atPs || Number(a.isData) - Number(b.isData));
}

/** The expected port of each data packet: one of the ring, or undefined for a new one. */
class Reps {
  #ring: number[] = [];
  #written = 0;
  /** Ring entries that were not used since they were written, in that order. */
  #fresh: number[] = [];
  #turn = 0;
  #thawPs = -1;
  #explore = 0;
  frozen = 0;
  thawed = 0;

  constructor(readonly freezePs: number, readonly explorePackets: number) {}

  next(): number | undefined {
    if (this.#explore > 0) {
      this.#explore--;
      return undefined;
    }
    const isFrozen = this.#thawPs >= 0;
    const place = isFrozen ? this.#frozenPlace() : this.#fresh[0];
    if (place === undefined) return undefined;
    this.#fresh = this.#fresh.filter((one) => one !== place);
    return this.#ring[place];
  }

  #frozenPlace(): number | undefined {
    if (this.#ring.length === 0) return undefined;
    const place = this.#turn % this.#ring.length;
    this.#turn = place + 1;
    return place;
  }

  unmarkedAck(port: number, nowPs: number): void {
    if (this.#thawPs >= 0 && nowPs > this.#thawPs) this.#thaw();
    const place = this.#written % PLACES;
    this.#written++;
    this.#ring[place] = port;
    this.#fresh = [...this.#fresh.filter((one) => one !== place), place];
  }

  timeout(nowPs: number): void {
    if (this.#thawPs >= 0 || this.#explore > 0) return;
    this.frozen++;
    this.#thawPs = nowPs + this.freezePs;
  }

  #thaw(): void {
    this.thawed++;
    this.#ring = [];
    this.#written = 0;
    this.#fresh = [];
    this.#turn = 0;
    this.#thawPs = -1;
    this.#explore = this.explorePackets;
  }
}

/** @throws AssertionError at the first port that is not by the rules. */
function replay(setting: Setting): Reps {
  const { events, result } = run(setting);
  const rules = new Reps(Math.round(setting.freezeUs * PS_PER_US), setting.explorePackets);
  const seen = new Set<number>();
  let lastPs = 0;
  let timeouts = 0;
  events.forEach(({ atPs, isData, port }, index) => {
    if (isData) {
      if (atPs - lastPs > SILENCE_PS) {
        rules.timeout(atPs);
        timeouts++;
      }
      const wanted = rules.next();
      const at = `event ${index} at ${atPs} ps`;
      if (wanted === undefined) expect(seen, `${at}: a new entropy`).not.toContain(port);
      else expect(port, `${at}: an entropy of the ring`).toBe(wanted);
      seen.add(port);
    } else rules.unmarkedAck(port, atPs);
    lastPs = atPs;
  });
  expect(result.totals.timeouts).toBe(timeouts);
  expect(result.summary.flowsUnfinished).toBe(0);
  return rules;
}

describe('REPS, replayed from a capture,', () => {
  const tail = (first: number, count: number, arrival = 1): (readonly [number, number])[] =>
    Array.from({ length: count }, (_, index) => [first + index, arrival] as const);
  const common = { windowPackets: 3, freezeUs: 20, explorePackets: 2 };

  it('uses known entropies while it is frozen, then explores, and freezes again', () => {
    const { frozen, thawed } = replay({ ...common, losses: [...tail(20, 3), ...tail(60, 3)] });
    expect([frozen, thawed]).toEqual([2, 2]);
  });

  it('restarts the round of known entropies after it has left the frozen state', () => {
    const { frozen } = replay({
      ...common,
      windowPackets: 5,
      freezeUs: 2,
      losses: [...tail(11, 5), ...tail(47, 5), ...tail(80, 5)],
    });
    expect(frozen).toBe(3);
  });

  it('draws new entropies if it freezes before any is known', () => {
    const { frozen } = replay({ ...common, losses: [...tail(0, 3), [0, 2], [1, 2]] });
    // The third packet is acknowledged after the thaw; then the two others time out once more.
    expect(frozen).toBe(2);
  });

  it('alternates between the two entropies that it knows when it freezes', () => {
    replay({ ...common, freezeUs: 5000, losses: tail(2, 3) });
  });

  it('is not frozen for longer by a second timeout', () => {
    const { frozen, thawed } = replay({ ...common, freezeUs: 150, losses: [...tail(20, 3), ...tail(20, 3, 2)] });
    expect([frozen, thawed]).toEqual([1, 1]);
  });

  it('ends the freeze at the first unmarked ACK after its deadline, not at the deadline', () => {
    const { events } = run({ ...common, losses: [] });
    const roundTripPs = events.find(({ isData }) => !isData)!.atPs - events[0]!.atPs;
    const freezeUs = roundTripPs / PS_PER_US;
    replay({ ...common, freezeUs, losses: tail(20, 3) });
    replay({ ...common, freezeUs: freezeUs - 1 / PS_PER_US, losses: tail(20, 3) });
  });

  it('does not freeze on a timeout while it explores', () => {
    const { frozen, thawed } = replay({
      ...common,
      freezeUs: 0,
      explorePackets: 40,
      losses: [...tail(20, 3), ...tail(30, 3)],
    });
    expect([frozen, thawed]).toEqual([1, 1]);
  });

  it('follows the rules whichever packets are lost', () => {
    let [frozen, thawed] = [0, 0];
    fc.assert(fc.property(fc.record({
      windowPackets: fc.integer({ min: 1, max: 10 }),
      freezeUs: fc.constantFrom(0, 2, 20, 150, 1000),
      explorePackets: fc.constantFrom(0, 1, 3, 12),
      losses: fc.array(fc.record({
        first: fc.integer({ min: 0, max: PACKETS - 1 }),
        count: fc.integer({ min: 1, max: 10 }),
        arrival: fc.integer({ min: 1, max: 2 }),
      }), { maxLength: 5 }).map((runs) =>
        runs.flatMap(({ first, count, arrival }) => tail(first, count, arrival).filter(([packet]) => packet < PACKETS))
      ),
    }), (setting) => {
      const rules = replay(setting);
      frozen += rules.frozen;
      thawed += rules.thawed;
    }));
    expect(Math.min(frozen, thawed)).toBeGreaterThan(20);
  });
});
