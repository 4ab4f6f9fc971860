/**
 * The clock of a pcapng interface: converts a 64-bit tick count to seconds and picoseconds, exactly.
 *
 * Inputs    if_tsresol r: ticks per second T = 10^r, or 2^(r - 128) when the top bit of r is set; if_tsoffset in
 * seconds;
 *           per frame the count, as two 32-bit halves.
 * Outputs   epochSeconds = floor(count / T) + offset, picoseconds = floor((count mod T) 10^12 / T).
 *
 * The count exceeds 2^53, so it is divided by long division: the high half first, then the low half in digits of 16 or
 * 8 bits, with remainder x radix + digit < 2^53 at each step; the floor of a quotient of two integers below 2^53 is
 * exact. For binary clocks the remainder is scaled by 10^6 twice, exact up to T = 2^33.
 *
 * Finer clocks (below 1 ps, or below 2^-33 s) fall back to BigInt: slower, equally exact, and rare. Fractions of a
 * picosecond are truncated.
 *
 * Source: draft-ietf-opsawg-pcapng, section 4.2 (options if_tsresol and if_tsoffset).
 */

/** if_tsresol when the option is absent: microseconds. */
export const DEFAULT_RESOLUTION = 6;

const BINARY_FLAG = 0x80;
const FINEST_DECIMAL_EXPONENT = 12;
const FINEST_BINARY_EXPONENT = 33;
/** Up to this many ticks per second, 16-bit digits keep every step below 2^53. */
const MAX_TICKS_FOR_WIDE_DIGITS = 2 ** 37;
const MILLION = 1e6;
const PICOSECONDS_PER_SECOND = 1e12;

export class TickClock {
  /** Result of the last `convert`: seconds since the epoch; not a safe integer when the file's time is out of range. */
  epochSeconds = 0;
  /** Result of the last `convert`: 0 to 10^12 - 1. */
  picoseconds = 0;

  readonly #offsetSeconds: number;
  readonly #ticksPerSecond: number;
  readonly #digitBits: number;
  /** Picoseconds per tick; 0 for a binary clock. */
  readonly #picosecondsPerTick: number;
  /** Ticks per second, set only for clocks too fine for plain numbers. */
  readonly #fineTicksPerSecond: bigint | undefined;

  /**
   * @param resolution the byte of if_tsresol
   * @param offsetSeconds if_tsoffset, a safe integer
   */
  constructor(resolution: number, offsetSeconds: number) {
    const binary = (resolution & BINARY_FLAG) !== 0;
    const exponent = resolution & ~BINARY_FLAG;
    const radix = binary ? 2 : 10;
    const fine = exponent > (binary ? FINEST_BINARY_EXPONENT : FINEST_DECIMAL_EXPONENT);
    this.#offsetSeconds = offsetSeconds;
    this.#fineTicksPerSecond = fine ? BigInt(radix) ** BigInt(exponent) : undefined;
    this.#ticksPerSecond = integerPower(radix, exponent);
    this.#digitBits = this.#ticksPerSecond <= MAX_TICKS_FOR_WIDE_DIGITS ? 16 : 8;
    this.#picosecondsPerTick = binary ? 0 : integerPower(10, Math.max(0, FINEST_DECIMAL_EXPONENT - exponent));
  }

  /** Converts a count of ticks, given as unsigned 32-bit halves, into `epochSeconds` and `picoseconds`. */
  convert(high: number, low: number): void {
    if (this.#fineTicksPerSecond !== undefined) {
      this.#convertFine(high, low, this.#fineTicksPerSecond);
      return;
    }
    const ticksPerSecond = this.#ticksPerSecond;
    const radix = 2 ** this.#digitBits;
    let seconds = Math.floor(high / ticksPerSecond);
    let rest = high - seconds * ticksPerSecond;
    for (let shift = 32 - this.#digitBits; shift >= 0; shift -= this.#digitBits) {
      const dividend = rest * radix + ((low >>> shift) & (radix - 1));
      const quotient = Math.floor(dividend / ticksPerSecond);
      rest = dividend - quotient * ticksPerSecond;
      seconds = seconds * radix + quotient;
    }
    this.epochSeconds = seconds + this.#offsetSeconds;
    this.picoseconds = this.#picosecondsPerTick > 0 ?
      rest * this.#picosecondsPerTick :
      binaryPicoseconds(rest, ticksPerSecond);
  }

  #convertFine(high: number, low: number, ticksPerSecond: bigint): void {
    const ticks = BigInt(high) * BigInt(2 ** 32) + BigInt(low);
    this.epochSeconds = Number(ticks / ticksPerSecond) + this.#offsetSeconds;
    this.picoseconds = Number(((ticks % ticksPerSecond) * BigInt(PICOSECONDS_PER_SECOND)) / ticksPerSecond);
  }
}

/** floor(ticks 10^12 / ticksPerSecond), for ticks < ticksPerSecond <= 2^33. */
function binaryPicoseconds(ticks: number, ticksPerSecond: number): number {
  const microseconds = Math.floor((ticks * MILLION) / ticksPerSecond);
  const rest = ticks * MILLION - microseconds * ticksPerSecond;
  return microseconds * MILLION + Math.floor((rest * MILLION) / ticksPerSecond);
}

/** Power by multiplication, since `**` need not be exact for powers of ten. */
function integerPower(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power *= base;
  return power;
}
