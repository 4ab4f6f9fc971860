/** UDP destination ports. */
export const UdpPort = {
  /** Destination port of RoCEv2 (CA17-20; Fast CNP draft, section 3). */
  ROCE_V2: 4791,
  /** UDP destination port of MRC packets, as most readers of the specification print it (docs/reference/sources.md). */
  MRC: 4971,
} as const;
