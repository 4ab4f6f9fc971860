/**
 * What belongs to a preset of congestion control and is set elsewhere: how often receivers send CNPs, and from which queues on
 * switches mark. A sender's parameters were chosen together with these.
 */
/** Marks that a preset was published with: thresholds at the rate of a port. */
export interface MarkingHalf {
  readonly kminKB: number;
  readonly kmaxKB: number;
  readonly pmax: number;
  readonly rateGbps: number;
}

/** The other half of a preset. */
export interface PresetHalf {
  /** Least time between CNPs of its receivers, microseconds; 0: each mark causes a notification. */
  readonly cnpIntervalUs?: number;
  readonly marking?: MarkingHalf;
  /** Where both are from, for a sentence: `its adapter`. */
  readonly of: string;
}

/** By preset; those that are not here have none, or the defaults of the library are theirs. */
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
