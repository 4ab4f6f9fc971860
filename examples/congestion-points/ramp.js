/**
 * The ramp of random early detection on the instantaneous queue, as DCQCN uses it.
 *
 *   p(q) = 0                                   q <= Kmin
 *          Pmax (q - Kmin) / (Kmax - Kmin)     Kmin < q <= Kmax
 *          1                                   q > Kmax
 *
 * The jump from Pmax to 1 at Kmax is DCQCN's. A random number is drawn only if 0 < p < 1.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.1.
 */
export function isCongested(port) {
  const { queueBytes, kminBytes, kmaxBytes, pmax } = port;
  if (queueBytes <= kminBytes) return false;
  if (queueBytes > kmaxBytes) return true;
  const probability = (pmax * (queueBytes - kminBytes)) / (kmaxBytes - kminBytes);
  if (probability <= 0) return false;
  return probability >= 1 || port.random() < probability;
}
