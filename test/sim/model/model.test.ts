import { describe, expect, it } from 'vitest';
import { FlowPlans } from '../../../src/sim/flow-plans.js';
import { modelNetwork } from '../../model/model.js';
import { ms, ns, us } from '../../../src/units.js';
import { expectBalance } from '../../support/agreement/model-balance.js';
import { starPlan } from './support/star-plan.js';

describe('The plain network model', () => {
  it('takes two serialisations and two delays in each direction for a single packet', () => {
    const result = modelNetwork(starPlan({ senders: 1, sizeBytes: 1000 }));
    expect(result.flows[0].completionPs).toBe(ns(2 * 83 + 2 * 4 + 4 * 1000));
    expect(result.packetHops).toBe(4);
  });

  it('sends packets back to back at line rate, so that each further one adds its serialisation', () => {
    const result = modelNetwork(starPlan({ senders: 1, sizeBytes: 10_000 }));
    expect(result.flows[0].completionPs).toBe(ns(2 * 83 + 2 * 4 + 4 * 1000 + 9 * 83));
  });

  it('starts a flow when the flow before it is received', () => {
    const plan = starPlan({ senders: 2, sizeBytes: 1000 });
    const starts: number[] = [];
    const flows = FlowPlans.of([plan.flows.get(0), { ...plan.flows.get(1), after: 0, startPs: us(3) }]);
    modelNetwork({ ...plan, flows }, {
      onEvent: (timePs, kind) => {
        if (kind === 'start') starts.push(timePs);
      },
    });
    expect(starts).toEqual([ms(1), ms(1) + ns(2 * 83 + 2 * 1000) + us(3)]);
  });

  it('loses nothing with PFC, however small the buffer', () => {
    const result = modelNetwork(starPlan({ senders: 8, sizeBytes: 100_000, bufferBytes: 500_000 }));
    expect(result.ended).toBe('all-flows-done');
    expect(result.totals.pauses).toBeGreaterThan(0);
    expect(result.totals.resumes).toBe(result.totals.pauses);
    expect(result.totals.packetsDropped).toBe(0);
    expectBalance(result);
  });

  it('goes back to the lost packet without PFC, and gets stuck if the last one is lost, as there is no timeout', () => {
    const result = modelNetwork(starPlan({ senders: 8, sizeBytes: 300_000, bufferBytes: 500_000, pfc: false }));
    expect(result.totals.drops.buffer).toBeGreaterThan(0);
    expect(result.totals.naks).toBeGreaterThan(0);
    expect(result.totals.retransmittedPackets).toBeGreaterThan(0);
    const unfinished = result.flows.filter(({ completionPs }) => completionPs === null).length;
    expect(result.ended).toBe(unfinished > 0 ? 'stuck' : 'all-flows-done');
    expectBalance(result);
  });

  it('accounts for packets in flight when the time is over', () => {
    const result = modelNetwork(starPlan({ senders: 4, sizeBytes: 1_000_000, endPs: ms(1) + us(20) }));
    expect(result.ended).toBe('time');
    expect(result.totals.packetsInFlight).toBeGreaterThan(0);
    expectBalance(result);
  });

  it('is reproducible', () => {
    const plan = starPlan({ senders: 4, sizeBytes: 200_000, kminBytes: 50_000 });
    expect(modelNetwork(plan)).toEqual(modelNetwork(plan));
  });

  it('rejects unsupported settings by name', () => {
    const plan = starPlan({ senders: 1, sizeBytes: 1000 });
    const withEvent = { ...plan, linkEvents: [{ timePs: 0, port: 0, up: false }] };
    expect(() => modelNetwork(withEvent)).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where: 'plan.linkEvents.length' }),
    );
  });
});
