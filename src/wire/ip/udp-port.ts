/** UDP destination ports. */
export const UdpPort = {
  /** Destination port of RoCEv2 (CA17-20; Fast CNP draft, section 3). */
  ROCE_V2: 4791,
  /**
   * UDP destination port of MRC packets, according to most readings of the specification (docs/reference/sources.md).
   */
  MRC: 4971,
} as const;
