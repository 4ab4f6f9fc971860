/** Scale of a slider around a value: linear for shares, logarithmic otherwise. */

export interface SliderScale {
  /** Position, 0 to 1, of a value. */
  readonly placeOf: (value: number) => number;
  /** Value at a position, rounded to three digits. */
  readonly valueAt: (place: number) => number;
  /** Whether the slider's range includes a value. */
  readonly reaches: (value: number) => boolean;
}

/** A slider ranges from a sixteenth of its initial value to sixteen times that. */
const SPAN = 16;
const SHARE_MAX = 1;
/** Shares below this, such as gains of 1/256, have a logarithmic scale. */
const SMALL_SHARE = 0.05;

/** @returns undefined if the range is empty. */
export function sliderScale(start: number, min: number, max: number, isWhole: boolean): SliderScale | undefined {
  if (max <= SHARE_MAX && min >= 0 && (start >= SMALL_SHARE || start === 0)) return straight(min, max);
  const low = Math.max(min, start / SPAN, isWhole ? 1 : 0);
  const high = Math.min(max, start * SPAN);
  if (!(low > 0) || !(high > low)) return undefined;
  const span = Math.log(high / low);
  return {
    placeOf: (value) => clamp(Math.log(Math.max(value, low) / low) / span),
    valueAt: (place) => Math.min(max, Math.max(min, rounded(low * Math.exp(place * span), isWhole))),
    reaches: (value) => value >= low && value <= high,
  };
}

function straight(min: number, max: number): SliderScale {
  return {
    placeOf: (value) => clamp((value - min) / (max - min)),
    valueAt: (place) => rounded(min + place * (max - min), false),
    reaches: (value) => value >= min && value <= max,
  };
}

const clamp = (place: number): number => Math.min(1, Math.max(0, place));

function rounded(value: number, isWhole: boolean): number {
  const short = Number(value.toPrecision(3));
  return isWhole ? Math.round(short) : short;
}
