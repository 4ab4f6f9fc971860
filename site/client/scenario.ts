/** The start page's scenario, valid for the library, the command line and the lab. */
import type { ScenarioSpec } from '../../src/sim/index.js';

export interface ExperimentSettings {
  /** Preset of the algorithm. */
  readonly preset: string;
  readonly senders: number;
  /** Queue length from which packets are marked, in kB of 1,000 bytes. */
  readonly kminKB: number;
}

/** Presets with their common names. */
export const PRESETS = [
  ['dcqcn-sigcomm15', 'DCQCN'],
  ['hpcc-sigcomm19', 'HPCC'],
  ['swift-sigcomm20', 'Swift'],
] as const;

export const FIRST_SETTINGS: ExperimentSettings = { preset: 'dcqcn-sigcomm15', senders: 4, kminKB: 100 };

/** Whether the algorithm reacts to marks, so that Kmin makes a difference. */
export function readsMarks({ preset }: ExperimentSettings): boolean {
  return preset.startsWith('dcqcn');
}

/** Kmax as a multiple of Kmin, as in the gallery's incast. */
const KMAX_FACTOR = 4;

export function scenarioOf({ preset, senders, kminKB }: ExperimentSettings): ScenarioSpec {
  return {
    name: `${senders} flows of 4 MB to one receiver`,
    topology: { kind: 'star', hosts: senders + 1, rateGbps: 100, delayNs: 1000 },
    workload: { kind: 'incast', senders, sizeBytes: 4_000_000, staggerUs: 300 },
    algorithms: { control: { preset } },
    switches: { ecn: { kminKB, kmaxKB: KMAX_FACTOR * kminKB, pmax: 0.2 } },
    record: { intervalUs: 5 },
  };
}
