/** Distributions of flow sizes, by name or from files: points of a cumulative distribution, linear between them. */
import { reject } from '../../config/field-rules.js';
import { linesOf, numberOf, rejectText, type Word } from '../reference-files/reference-text.js';
import type { SizeCdf, SizeDistributionName } from '../scenario/spec.js';

/*
 * Sizes of Google's RPCs in 2008, from the 843 points of the traffic generator of the HPCC authors' simulator
 * (GoogleRPC2008.txt).
 *
 * The points are regular: between two knots, both the reciprocals of the sizes and the shares are equally spaced. So the knots
 * and the numbers of steps define all points; sizes agree with the file's whole bytes, shares with its four decimals.
 */

/** Size in bytes, cumulative percentage, and number of steps from the previous knot. */
const KNOTS: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [3, 6.488_26, 1],
  [32, 9.732_39, 1],
  [64, 15.5271, 5],
  [128, 35.1573, 6],
  [256, 49.7901, 8],
  [512, 78.4921, 11],
  [1024, 86.32, 14],
  [2048, 90.8862, 18],
  [4096, 93.4955, 24],
  [8192, 96.4309, 31],
  [16_384, 98.4694, 41],
  [32_768, 99.0402, 53],
  [65_536, 99.3256, 69],
  [131_072, 99.7129, 90],
  [262_144, 99.8453, 118],
  [524_288, 99.9498, 153],
  [15_158_197, 100, 199],
];

export function googleRpcPoints(): SizeCdf {
  return KNOTS.flatMap(([toBytes, toPercent, steps], index) => {
    if (steps <= 1) return [{ sizeBytes: toBytes, share: toPercent / 100 }];
    const [fromBytes, fromPercent] = KNOTS[index - 1];
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      return {
        sizeBytes: Math.round(1 / (1 / fromBytes + part * (1 / toBytes - 1 / fromBytes))),
        share: (fromPercent + part * (toPercent - fromPercent)) / 100,
      };
    });
  });
}

/*
 * Points of published distributions of flow sizes, bytes and cumulative percentage, from the traffic generators published with
 * the reference simulators (repository alibaba-edu/High-Precision-Congestion-Control, folder traffic_gen; Solar: folder
 * traffic_gen of conweave-project/conweave-ns3).
 */

/** WebSearch_distribution.txt: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, figure 4. */
export const WEB_SEARCH = `
0 0
10000 15
20000 20
30000 30
50000 40
80000 53
200000 60
1000000 70
2000000 80
5000000 90
10000000 97
30000000 100
`;

/** FbHdp_distribution.txt: Roy et al., "Inside the Social Network's (Datacenter) Network", SIGCOMM 2015, Hadoop. */
export const FB_HADOOP = `
0 0
100 1
200 2
300 5
350 15
400 20
500 30
600 40
700 50
1000 60
2000 67
7000 70
30000 72
50000 82
80000 87
120000 90
300000 95
1000000 97.5
2000000 99
10000000 100
`;

/** AliStorage2019.txt: a storage cluster of Alibaba. */
export const ALI_STORAGE = `
0 0
4000 22.93
8000 69.21
16000 80.61
32000 90.47
64000 93.53
128000 96.77
256000 97.53
2000000 100
`;

/** Solar2022.txt: Miao et al., "From Luna to Solar", SIGCOMM 2022, requests of Alibaba's block storage. */
export const SOLAR = `
0 0
4095 0.001
4096 30.0
16383 35.0
16384 50.0
65535 60.0
65536 95.0
262144 100.0
`;

/**
 * Made by this project, not published: deciles from the axis of HPCC's FB_Hadoop plots (Li et al., SIGCOMM 2019, figure 11);
 * above 120 kB our choice, with 1 % of flows above 1 MB.
 */
export const FB_HADOOP_DECILES = `
0 0
324 10
400 20
500 30
600 40
700 50
1000 60
7000 70
46000 80
120000 90
1000000 99
10000000 100
`;

/** Made by this project, not published: a guess at the shape of AliStorage, made before its points were found. */
export const ALI_STORAGE_GUESS = `
0 0
512 5
1024 20
4096 55
8192 65
16384 75
65536 88
131072 93
262144 96
524288 98
2097152 100
`;

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

const POINTS_MAX = 10_000;

/**
 * Parses a file of flow sizes into the points of a distribution, for `sizes` of a Poisson workload. The format is that of the
 * reference simulators' traffic generators: each line has a size in bytes and the cumulative percentage of flows up to it, both
 * ascending, the last 100; files usually begin with size 0 at 0 %. Lines that begin with `#` are skipped.
 *
 * @param file its name, for errors.
 * @throws RoceError `invalid-scenario`, naming file and line, for words that are not numbers, descending sizes or percentages,
 * a last percentage other than 100, or more than 10,000 points.
 * @example
 * readSizePoints('0 0\n4000 22.93\n2000000 100\n', 'AliStorage2019.txt');
 */
export function readSizePoints(text: string, file: string): SizeCdf {
  for (const [where, got] of Object.entries({ text, file })) {
    if (typeof got !== 'string') reject({ got, allowed: 'a text', where });
  }
  const lines = linesOf(text, file).filter(([{ text: word }]) => !word.startsWith('#'));
  if (lines.length === 0 || lines.length > POINTS_MAX) {
    rejectText({
      what: 'the number of points',
      got: lines.length,
      allowed: { min: 1, max: POINTS_MAX },
      where: `text of ${file}`,
    });
  }
  const points = lines.map(pointOf);
  points.forEach((point, index) => {
    const before = points[index - 1] ?? { sizeBytes: 0, share: 0 };
    requireAscending('the size', point.sizeBytes, before.sizeBytes, lines[index][0]);
    requireAscending('the percentage', point.share * 100, before.share * 100, lines[index][1]);
  });
  const last = lines[lines.length - 1][1];
  if (points[points.length - 1].share !== 1) {
    rejectText({ what: 'the last percentage', got: last.text, allowed: [100], where: last.place });
  }
  return points;
}

function pointOf(words: readonly Word[]): SizeCdf[number] {
  if (words.length !== 2) {
    const got = words.map(({ text }) => text).join(' ');
    const allowed = '2 words: a size in bytes, and the cumulative percentage of flows up to it';
    rejectText({ what: 'the point', got, allowed, where: words[0].place });
  }
  const [size, percentage] = words;
  return {
    sizeBytes: numberOf(size, 'the size', 0, Number.MAX_SAFE_INTEGER),
    share: numberOf(percentage, 'the percentage', 0, 100) / 100,
  };
}

function requireAscending(what: string, got: number, least: number, { place }: Word): void {
  if (got < least) rejectText({ what, got, allowed: { min: least }, where: place });
}
