/** One end of a connection. */
export interface FlowEnd {
  /** IP address, in canonical form. */
  readonly address: string;
  /** QP number at this address, 1..2^24 - 1. */
  readonly qpn: number;
}
