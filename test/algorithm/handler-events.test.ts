/** Facts of a run that handlers get, and that can be counted. */
import { describe, expect, it } from 'vitest';
import { createEngineSync, gbps, us } from '../../src/index.js';
import { defineAlgorithm } from '../../src/algorithm/index.js';
import { runScenarioSync } from '../../src/sim/index.js';

const SIZE_BYTES = 1_234_567;
const MTU_BYTES = 1000;

function counting() {
  const told = { bytes: 0, packets: 0 };
  const algorithm = defineAlgorithm({
    name: 'counting',
    ack: (_, ack) => {
      told.bytes += ack.ackedBytes;
      told.packets += ack.ackedPackets;
    },
  });
  return { algorithm, told };
}

describe('acknowledged bytes', () => {
  it.each(['go-back-n', 'selective-repeat', 'irn', 'tolerant'] as const)(
    'sum to what a flow sent that loses packets: %s',
    (transport) => {
      const { algorithm, told } = counting();
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
      expect(told).toEqual({ bytes: SIZE_BYTES, packets: Math.ceil(SIZE_BYTES / MTU_BYTES) });
    },
  );

  it('are what the caller of the engine gives, else not known', () => {
    const { algorithm, told } = counting();
    const engine = createEngineSync({
      algorithms: [algorithm],
      parameterSets: { default: algorithm.parametersFor({ lineRateBps: gbps(100) }) },
    });
    const qp = engine.openQp({ localQpn: 1 });
    engine.events.ack(us(1), qp, { ackSeq: 1, sndNxt: 2, ackedBytes: 512 });
    engine.applyEvents();
    expect(told.bytes).toBe(512);
    engine.events.ack(us(2), qp, { ackSeq: 2, sndNxt: 3 });
    engine.applyEvents();
    expect(told.bytes).toBeNaN();
  });
});
