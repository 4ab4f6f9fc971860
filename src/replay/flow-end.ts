/** One end of a connection. */
export interface FlowEnd {
  /** IP address, in canonical form. */
  readonly address: string;
  /** QP number there, 1..2^24 - 1. */
  readonly qpn: number;
}
