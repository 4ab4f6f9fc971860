/** The presets that scenarios and the command line accept, and the algorithm of each. */
import type { AlgorithmName } from './registry.js';

export const PRESET_ALGORITHMS = {
  'dcqcn-sigcomm15': 'dcqcn',
  'dcqcn-ns3': 'dcqcn',
  'dcqcn-connectx': 'dcqcn',
  'dcqcn-irdma': 'dcqcn',
  'hpcc-sigcomm19': 'hpcc',
  'hpcc-ns3': 'hpcc',
  'hpcc-pp-draft': 'hpcc-pp',
  'hpcc-pp-fast-cnp': 'hpcc-pp',
  'hpcc-pint-ns3': 'hpcc-pint',
  'timely-ns3': 'timely',
  'timely-sigcomm15': 'timely',
  'dctcp-ns3': 'dctcp',
  'swift-sigcomm20': 'swift',
  'nscc-uet': 'nscc',
  'nscc-mrc': 'nscc',
  'rccc-uet': 'rccc',
  /** No congestion control: DCQCN with a rate that can't fall. */
  none: 'dcqcn',
} as const satisfies Readonly<Record<string, AlgorithmName>>;

export type PresetName = keyof typeof PRESET_ALGORITHMS;

/** Whether a string is the name of a preset. */
export function isPresetName(text: string): text is PresetName {
  return Object.hasOwn(PRESET_ALGORITHMS, text);
}
