/**
 * Distributions of flow sizes by name. Points of a cumulative distribution, linear between them.
 *
 *   WebSearch   Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, figure 4, in the points that simulators of
 *               RDMA networks use; its deciles are the axis of the WebSearch plots of Li et al., "HPCC", SIGCOMM 2019
 *               (6.7 K, 20 K, 30 K, 50 K, 73 K, 197 K, 989 K, 2 M, 5 M, 30 M). Certain but for the third digit.
 *   FB_Hadoop   Roy et al., "Inside the Social Network's (Datacenter) Network", SIGCOMM 2015, in the deciles on the
 *               axis of HPCC's FB_Hadoop plots (324, 400, 500, 600, 700, 1 K, 7 K, 46 K, 120 K, 10 M). Uncertain:
 *               everything above 120 kB. Our choice is one flow of a hundred above 1 MB, which gives a mean of 0.12 MB.
 *   AliStorage  A storage cluster's flows (Alibaba 2019). AN APPROXIMATION: no public paper states the points; these
 *               have its known shape, mostly requests of a few kilobytes, none above 2 MiB. Give the points yourself to
 *               compare with results of others.
 */
import type { SizeCdf, SizeDistribution } from '../scenario/spec.js';

const point = (sizeBytes: number, share: number): SizeCdf[number] => ({ sizeBytes, share });

export const SIZE_DISTRIBUTIONS: Readonly<Record<Extract<SizeDistribution, string>, SizeCdf>> = {
  WebSearch: [
    point(0, 0),
    point(10_000, 0.15),
    point(20_000, 0.2),
    point(30_000, 0.3),
    point(50_000, 0.4),
    point(80_000, 0.53),
    point(200_000, 0.6),
    point(1_000_000, 0.7),
    point(2_000_000, 0.8),
    point(5_000_000, 0.9),
    point(10_000_000, 0.97),
    point(30_000_000, 1),
  ],
  FB_Hadoop: [
    point(0, 0),
    point(324, 0.1),
    point(400, 0.2),
    point(500, 0.3),
    point(600, 0.4),
    point(700, 0.5),
    point(1000, 0.6),
    point(7000, 0.7),
    point(46_000, 0.8),
    point(120_000, 0.9),
    point(1_000_000, 0.99),
    point(10_000_000, 1),
  ],
  AliStorage: [
    point(0, 0),
    point(512, 0.05),
    point(1024, 0.2),
    point(4096, 0.55),
    point(8192, 0.65),
    point(16_384, 0.75),
    point(65_536, 0.88),
    point(131_072, 0.93),
    point(262_144, 0.96),
    point(524_288, 0.98),
    point(2_097_152, 1),
  ],
};

/** The points of a distribution. */
export function cdfOf(distribution: SizeDistribution): SizeCdf {
  return typeof distribution === 'string' ? SIZE_DISTRIBUTIONS[distribution] : distribution;
}

/** Mean of a distribution, bytes: a jump at the first point, straight lines between the others. */
export function meanBytes(cdf: SizeCdf): number {
  let mean = cdf[0].sizeBytes * cdf[0].share;
  for (let i = 1; i < cdf.length; i++) {
    mean += ((cdf[i - 1].sizeBytes + cdf[i].sizeBytes) / 2) * (cdf[i].share - cdf[i - 1].share);
  }
  return mean;
}

/** The size below which a share of all flows is, whole bytes, at least 1. */
export function sizeAt(cdf: SizeCdf, share: number): number {
  const above = cdf.findIndex((candidate) => candidate.share > share);
  if (above <= 0) return Math.max(1, Math.round(cdf[above === 0 ? 0 : cdf.length - 1].sizeBytes));
  const low = cdf[above - 1];
  const high = cdf[above];
  const part = (share - low.share) / (high.share - low.share);
  return Math.max(1, Math.round(low.sizeBytes + part * (high.sizeBytes - low.sizeBytes)));
}
