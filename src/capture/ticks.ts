/**
 * Times of a pcapng interface, exactly: a 64-bit count of ticks to seconds and picoseconds, and back.
 *
 *   if_tsresol r   ticks per second T = 10^r, or 2^(r - 128) when the top bit of r is set
 *   if_tsoffset    seconds, added to every time
 *   to a time      epochSeconds = floor(count / T) + offset, picoseconds = floor((count mod T) 10^12 / T)
 *   to a count     the tick that reads as the same picosecond p: with q and rest the quotient and remainder of p T / 10^12,
 *                    rest = 0           tick q, exact
 *                    rest + T > 10^12   tick q + 1, exact: it begins within the picosecond
 *                    else               tick q, truncated: no tick reads as p, and q is the last one before
 *
 * A count exceeds 2^53, so it is handled as two 32-bit halves, by long division in digits of 16 or 8 bits: at each step
 * remainder x radix + digit < 2^53, and the floor of a quotient of two integers below 2^53 is exact. For binary clocks
 * the remainder is scaled by 10^6 twice, exact up to T = 2^33.
 *
 * Finer clocks (below 1 ps, or below 2^-33 s) and seconds from 2^32 on fall back to BigInt: slower, equally exact, and
 * rare. Fractions of a picosecond are truncated.
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

const TWO_16 = 2 ** 16;
const TWO_32 = 2 ** 32;
/** 10^12 < 2^40, so a remainder times 2^13 stays below 2^53. */
const DIVISION_STEP_BITS = 13;

/** Converts counts of ticks to times. */
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

/** Converts times to counts of ticks. */
export class TickEncoder {
  /** Result of the last `encode`: the halves of the count, unsigned. */
  high = 0;
  low = 0;
  /** Result of the last `encode`: whether the reader returns the same time, to the picosecond. */
  exact = true;

  readonly #binary: boolean;
  readonly #exponent: number;
  readonly #offsetSeconds: number;
  /** Exact unless the clock is too fine for plain numbers. */
  readonly #ticksPerSecond: number;
  /** Whether the clock is too fine for plain numbers. */
  readonly #fine: boolean;
  #secondTicks = 0;

  /**
   * @param resolution the byte of if_tsresol
   * @param offsetSeconds if_tsoffset, a safe integer
   */
  constructor(resolution: number, offsetSeconds: number) {
    this.#binary = (resolution & BINARY_FLAG) !== 0;
    this.#exponent = resolution & ~BINARY_FLAG;
    this.#fine = this.#exponent > (this.#binary ? FINEST_BINARY_EXPONENT : FINEST_DECIMAL_EXPONENT);
    this.#offsetSeconds = offsetSeconds;
    this.#ticksPerSecond = this.#binary ? 2 ** this.#exponent : integerPower(10, this.#exponent);
  }

  /**
   * Finds the count for a time.
   *
   * @param epochSeconds a safe integer
   * @param picoseconds an integer, 0 to 10^12 - 1
   * @returns false when the time is before count 0 or beyond 2^64 - 1
   */
  encode(epochSeconds: number, picoseconds: number): boolean {
    const seconds = epochSeconds - this.#offsetSeconds;
    if (this.#fine || seconds >= TWO_32) return this.#encodeFine(epochSeconds, picoseconds);
    if (seconds < 0) return false;
    this.#divide(picoseconds);
    return this.#combine(seconds);
  }

  /** Sets `secondTicks` and `exact` from the time within the second. */
  #divide(picoseconds: number): void {
    const ticksPerSecond = this.#ticksPerSecond;
    let quotient: number;
    let rest: number;
    if (this.#binary) {
      quotient = 0;
      rest = picoseconds;
      for (let bits = this.#exponent; bits > 0; bits -= DIVISION_STEP_BITS) {
        const step = 2 ** Math.min(bits, DIVISION_STEP_BITS);
        const digit = Math.floor((rest * step) / PICOSECONDS_PER_SECOND);
        rest = rest * step - digit * PICOSECONDS_PER_SECOND;
        quotient = quotient * step + digit;
      }
    } else {
      // The remainder in picoseconds of one tick, scaled as in the head of the file.
      const picosecondsPerTick = PICOSECONDS_PER_SECOND / ticksPerSecond;
      quotient = Math.floor(picoseconds / picosecondsPerTick);
      rest = (picoseconds - quotient * picosecondsPerTick) * ticksPerSecond;
    }
    const withinPicosecond = rest + ticksPerSecond > PICOSECONDS_PER_SECOND;
    this.#secondTicks = withinPicosecond ? quotient + 1 : quotient;
    this.exact = rest === 0 || withinPicosecond;
  }

  /** Sets the halves to seconds x T + the ticks within the second; T is cut into digits of 16 bits. */
  #combine(seconds: number): boolean {
    const ticksPerSecond = this.#ticksPerSecond;
    const top = Math.floor(ticksPerSecond / TWO_32);
    const middle = Math.floor(ticksPerSecond / TWO_16) % TWO_16;
    const bottom = ticksPerSecond % TWO_16;
    const middleTicks = seconds * middle;
    const lowTicks = seconds * bottom + this.#secondTicks + (middleTicks % TWO_16) * TWO_16;
    const high = seconds * top + Math.floor(middleTicks / TWO_16) + Math.floor(lowTicks / TWO_32);
    this.high = high;
    this.low = lowTicks % TWO_32;
    return high < TWO_32;
  }

  #encodeFine(epochSeconds: number, picoseconds: number): boolean {
    const ticksPerSecond = (this.#binary ? 2n : 10n) ** BigInt(this.#exponent);
    const scaled = BigInt(picoseconds) * ticksPerSecond;
    const quotient = scaled / BigInt(PICOSECONDS_PER_SECOND);
    const rest = scaled % BigInt(PICOSECONDS_PER_SECOND);
    const withinPicosecond = rest > 0n && rest + ticksPerSecond > BigInt(PICOSECONDS_PER_SECOND);
    const secondTicks = withinPicosecond ? quotient + 1n : quotient;
    const ticks = (BigInt(epochSeconds) - BigInt(this.#offsetSeconds)) * ticksPerSecond + secondTicks;
    this.exact = rest === 0n || withinPicosecond;
    this.high = Number(ticks >> 32n);
    this.low = Number(ticks & 0xffffffffn);
    return ticks >= 0n && ticks < 1n << 64n;
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
