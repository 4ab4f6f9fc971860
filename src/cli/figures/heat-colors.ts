/** Colours of a heat map: light for the least, dark for the most, distinguishable by lightness alone. */

/** Viridis of matplotlib (CC0), from its light end, in nine steps. */
const STOPS = [[253, 231, 37], [170, 220, 50], [93, 201, 99], [39, 173, 129], [33, 144, 141], [44, 114, 142], [
  59,
  82,
  139,
], [
  71,
  44,
  122,
], [68, 1, 84]] as const;
/** From this share up, text in a cell is white. */
const DARK_FROM = 0.45;

/** @param share 0 (lightest) to 1 (darkest). */
export function heatColor(share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const from = Math.min(STOPS.length - 2, Math.floor(place));
  const [a, b] = [STOPS[from], STOPS[from + 1]];
  const mixed = a.map((channel, index) => Math.round(channel + (b[index] - channel) * (place - from)));
  return `rgb(${mixed.join(',')})`;
}

export function heatTextColor(share: number): string {
  return share >= DARK_FROM ? '#fff' : '#000';
}

/** Maps a heat map's values to 0 (the smallest) to 1 (the largest). */
export function heatShares(values: readonly (readonly (number | null)[])[]): (value: number) => number {
  const all = values.flat().flatMap((value) => value ?? []);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return (value) => (most > least ? (value - least) / (most - least) : 0.5);
}
