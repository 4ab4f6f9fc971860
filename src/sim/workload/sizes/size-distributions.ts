/** Distributions of flow sizes by name: points of a cumulative distribution, linear between them. */
import { reject } from '../../../config/field-rules.js';
import type { SizeCdf, SizeDistributionName } from '../../scenario/spec.js';
import { googleRpcPoints } from './google-rpc.js';
import { ALI_STORAGE, ALI_STORAGE_GUESS, FB_HADOOP, FB_HADOOP_DECILES, SOLAR, WEB_SEARCH } from './published-points.js';
import { readSizePoints } from './read-size-points.js';

const POINTS: Readonly<Record<SizeDistributionName, () => SizeCdf>> = {
  WebSearch: () => readSizePoints(WEB_SEARCH, 'WebSearch'),
  FB_Hadoop: () => readSizePoints(FB_HADOOP, 'FB_Hadoop'),
  AliStorage: () => readSizePoints(ALI_STORAGE, 'AliStorage'),
  Solar: () => readSizePoints(SOLAR, 'Solar'),
  GoogleRPC: googleRpcPoints,
  'FB_Hadoop-roce-cc': () => readSizePoints(FB_HADOOP_DECILES, 'FB_Hadoop-roce-cc'),
  'AliStorage-roce-cc': () => readSizePoints(ALI_STORAGE_GUESS, 'AliStorage-roce-cc'),
};

/** Names of all distributions of flow sizes. */
export const SIZE_DISTRIBUTION_NAMES = Object.keys(POINTS) as readonly SizeDistributionName[];

/** This project's variants, each with the corresponding published distribution. */
export const PUBLISHED_SIZES: Partial<Readonly<Record<SizeDistributionName, SizeDistributionName>>> = {
  'FB_Hadoop-roce-cc': 'FB_Hadoop',
  'AliStorage-roce-cc': 'AliStorage',
};

/**
 * The points of a distribution of flow sizes, bytes and cumulative shares.
 *
 * @param distribution its name, or points, which are returned unchanged.
 * @throws RoceError `invalid-argument` for other names.
 */
export function sizePointsOf(distribution: SizeDistributionName | SizeCdf): SizeCdf {
  if (typeof distribution !== 'string') return distribution;
  if (Object.hasOwn(POINTS, distribution)) return POINTS[distribution]();
  return reject({ got: distribution, allowed: SIZE_DISTRIBUTION_NAMES, where: 'distribution' });
}

/** Mean of a distribution, bytes. The distribution has a jump at the first point and is linear between points. */
export function meanBytes(cdf: SizeCdf): number {
  let mean = cdf[0].sizeBytes * cdf[0].share;
  for (let i = 1; i < cdf.length; i++) {
    mean += ((cdf[i - 1].sizeBytes + cdf[i].sizeBytes) / 2) * (cdf[i].share - cdf[i - 1].share);
  }
  return mean;
}

/** The quantile of a distribution at a share: whole bytes, at least 1. */
export function sizeAt(cdf: SizeCdf, share: number): number {
  const above = firstAbove(cdf, share);
  if (above === 0 || above === cdf.length) {
    return Math.max(1, Math.round(cdf[above === 0 ? 0 : above - 1].sizeBytes));
  }
  const low = cdf[above - 1];
  const high = cdf[above];
  const part = (share - low.share) / (high.share - low.share);
  return Math.max(1, Math.round(low.sizeBytes + part * (high.sizeBytes - low.sizeBytes)));
}

/** Index of the first point with a larger share; the number of points if there is none. */
function firstAbove(cdf: SizeCdf, share: number): number {
  let [low, high] = [0, cdf.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cdf[middle].share > share) high = middle;
    else low = middle + 1;
  }
  return low;
}
