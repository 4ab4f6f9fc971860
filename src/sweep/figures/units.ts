/** The unit in which numbers of a metric are short. */

export interface FigureUnit {
  readonly name: string;
  /** One of it, in what the metric counts. */
  readonly size: number;
}

const TIMES: readonly FigureUnit[] = [{ name: 'ns', size: 1e3 }, { name: 'µs', size: 1e6 }, { name: 'ms', size: 1e9 }, {
  name: 's',
  size: 1e12,
}];
const SIZES: readonly FigureUnit[] = [
  { name: 'bytes', size: 1 },
  { name: 'kB', size: 1e3 },
  { name: 'MB', size: 1e6 },
  {
    name: 'GB',
    size: 1e9,
  },
];
const RATES: readonly FigureUnit[] = [{ name: 'Mb/s', size: 1e6 }, { name: 'Gb/s', size: 1e9 }, {
  name: 'Tb/s',
  size: 1e12,
}];
const NONE: FigureUnit = { name: '', size: 1 };
/** A largest value below this many of a unit reads better in the smaller one. */
const LEAST = 2;

/** By the end of the metric's name, `Ps`, `Bytes` or `Bps`. */
export function unitOfMetric(metric: string, largest: number): FigureUnit {
  const [base = ''] = metric.split(/[.[]/);
  if (base.endsWith('Ps')) return unitFor(largest, TIMES);
  if (base.endsWith('Bytes')) return unitFor(largest, SIZES);
  return base.endsWith('Bps') ? unitFor(largest, RATES) : NONE;
}

function unitFor(largest: number, units: readonly FigureUnit[]): FigureUnit {
  return units.findLast(({ size }) => largest >= LEAST * size) ?? units[0] ?? NONE;
}

/** Of metrics, in words: `slowdown, p99` of `slowdown.p99`. */
export function wordsOfMetric(metric: string): string {
  const sizes = /^([^[]+)\[(\d*)\.\.(\d*)\]$/.exec(metric);
  const name = (sizes?.[1] ?? metric).replace(/^completionPs/, 'completionTime').replace(/(Ps|Bytes|Bps)(?=\.|$)/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('.', ', ');
  if (sizes === null) return name;
  const [low, high] = [sizes[2], sizes[3]];
  const above = low === '' ? '' : ` above ${shortBytes(Number(low))}B`;
  return `${name}, flows${above}${high === '' ? '' : ` up to ${shortBytes(Number(high))}B`}`;
}

/** As the axes of HPCC's figures have it: 324, 6.7K, 2M. */
export function shortBytes(bytes: number): string {
  if (bytes >= 1e9) return `${Number((bytes / 1e9).toPrecision(3))}G`;
  if (bytes >= 1e6) return `${Number((bytes / 1e6).toPrecision(3))}M`;
  return bytes >= 1e3 ? `${Number((bytes / 1e3).toPrecision(3))}K` : String(bytes);
}
