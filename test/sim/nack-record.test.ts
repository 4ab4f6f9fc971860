/** NACKs of a network in which no algorithm reads ACKs: there is no record of an ACK, and nothing else is written. */
import { expect, it } from 'vitest';
import { FLOW_TABLE_ADDRESS, TABLE_SLOTS, TABLE_TAGS } from '../../src/abi/layout.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { instantiateSim } from '../../src/sim/kernel/instantiate.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const SENDERS = 12;
const UNTIL_PS = 200_000_000;

const INCAST: ScenarioSpec = {
  name: 'trimmed incast',
  topology: { kind: 'star', hosts: SENDERS + 1, rateGbps: 100 },
  algorithms: { only: { preset: 'dcqcn-sigcomm15' } },
  workload: { kind: 'incast', senders: SENDERS, sizeBytes: 100_000 },
  hosts: { transport: 'mrc' },
  switches: { pfc: false, trimming: { queueBytes: 20_000 } },
};

it('NACK records do not affect the flow table, which matches Fast CNPs to their QP', () => {
  const { plan } = compileScenario(validateScenario(INCAST));
  const abi = instantiateSim();
  const kernel = new SimKernel(plan, {}, { abi, rateChanges: 0 });
  const tags = (): number[] => {
    const at = new DataView(abi.memory.buffer).getUint32(FLOW_TABLE_ADDRESS + TABLE_TAGS, true);
    return [...new Uint8Array(abi.memory.buffer, at, TABLE_SLOTS)];
  };
  const before = tags();
  kernel.run(UNTIL_PS, 1_000_000);
  expect(kernel.totals().trimmedPackets).toBeGreaterThan(0);
  expect(tags()).toEqual(before);
});
