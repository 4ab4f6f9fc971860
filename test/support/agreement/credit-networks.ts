/**
 * Random networks in which one algorithm or two are RCCC: its initial credit and its window are often a few packets, so that flows of some packets need
 * credit.
 */
import fc from 'fast-check';
import type { AlgorithmSpec, ScenarioSpec, WorkloadSpec } from '../../../src/sim/scenario/spec.js';

const rccc: fc.Arbitrary<AlgorithmSpec> = fc.record({
  maxWindowBdps: fc.constantFrom(0.1, 1, 1.5, 4),
  initialCreditBytes: fc.constantFrom(0, 1, 300, 300),
  timeoutCredit: fc.constantFrom('packet', 'packet', 'none'),
}, { requiredKeys: [] }).map((parameters) => ({ preset: 'rccc-uet', parameters }));

/** Transports that RCCC does not run on become go-back-N. */
function allowed<Setting extends { readonly transport?: string | undefined }>(one: Setting): Setting {
  const isRejected = one.transport === 'irn' || one.transport === 'selective-repeat';
  return isRejected ? { ...one, transport: 'go-back-n' } : one;
}

/** Each flow has its own QP. */
function allowedWorkload(one: WorkloadSpec): WorkloadSpec {
  const own: WorkloadSpec = { ...one, connections: 'per-message' };
  return own.kind === 'flows' ? { ...own, flows: own.flows.map(allowed) } : own;
}

/** Those networks: their first algorithm is RCCC, and often the second one, too. */
export const withCredit = (networks: fc.Arbitrary<ScenarioSpec>): fc.Arbitrary<ScenarioSpec> =>
  fc.record({ spec: networks, first: rccc, second: fc.option(rccc, { nil: undefined }) })
    .map(({ spec, first, second }) => {
      const named = Object.entries(spec.algorithms ?? {}).map(([name, other], index): [string, AlgorithmSpec] => [
        name,
        [first, second][index] ?? other,
      ]);
      return {
        ...spec,
        algorithms: Object.fromEntries(named),
        workload: ([spec.workload].flat() as readonly WorkloadSpec[]).map(allowedWorkload),
        hosts: allowed(spec.hosts ?? {}),
        overrides: (spec.overrides ?? []).map((one) =>
          one.host === undefined ? one : { ...one, host: allowed(one.host) }
        ),
      };
    });
