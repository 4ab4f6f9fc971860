/** NACKs and acknowledged bytes, as the handlers of custom algorithms get them. */
import { describe, expect, it } from 'vitest';
import { createEngineSync, gbps, us } from '../../src/index.js';
import { defineAlgorithm, type LossEvent, type NackEvent } from '../../src/algorithm/index.js';
import { runScenarioSync } from '../../src/sim/index.js';

const SIZE_BYTES = 1_234_567;
const MTU_BYTES = 1000;

function counting() {
  const counted = { bytes: 0, packets: 0 };
  const algorithm = defineAlgorithm({
    name: 'counting',
    ack: (_, ack) => {
      counted.bytes += ack.ackedBytes;
      counted.packets += ack.ackedPackets;
    },
  });
  return { algorithm, counted };
}

describe('a NACK', () => {
  const nacked = (handlers: object) => {
    const algorithm = defineAlgorithm({ name: 'counting', ack: () => false, ...handlers });
    const engine = createEngineSync({
      algorithms: [algorithm],
      parameterSets: { default: algorithm.parametersFor({ lineRateBps: gbps(100) }) },
    });
    const qp = engine.openQp({ localQpn: 1 });
    engine.events.nack(us(3), qp, { trimmedBytes: 4000, sentTimePs: us(1), lastHop: true });
    engine.events.nack(us(4), qp, { trimmedBytes: 100 });
    engine.applyEvents();
  };

  it('is passed to its own handler, with the size and the send time of the trimmed packet', () => {
    const events: unknown[] = [];
    nacked({
      nack: (_: unknown, { timePs, sentPs, rttPs, trimmedBytes, isLastHop }: NackEvent) => {
        events.push([timePs, sentPs, rttPs, trimmedBytes, isLastHop]);
      },
      loss: () => expect.fail('a NACK has a handler'),
    });
    expect(events).toEqual([[us(3), us(1), us(2), 4000, true], [us(4), NaN, NaN, 100, false]]);
  });

  it('is passed to the loss handler, not as a timeout, if there is no NACK handler', () => {
    const events: unknown[] = [];
    nacked({ loss: (_: unknown, { timePs, isTimeout }: LossEvent) => events.push([timePs, isTimeout]) });
    expect(events).toEqual([[us(3), false], [us(4), false]]);
  });
});

describe('acknowledged bytes', () => {
  it.each(['go-back-n', 'selective-repeat', 'irn', 'tolerant'] as const)(
    'add up to the size of a flow that loses packets: %s',
    (transport) => {
      const { algorithm, counted } = counting();
      const { flows, totals } = runScenarioSync({
        name: 'two flows, of which one counts',
        topology: { kind: 'star', hosts: 3 },
        workload: {
          kind: 'flows',
          flows: [
            { from: 'h0', to: 'h2', sizeBytes: SIZE_BYTES, algorithm: 'counting' },
            { from: 'h1', to: 'h2', sizeBytes: SIZE_BYTES, algorithm: 'none' },
          ],
        },
        algorithms: { counting: { preset: 'counting' }, none: { preset: 'none' } },
        hosts: { transport, mtuBytes: MTU_BYTES },
        switches: { pfc: false, bufferBytes: 200_000 },
      }, { algorithms: [algorithm] });
      expect(totals.retransmittedPackets).toBeGreaterThan(0);
      expect(flows[0]!.completionPs).toBeGreaterThan(0);
      expect(counted).toEqual({ bytes: SIZE_BYTES, packets: Math.ceil(SIZE_BYTES / MTU_BYTES) });
    },
  );

  it('are those that the caller of the engine passes, or NaN', () => {
    const { algorithm, counted } = counting();
    const engine = createEngineSync({
      algorithms: [algorithm],
      parameterSets: { default: algorithm.parametersFor({ lineRateBps: gbps(100) }) },
    });
    const qp = engine.openQp({ localQpn: 1 });
    engine.events.ack(us(1), qp, { ackSeq: 1, sndNxt: 2, ackedBytes: 512 });
    engine.applyEvents();
    expect(counted.bytes).toBe(512);
    engine.events.ack(us(2), qp, { ackSeq: 2, sndNxt: 3 });
    engine.applyEvents();
    expect(counted.bytes).toBeNaN();
  });
});
