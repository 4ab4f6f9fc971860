/** Finds the ingress port that came nearest to sending a pause. */

/** A port's peak ingress occupancy in a class, and its lowest pause threshold; absent if the port has none. */
export interface IngressFill {
  readonly maxIngressBytes?: number;
  readonly minPauseThresholdBytes?: number;
}

/** The port whose peak came nearest to its threshold, among ports that have both; the first of equal ones. */
export function tightestPort<Port extends IngressFill>(
  ports: readonly Port[],
): (Port & Required<IngressFill>) | undefined {
  let tightest: (Port & Required<IngressFill>) | undefined;
  for (const port of ports) {
    if (isKnown(port) && (tightest === undefined || fillOf(port) > fillOf(tightest))) tightest = port;
  }
  return tightest;
}

function isKnown<Port extends IngressFill>(port: Port): port is Port & Required<IngressFill> {
  return port.maxIngressBytes !== undefined && port.minPauseThresholdBytes !== undefined;
}

const fillOf = ({ maxIngressBytes, minPauseThresholdBytes }: Required<IngressFill>): number =>
  maxIngressBytes / Math.max(1, minPauseThresholdBytes);
