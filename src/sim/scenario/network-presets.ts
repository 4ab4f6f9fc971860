/**
 * The four RoCE network designs of "RoCE Network Proposal" (slides 7 to 10), as presets of a scenario's settings.
 *
 *   preset         switches.pfc  switches.ecn         a slow receiver   hosts.transport    hosts.lossReaction
 *   lossless       true          on                   pauses            go-back-n          by transport
 *   semi-lossless  false         on                   pauses            go-back-n          by transport
 *   lossy-1        false         on, marks at dequeue does not pause    selective-repeat   by transport
 *   lossy-2        false         off                  does not pause    selective-repeat   cnp
 *
 * A preset defines PFC, ECN and which devices pause; a scenario that sets them differently for all nodes is rejected. Transport
 * and loss reaction are the slides' recommendations; they are defaults, which the scenario's own settings replace. `overrides`
 * of single nodes always win, so that one node can be misconfigured. CNPs have priority over data under every preset, as always
 * under fidelity `standard`.
 *
 * Known deviation: slide 9 also requires faster CNPs (`hosts.cnpDelayUs` is 0 already) and optimised egress buffers, for
 * which it gives no numbers.
 */
import { NETWORK_PROFILES, type NetworkProfileName } from '../../qos/network-profiles.js';
import { asSettings } from './setting-words.js';
import { rejectScenario } from './scenario-error.js';
import type { EcnSpec, FaultSpec, HostSpec, ScenarioSpec } from './spec.js';

/** Names of the presets, for a scenario's `network`. */
export const NETWORK_PRESETS = [
  'lossless',
  'semi-lossless',
  'lossy-1',
  'lossy-2',
] as const satisfies readonly NetworkProfileName[];

interface Preset {
  readonly pfc: boolean;
  readonly ecn: Required<Pick<EcnSpec, 'enabled'>> & Pick<EcnSpec, 'markAt'>;
  readonly receiversPause: boolean;
  readonly hosts: HostSpec;
}

/** Adds the settings of its network preset to a scenario. @throws RoceError `invalid-scenario` if they disagree. */
export function withNetworkPreset(spec: ScenarioSpec): ScenarioSpec {
  if (spec.network === undefined) return spec;
  const { pfc, ecn, receiversPause, hosts } = presetOf(spec.network);
  requireSame(spec, 'switches.pfc', spec.switches?.pfc, pfc);
  const given = asSettings(spec.switches?.ecn);
  requireSame(spec, 'switches.ecn.enabled', given?.enabled, ecn.enabled);
  if (ecn.markAt !== undefined) requireSame(spec, 'switches.ecn.markAt', given?.markAt, ecn.markAt);
  return {
    ...spec,
    switches: { ...spec.switches, pfc, ecn: { ...given, ...ecn } },
    hosts: { ...hosts, ...spec.hosts },
    ...(spec.faults === undefined ?
      {} :
      { faults: spec.faults.map((fault, i) => withPauses(spec, fault, i, receiversPause)) }),
  };
}

/** The presets' values of one setting, as the published schema states them. */
export function byNetwork(settingOf: (preset: Preset) => unknown): Record<string, unknown> {
  const values = NETWORK_PRESETS.map((name) => [name, settingOf(presetOf(name))] as const);
  return { 'x-network-defaults': Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
}

function presetOf(name: NetworkProfileName): Preset {
  const { pfc, ecn, markAt, recovery, signal } = NETWORK_PROFILES[name];
  return {
    pfc: pfc === 'both-directions',
    ecn: { enabled: ecn, ...(markAt === 'dequeue' ? { markAt } : {}) },
    receiversPause: pfc !== 'none',
    hosts: { transport: recovery[0], ...(signal === 'loss' ? { lossReaction: 'cnp' } : {}) },
  };
}

function withPauses(spec: ScenarioSpec, fault: FaultSpec, index: number, pfc: boolean): FaultSpec {
  if (fault.kind !== 'slow-receiver') return fault;
  requireSame(spec, `faults[${index}].pfc`, fault.pfc, pfc);
  return { ...fault, pfc };
}

function requireSame<Value>({ network }: ScenarioSpec, where: string, got: Value | undefined, allowed: Value): void {
  if (got === undefined || got === allowed) return;
  rejectScenario({
    what: where,
    problem: `contradicts the network ${network}`,
    got,
    allowed: String(allowed),
    where,
    hint: 'Leave it out, choose another network, or set single nodes otherwise by overrides',
  });
}

/*
 * Settings outside a congestion control preset that belong to it: the receivers' CNP interval and the switches' marking
 * thresholds. The sender's parameters were chosen together with these.
 */

/** Marking thresholds that a preset was published with, and the port rate that they apply to. */
export interface MarkingHalf {
  readonly kminKB: number;
  readonly kmaxKB: number;
  readonly pmax: number;
  readonly rateGbps: number;
}

/** The settings of receivers and switches that belong to a preset. */
export interface PresetHalf {
  /** Minimum time between CNPs of receivers, microseconds; 0: each mark causes a notification. */
  readonly cnpIntervalUs?: number;
  readonly marking?: MarkingHalf;
  /** Source of the settings, for a sentence: `its adapters`. */
  readonly of: string;
}

/** Settings by preset. Presets that are missing here have none, or theirs are the library's defaults. */
export const PRESET_HALVES: Readonly<Record<string, PresetHalf | undefined>> = {
  // docs/specs/dcqcn.md, 4.1: min_time_between_cnps of newer adapters.
  'dcqcn-connectx': { cnpIntervalUs: 4, of: 'its adapters' },
  // docs/specs/dcqcn.md, 4.1: no CNP packets, each ACK repeats its packet's mark.
  'dcqcn-ns3': { cnpIntervalUs: 0, of: 'its simulator' },
  // docs/specs/dcqcn.md, 4.2, and section 2: at 40 Gb/s.
  'dcqcn-sigcomm15': { marking: { kminKB: 5, kmaxKB: 200, pmax: 0.01, rateGbps: 40 }, of: 'its paper' },
  // docs/specs/reference.md: K of run.py, one threshold.
  'dctcp-ns3': { marking: { kminKB: 30, kmaxKB: 30, pmax: 1, rateGbps: 10 }, of: 'its simulator' },
};
