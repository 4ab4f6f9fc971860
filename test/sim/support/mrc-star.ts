/**
 * MRC by hand, to the picosecond: flows to the last host of an idle star.
 *
 * A packet of b bytes takes 80 (b + 20) ps on a link of 100 Gb/s, 20 bytes being preamble and gap, and 1 us of delay.
 */
import { expect } from 'vitest';
import type { PacketRecord, SimResult } from '../../../src/sim/result.js';
import { runScenarioSync } from '../../../src/sim/run/run-scenario.js';
import type { FaultSpec, HostSpec, ScenarioSpec, SwitchSpec, TrimmingSpec } from '../../../src/sim/scenario/spec.js';

export const MTU = 4096;
export const DATA = MTU + 106;
export const SACK = 118;
export const NACK = 102;
export const TRIMMED = 132;
const DELAY_PS = 1_000_000;
/** Over a link. */
export const tx = (lenBytes: number): number => 80 * (lenBytes + 20);
export const hop = (lenBytes: number): number => tx(lenBytes) + DELAY_PS;

export interface Setting {
  /** Packets of full length. */
  readonly flows: readonly (readonly [from: string, packets: number])[];
  readonly trimming?: TrimmingSpec | boolean;
  readonly switches?: SwitchSpec;
  readonly hosts?: HostSpec;
  readonly faults?: readonly FaultSpec[];
  readonly capture?: readonly string[];
}

export function scenario({ flows, trimming, switches, hosts = {}, faults = [], capture = [] }: Setting): ScenarioSpec {
  return {
    name: 'MRC by hand',
    topology: { kind: 'star', hosts: 4, rateGbps: 100, delayNs: 1000 },
    workload: {
      kind: 'flows',
      flows: flows.map(([from, packets]) => ({ from, to: 'h3', sizeBytes: packets * (hosts.mtuBytes ?? MTU) })),
    },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false, ...(trimming === undefined ? {} : { trimming }), ...switches },
    hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 500, ...hosts },
    faults,
    record: { capture },
  };
}

/** A spec that is run, with the packets that it captures. */
export function captured(spec: ScenarioSpec): { result: SimResult; records: PacketRecord[]; spec: ScenarioSpec } {
  const records: PacketRecord[] = [];
  const result = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
  return { result, records, spec };
}

/** Runs it; packets and bytes are conserved. */
export function run(setting: Setting): ReturnType<typeof captured> {
  const ran = captured(scenario(setting));
  const { totals } = ran.result;
  expect(totals.packetsIn).toBe(totals.packetsOut + totals.packetsDropped);
  expect(totals.bytesIn).toBe(totals.bytesOut + totals.bytesDropped + (totals.bytesTrimmed ?? 0));
  return ran;
}

/** A star of a sender and a receiver, whose link has half the rate. */
export const SLOW_RECEIVER: ScenarioSpec['topology'] = {
  kind: 'edges',
  nodes: [{ name: 's0', kind: 'switch' }, { name: 'h0', kind: 'host' }, { name: 'h3', kind: 'host' }],
  links: [{ from: 'h0', to: 's0' }, { from: 'h3', to: 's0', rateGbps: 50 }],
};

/** Two packets or three of one flow between two switches, which use the paths m2, m1 and m0 round-robin; m2 has links of 50 us. */
export function overUnequalPaths(packets: number, hosts: HostSpec, faults: readonly FaultSpec[]): ScenarioSpec {
  const paths = ['m0', 'm1', 'm2'];
  return {
    name: 'a delayed packet',
    topology: {
      kind: 'edges',
      nodes: [
        ...['left', 'right', ...paths].map((name) => ({ name, kind: 'switch' as const })),
        { name: 'a', kind: 'host' },
        { name: 'b', kind: 'host' },
      ],
      links: [
        { from: 'a', to: 'left' },
        { from: 'b', to: 'right' },
        ...paths.flatMap((to) => ['left', 'right'].map((from) => ({ from, to, delayNs: to === 'm2' ? 50_000 : 1000 }))),
      ],
    },
    workload: { kind: 'flows', flows: [{ from: 'a', to: 'b', sizeBytes: packets * MTU }] },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false, loadBalancing: 'round-robin' },
    hosts: { transport: 'mrc', mtuBytes: MTU, retransmitTimeoutUs: 60, ...hosts },
    faults,
    record: { capture: ['right:b', 'b:right'] },
  };
}
