/**
 * READs and receivers that are not ready, against what can be calculated by hand: completion of READs, losses of requests and responses,
 * and the times of RNR NAKs.
 */
import { describe, expect, it } from 'vitest';
import { explainResult, runScenarioSync, type FaultSpec, type FlowSpec, type HostSpec, type ScenarioSpec,
  type TopologySpec } from '../../src/sim/index.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { gbps, ns, us } from '../../src/units.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const MTU = 1024;
const HEADER_BYTES = 82;
const ACK_BYTES = 86;
/** RETH: 16 bytes. */
const REQUEST_BYTES = 98;
const WIRE_BYTES = 20;
const RATE_BPS = gbps(100);
const STAR: TopologySpec = { kind: 'star', hosts: 2 };
/** Delay of the star's links. */
const LINK_PS = us(1);

const tx = (lenBytes: number, rateBps = RATE_BPS): number => Math.ceil(((lenBytes + WIRE_BYTES) * 8e12) / rateBps);
const DATA_PS = tx(MTU + HEADER_BYTES);
/** Time from one host of the star to the other. */
const over = (lenBytes: number): number => 2 * (tx(lenBytes) + LINK_PS);

interface Others {
  readonly hosts?: HostSpec;
  readonly faults?: readonly FaultSpec[];
  readonly topology?: TopologySpec;
}

function specOf(flow: Partial<FlowSpec>, others: Others = {}): ScenarioSpec {
  return {
    name: 'one flow',
    topology: STAR,
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: MTU, ...flow }] },
    ...others,
  };
}

/** Kernel and model agree on it. */
function runOf(spec: ScenarioSpec) {
  expectAgreement(compileScenario(validateScenario(spec)).plan);
  return runScenarioSync(spec);
}

const drop = (of: 'data' | 'ack', firstByte: number, arrival = 1): FaultSpec => ({
  kind: 'drop',
  flow: 0,
  firstByte,
  arrival,
  of,
});

describe('A READ', () => {
  it.each([1, 2, 7, 40])('of %i packets takes the time of its request and of one stream of data, without ACKs',
    (packets) => {
      const { flows: [flow], totals } = runOf(specOf({ operation: 'read', sizeBytes: packets * MTU }));
      const expectedPs = over(REQUEST_BYTES) + over(MTU + HEADER_BYTES) + (packets - 1) * DATA_PS;
      expect([flow.completionPs, flow.idealPs]).toEqual([expectedPs, expectedPs]);
      expect(totals).toMatchObject({ acks: 0, naks: 0, readRequests: 1, dataPackets: packets });
    });

  it('takes the same closed form over other paths and rates', () => {
    const topology: TopologySpec = {
      kind: 'dumbbell',
      left: 1,
      right: 1,
      rateGbps: 25,
      delayNs: 300,
      bottleneck: { rateGbps: 400, delayNs: 5000 },
    };
    const one = (lenBytes: number): number =>
      2 * tx(lenBytes, gbps(25)) + tx(lenBytes, gbps(400)) + 2 * ns(300) + us(5);
    const { flows: [flow] } = runOf(specOf({ operation: 'read' }, { topology }));
    expect(flow.completionPs).toBe(one(REQUEST_BYTES) + one(MTU + HEADER_BYTES));
    expect(flow.idealPs).toBe(flow.completionPs);
  });

  it('repeats a lost request after the timeout of the requester, whatever the timeout of the responder', () => {
    const spec: ScenarioSpec = {
      ...specOf({ operation: 'read' }, { hosts: { retransmitTimeoutUs: 0 }, faults: [drop('ack', 0)] }),
      overrides: [{ nodes: ['h1'], host: { retransmitTimeoutUs: 70 } }],
    };
    const { flows: [flow], totals } = runOf(spec);
    expect(flow.completionPs).toBe(us(70) + over(REQUEST_BYTES) + over(MTU + HEADER_BYTES));
    expect([flow.readRequests, flow.timeouts, totals.readRequests]).toEqual([2, 1, 2]);
  });

  it('requests a lost response with the next one, and receives all later ones again', () => {
    const packets = 5;
    const spec = specOf({ operation: 'read', sizeBytes: packets * MTU }, { faults: [drop('data', 2 * MTU)] });
    const { flows: [flow], totals } = runOf(spec);
    const gapFoundPs = over(REQUEST_BYTES) + over(MTU + HEADER_BYTES) + 3 * DATA_PS;
    const secondPs = over(REQUEST_BYTES) + over(MTU + HEADER_BYTES) + 2 * DATA_PS;
    expect(flow.completionPs).toBe(gapFoundPs + secondPs);
    expect(flow).toMatchObject({ readRequests: 2, outOfOrderPackets: 2, retransmittedPackets: 3, timeouts: 0 });
    expect(totals.dataPackets).toBe(8);
  });

  it('requests a lost last response after the timeout, counted from the last response received', () => {
    const spec = specOf({ operation: 'read', sizeBytes: 3 * MTU }, {
      hosts: { retransmitTimeoutUs: 50 },
      faults: [drop('data', 2 * MTU)],
    });
    const { flows: [flow] } = runOf(spec);
    const secondArrivesPs = over(REQUEST_BYTES) + over(MTU + HEADER_BYTES) + DATA_PS;
    expect(flow.completionPs).toBe(secondArrivesPs + us(50) + over(REQUEST_BYTES) + over(MTU + HEADER_BYTES));
  });

  it('fails when the retries of its requester are exhausted, even without any response', () => {
    const lost = [1, 2, 3].map((arrival) => drop('ack', 0, arrival));
    const spec: ScenarioSpec = {
      ...specOf({ operation: 'read' }, { hosts: { retransmitTimeoutUs: 20 }, faults: lost }),
      overrides: [{ nodes: ['h1'], host: { retryCount: 2 } }],
    };
    const { flows: [flow], ended } = runOf(spec);
    expect(flow).toMatchObject({ completionPs: null, failure: 'retry-exceeded', timeouts: 3, readRequests: 3 });
    expect(ended).not.toBe('all-flows-done');
  });

  it('is finished at its responder too, which sends no data for a request that arrives later', () => {
    // The first response arrives at 4.2 us.
    const { flows: [flow], totals } = runOf(specOf({ operation: 'read' }, { hosts: { retransmitTimeoutUs: 4.1 } }));
    expect(flow).toMatchObject({ completionPs: flow.idealPs, readRequests: 2, timeouts: 1 });
    expect(totals).toMatchObject({ dataPackets: 1, packetsInFlight: 0 });
  });

  it('restarts at the requested byte while its responder still sends', () => {
    const packets = 100;
    const { flows: [flow], totals } = runOf(
      specOf({ operation: 'read', sizeBytes: packets * MTU }, { hosts: { retransmitTimeoutUs: 4.1 } }),
    );
    // The second request arrives before the first response, and further ones while only repeated responses arrive.
    expect(flow.readRequests).toBeGreaterThan(1);
    expect(flow.duplicatePackets).toBeGreaterThan(0);
    expect(flow.deliveredBytes).toBe(packets * MTU);
    expect(totals.dataPackets - packets).toBe(flow.retransmittedPackets);
  });

  it('shares the port of its responder with many others round-robin, as in the model', () => {
    const flows = Array.from({ length: 40 }, (_, i): FlowSpec => ({
      from: 'h0',
      to: `h${1 + (i % 3)}`,
      sizeBytes: MTU * (3 + (i % 5)),
      operation: i % 4 === 0 ? 'write' : 'read',
      startUs: i % 7,
    }));
    const spec: ScenarioSpec = {
      name: 'many',
      topology: { kind: 'star', hosts: 4 },
      workload: { kind: 'flows', flows },
      faults: [{ kind: 'loss', between: ['h0', 's0'], share: 0.02 }],
    };
    expect(runOf(spec).ended).toBe('all-flows-done');
  });

  it('has an incast of responses under incast, with congestion control by marks and CNPs as for other data', () => {
    const spec: ScenarioSpec = {
      name: 'incast of READs',
      topology: { kind: 'star', hosts: 9 },
      workload: { kind: 'incast', senders: 8, sizeBytes: 500_000, operation: 'read' },
    };
    const { flows, totals } = runOf(spec);
    expect(flows.every(({ completionPs, cnps }) => completionPs !== null && cnps > 0)).toBe(true);
    expect(totals).toMatchObject({ readRequests: 8, acks: 0 });
  });
});

describe('A receiver that is not ready', () => {
  const firstNakPs = over(MTU + HEADER_BYTES) + over(ACK_BYTES);
  const aloneSendPs = over(MTU + HEADER_BYTES) + over(ACK_BYTES);

  it.each([[1, 10], [2, 20], [5, 60], [12, 640], [19, 7680], [0, 655_360], [31, 491_520]])(
    'with timer code %i delays the sender by %i us, and the second attempt succeeds',
    (rnrTimerCode, waitUs) => {
      const spec = specOf({ operation: 'send', receiverReadyUs: 5 }, { hosts: { rnrTimerCode } });
      const { flows: [flow], totals } = runOf(spec);
      expect(flow.completionPs).toBe(firstNakPs + us(waitUs) + aloneSendPs);
      expect(flow).toMatchObject({ rnrNaks: 1, rnrWaitPs: us(waitUs), retransmittedPackets: 1, cnps: 0 });
      expect(totals).toMatchObject({ rnrNaks: 1, naks: 0, timeouts: 0, packetsDropped: 0 });
    },
  );

  it('rejects as many attempts as fit before its receive is posted', () => {
    const tryPs = firstNakPs + us(10);
    const tries = Math.ceil((us(100) - over(MTU + HEADER_BYTES)) / tryPs);
    const spec = specOf({ operation: 'send', receiverReadyUs: 100 }, { hosts: { rnrTimerCode: 1 } });
    const { flows: [flow] } = runOf(spec);
    expect([flow.rnrNaks, flow.completionPs]).toEqual([tries, tries * tryPs + aloneSendPs]);
  });

  it('drops packets after the rejected one, without NAKs', () => {
    const packets = 6;
    const spec = specOf({ operation: 'send', receiverReadyUs: 4, sizeBytes: packets * MTU }, {
      hosts: { rnrTimerCode: 1 },
    });
    const { flows: [flow], totals } = runOf(spec);
    expect(totals).toMatchObject({ rnrNaks: 1, naks: 0, acks: packets, dataPackets: 2 * packets });
    expect(flow.outOfOrderPackets).toBeUndefined();
    expect(flow.completionPs).toBe(firstNakPs + us(10) + aloneSendPs + (packets - 1) * DATA_PS);
  });

  it('is ready at the given time, to the picosecond', () => {
    const arrivesUs = (over(MTU + HEADER_BYTES) + 1) / 1e6;
    const naksAt = (receiverReadyUs: number): number =>
      runOf(specOf({ operation: 'send', receiverReadyUs }, { hosts: { rnrTimerCode: 1 } })).flows[0].rnrNaks ?? 0;
    expect([naksAt(arrivesUs - 1e-6), naksAt(arrivesUs)]).toEqual([0, 1]);
  });

  it('fails the flow beyond the RNR retry limit of its sender, which is separate from other retries', () => {
    const spec: ScenarioSpec = {
      ...specOf({ operation: 'send', receiverReadyUs: 500 }, { hosts: { rnrTimerCode: 1, retryCount: 0 } }),
      overrides: [{ nodes: ['h0'], host: { rnrRetryCount: 2 } }],
    };
    const result = runOf(spec);
    expect(result.flows[0]).toMatchObject({ completionPs: null, failure: 'rnr-retry-exceeded', rnrNaks: 3 });
    expect(result.flows[0].rnrWaitPs).toBe(us(20));
    const answers = new Map(explainResult(result).map(({ topic, answer }) => [topic, answer]));
    expect(answers.get('unfinished')).toContain('h1 had posted no receive, and its RNR retries are exhausted');
    expect(answers.get('receiver')).toContain('1 flow failed with exhausted RNR retries');
  });

  it('determines the delay by the timer code of its host', () => {
    const spec: ScenarioSpec = {
      ...specOf({ operation: 'send', receiverReadyUs: 5 }),
      overrides: [{ nodes: ['h1'], host: { rnrTimerCode: 4 } }, { nodes: ['h0'], host: { rnrTimerCode: 9 } }],
    };
    expect(runOf(spec).flows[0].rnrWaitPs).toBe(us(40));
  });

  it('sends a NAK for a lost first packet before it checks for a posted receive', () => {
    const spec = specOf({ operation: 'send', receiverReadyUs: 8, sizeBytes: 2 * MTU }, {
      hosts: { rnrTimerCode: 1 },
      faults: [drop('data', 0)],
    });
    expect(runOf(spec).totals).toMatchObject({ naks: 1, rnrNaks: 1 });
  });

  it('delays the sender no longer if an RNR NAK arrives during a delay', () => {
    const linkPs = us(40);
    const spec = specOf({ operation: 'send', receiverReadyUs: 500 }, {
      topology: { ...STAR, delayNs: 40_000 },
      // Shorter than the round trip: the first packet leaves twice before its RNR NAK arrives.
      hosts: { rnrTimerCode: 12, retransmitTimeoutUs: 100 },
    });
    const tripPs = 2 * (tx(MTU + HEADER_BYTES) + tx(ACK_BYTES)) + 4 * linkPs;
    const { flows: [flow] } = runOf(spec);
    expect([flow.rnrNaks, flow.rnrWaitPs]).toEqual([2, us(640)]);
    expect(flow.completionPs).toBe(tripPs + us(640) + tripPs);
  });

  it('delays the sender again if its RNR NAK is lost, as the timeout repeats the message', () => {
    const spec = specOf({ operation: 'send', receiverReadyUs: 5 }, {
      hosts: { rnrTimerCode: 1, retransmitTimeoutUs: 30 },
      faults: [drop('ack', 0)],
    });
    const { flows: [flow] } = runOf(spec);
    expect(flow).toMatchObject({ timeouts: 1, completionPs: us(30) + aloneSendPs });
  });

  it('is given as the reason for a slow flow', () => {
    const result = runOf(specOf({ operation: 'send', receiverReadyUs: 5 }));
    const answers = new Map(explainResult(result).map(({ topic, answer }) => [topic, answer]));
    expect(answers.get('receiver')).toMatch(/^1 flow reached a receiver that had posted no receive: 1 RNR NAK\. /);
    expect(answers.get('slow')).toContain('Flow 0 waited 640 µs for h1, after 1 RNR NAK.');
    expect(answers.get('slow')).not.toContain('lost');
    expect(answers.get('loss')).toContain('after 0 NAKs, 1 RNR NAK and 0 timeouts');
  });
});
