/** The MRC packets that request a SACK, `hosts.mrc.ackRequest`: a lone NSCC flow with a window of 1.5 BDP. */
import { describe, expect, it } from 'vitest';
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { AckRequest, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const MTU = 1024;
const PACKETS = 300;

function scenario(ackRequest: AckRequest, sackBytes: number, preset: 'nscc-mrc' | 'none' = 'nscc-mrc',
  senders = 1): ScenarioSpec {
  return {
    name: 'a flow of NSCC',
    topology: { kind: 'star', hosts: senders + 1, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'incast', senders, sizeBytes: PACKETS * MTU },
    algorithms: { only: { preset } },
    switches: { pfc: false, trimming: true },
    hosts: { transport: 'mrc', mtuBytes: MTU, mrc: { ackRequest, sackBytes } },
    record: { capture: ['h0:s0'] },
  };
}

function run(spec: ScenarioSpec): { readonly result: SimResult; readonly asking: number } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  return { result, asking: records.filter(({ kind, mrc }) => kind === 'data' && mrc?.asks === true).length };
}

describe('Packets request a SACK', () => {
  it('every one of them, while the window is smaller than sackBytes', () => {
    const { asking, result } = run(scenario('small-window', 1e6));
    expect(asking).toBe(PACKETS);
    expect(result.totals.acks).toBe(PACKETS);
  });

  it('before the last free space of a larger window is taken, with small-window', () => {
    const [idle, small] = [run(scenario('idle', 16_384)), run(scenario('small-window', 16_384))];
    expect(idle.asking).toBeGreaterThan(0);
    expect(small.asking).toBeGreaterThanOrEqual(idle.asking);
    expect(small.asking).toBeLessThan(PACKETS);
  });

  it('only the last one, if there is no window', () => {
    const [idle, small] = [run(scenario('idle', 1e6, 'none')), run(scenario('small-window', 1e6, 'none'))];
    expect([idle.asking, small.asking]).toEqual([1, 1]);
    expect(small.result.flows).toEqual(idle.result.flows);
  });

  it('only when nothing more may be sent, by default', () => {
    const spec = scenario('idle', 16_384);
    const byDefault = run({ ...spec, hosts: { transport: 'mrc', mtuBytes: MTU } });
    expect(byDefault.result.flows).toEqual(run(spec).result.flows);
  });

  it('with fewer timeouts in an incast than by default', () => {
    const timeouts = (ackRequest: AckRequest): number =>
      run(scenario(ackRequest, 16_384, 'nscc-mrc', 16)).result.totals.timeouts;
    expect(timeouts('small-window')).toBeLessThan(timeouts('idle'));
  });

  it.each<AckRequest>(['idle', 'small-window'])('the same in kernel and model, %s', (ackRequest) => {
    const plan = planOf({ ...scenario(ackRequest, 16_384, 'nscc-mrc', 4), record: {} });
    if (plan === undefined) throw new Error('The scenario does not compile.');
    expectAgreement(plan);
  });
});
