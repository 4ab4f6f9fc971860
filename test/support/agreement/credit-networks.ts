/**
 * Random networks of `mrc-networks.ts` and `standard-networks.ts` in which one algorithm or both are RCCC: its initial credit and its window are often
 * a few packets, so that flows of some packets need credit.
 */
import fc from 'fast-check';
import type { AlgorithmSpec, ScenarioSpec, WorkloadSpec } from '../../../src/sim/scenario/spec.js';
import { mrcNetworks } from './mrc-networks.js';
import { standardNetworks, type NetworkSize } from './standard-networks.js';

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

function ofRccc(one: WorkloadSpec): WorkloadSpec {
  const { connections: _, ...rest } = one;
  return rest.kind === 'flows' ? { ...rest, flows: rest.flows.map(allowed) } : rest;
}

/** A scenario with flows of RCCC, and often of another algorithm. */
export const creditNetworks = (size: NetworkSize): fc.Arbitrary<ScenarioSpec> =>
  fc.record({
    spec: fc.oneof(mrcNetworks(size), standardNetworks(size)),
    a: rccc,
    b: fc.option(rccc, { nil: undefined }),
  }).map(({ spec, a, b }) => ({
    ...spec,
    algorithms: { ...spec.algorithms, a, ...(b === undefined ? {} : { b }) },
    workload: (spec.workload as readonly WorkloadSpec[]).map(ofRccc),
    hosts: allowed(spec.hosts ?? {}),
    overrides: (spec.overrides ?? []).map((one) => (one.host === undefined ? one : { ...one, host: allowed(one.host) })),
  }));
