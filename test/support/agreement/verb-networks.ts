/**
 * Small random networks with READs and receivers that are not ready, as arbitraries: those of standard-networks.ts, in which some of the
 * listed flows have another verb, with the transport and algorithm that it requires.
 */
import fc from 'fast-check';
import type { FlowSpec, HostOverrideSpec, OperationSpec, ScenarioSpec,
  WorkloadSpec } from '../../../src/sim/scenario/spec.js';
import { standardNetworks, type NetworkSize } from './standard-networks.js';

/** Algorithms that work without ACKs. */
const OF_READS = ['dcqcn-sigcomm15', 'dcqcn-connectx', 'dcqcn-irdma', 'none'] as const;
/** Name of the parameter set of READs. */
const READ_SET = 'r';
/** 10 to 80 us, and 320 us. */
const TIMER_CODES = [1, 2, 4, 6, 10] as const;
const FLOWS_MAX = 20;

type Given = readonly [OperationSpec, number];

const verb: fc.Arbitrary<OperationSpec> = fc.oneof({
  weight: 3,
  arbitrary: fc.constant<OperationSpec>({ operation: 'read' }),
}, {
  weight: 3,
  arbitrary: fc.integer({ min: 1, max: 250 }).map((receiverReadyUs): OperationSpec => ({
    operation: 'send',
    receiverReadyUs,
  })),
}, { weight: 1, arbitrary: fc.constantFrom<OperationSpec>({ operation: 'send' }, { operation: 'write' }, {}) });

function withVerb(flow: FlowSpec, [given]: Given): FlowSpec {
  const isRead = given.operation === 'read';
  const needsGoBack = isRead || given.receiverReadyUs !== undefined;
  return {
    ...flow,
    ...given,
    ...(needsGoBack ? { transport: 'go-back-n' } : {}),
    ...(isRead ? { algorithm: READ_SET } : {}),
  };
}

/** Some READs lose requests: the first, or that for a later packet. */
function dropsOf(workload: readonly WorkloadSpec[], given: readonly Given[], mtuBytes: number): ScenarioSpec['faults'] {
  const [list] = workload;
  const flows = list?.kind === 'flows' ? list.flows : [];
  return flows.flatMap((_, flow) => {
    const [, lost] = given[flow % given.length];
    if (lost > 2) return [];
    return [
      { kind: 'drop', flow, firstByte: lost * mtuBytes, arrival: 1, of: 'data' } as const,
      { kind: 'drop', flow, firstByte: lost === 1 ? 0 : lost * mtuBytes, arrival: 1, of: 'ack' } as const,
    ];
  });
}

const host: fc.Arbitrary<HostOverrideSpec> = fc.record({
  rnrTimerCode: fc.constantFrom(...TIMER_CODES),
  rnrRetryCount: fc.constantFrom(0, 1, 7),
}, { requiredKeys: [] });

/** Those of a size, with other verbs. */
export const verbNetworks = (size: NetworkSize): fc.Arbitrary<ScenarioSpec> =>
  fc.record({
    spec: standardNetworks(size),
    given: fc.array(fc.tuple(verb, fc.nat(12)), { minLength: FLOWS_MAX, maxLength: FLOWS_MAX }),
    preset: fc.constantFrom(...OF_READS),
    hosts: fc.record({
      rnrTimerCode: fc.constantFrom(...TIMER_CODES),
      rnrRetryCount: fc.constantFrom(0, 2, 7, 7, 7),
    }),
    own: fc.array(host, { maxLength: 2 }),
  }).map(({ spec, given, preset, hosts, own }) => {
    const workload = spec.workload as readonly WorkloadSpec[];
    return {
      ...spec,
      workload: workload.map((one) =>
        one.kind === 'flows' ?
          { ...one, connections: 'per-message', flows: one.flows.map((flow, i) => withVerb(flow, given[i])) } :
          one
      ),
      algorithms: { ...spec.algorithms, [READ_SET]: { preset } },
      hosts: { ...spec.hosts, ...hosts },
      overrides: [...(spec.overrides ?? []), ...own.map((settings, i) => ({ nodes: [`h${i}`], host: settings }))],
      faults: [...(spec.faults ?? []), ...(dropsOf(workload, given, spec.hosts?.mtuBytes ?? 1024) ?? [])],
    };
  });
