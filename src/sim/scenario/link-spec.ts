/** Settings of a link. */

/** Rate and propagation delay of links. */
export interface LinkSpec {
  /** 0.001 to 8,000. Default 100. */
  readonly rateGbps?: number;
  /** One way. Default 1,000. */
  readonly delayNs?: number;
}
