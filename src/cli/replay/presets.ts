/** Presets of the reaction point, by command-line name. */
import { dcqcnConnectx } from '../../config/algorithms/dcqcn/preset-connectx.js';
import { dcqcnIrdma } from '../../config/algorithms/dcqcn/preset-irdma.js';
import { DCQCN_NS3_SETS, dcqcnNs3, type DcqcnNs3Set } from '../../config/algorithms/dcqcn/preset-ns3.js';
import { dcqcnSigcomm15 } from '../../config/algorithms/dcqcn/preset-sigcomm15.js';
import { hpccPpDraft } from '../../config/algorithms/hpcc-pp.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import { RoceError } from '../../errors.js';
import { pathOf } from './settings-kinds.js';

const NS3_PREFIX = 'ns3:';

export const DEFAULT_PRESET = 'sigcomm15';
/**
 * The HPCC preset that reads IOAM traces. Other presets of its family need sequence numbers that captured ACKs lack.
 */
export const HPCC_PP_PRESET = 'hpcc-pp';
export const PRESETS: readonly string[] = [
  DEFAULT_PRESET,
  ...DCQCN_NS3_SETS.map((set) => NS3_PREFIX + set),
  'connectx',
  'irdma',
  HPCC_PP_PRESET,
];

interface PresetPath {
  readonly lineRateBps: number;
  /** Used by irdma only. */
  readonly mssBytes?: number | undefined;
  /** Used by irdma and hpcc-pp only. */
  readonly rttPs?: number | undefined;
}

/**
 * Parameters of a preset.
 *
 * @throws RoceError `invalid-config` (line rate below the preset's minimum), `invalid-settings`, `invalid-argument`.
 */
export function presetParameters(name: string, path: PresetPath): AlgorithmParameters {
  const { lineRateBps, rttPs } = path;
  const ns3Set = DCQCN_NS3_SETS.find((set: DcqcnNs3Set) => NS3_PREFIX + set === name);
  if (ns3Set !== undefined) return dcqcnNs3(ns3Set, { lineRateBps });
  if (name === DEFAULT_PRESET) return dcqcnSigcomm15({ lineRateBps });
  if (name === 'connectx') return dcqcnConnectx({ lineRateBps });
  if (name === 'irdma') return dcqcnIrdma({ lineRateBps, ...pathOf(path) });
  if (name === HPCC_PP_PRESET) return hpccPpDraft({ lineRateBps, baseRttPs: baseRttOf(rttPs) });
  throw new RoceError('invalid-argument', { what: 'the preset', got: name, allowed: PRESETS, where: '--preset' });
}

function baseRttOf(rttPs: number | undefined): number {
  if (rttPs !== undefined) return rttPs;
  const allowed = 'stated with --rtt, such as --rtt 10us';
  throw new RoceError('invalid-settings', { what: 'the base round trip of hpcc-pp', allowed, where: 'options' });
}
