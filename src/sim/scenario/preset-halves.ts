/**
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
