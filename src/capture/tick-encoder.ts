/**
 * The inverse of a pcapng interface's clock: converts seconds and picoseconds to a 64-bit tick count, exactly.
 *
 * Inputs    if_tsresol r: ticks per second T = 10^r, or 2^(r - 128) when the top bit of r is set; if_tsoffset in
 * seconds;
 *           per frame epochSeconds and picoseconds p.
 * Outputs   the count as two 32-bit halves, and whether the reader returns the same time.
 *
 * The reader (tick-clock.ts) shows tick k of a second as floor(k 10^12 / T) picoseconds, so a clock whose tick is not a
 * whole number of picoseconds needs the tick within picosecond p, not the one before p: with q and rest the quotient
 * and remainder of p T / 10^12,
 *
 *   rest = 0              tick q, exact
 *   rest + T > 10^12      tick q + 1, exact: it begins within the picosecond
 *   else                  tick q, truncated: no tick shows as p, and q is the last one before
 *
 * Seconds below 2^32 and clocks up to 10^12 or 2^33 ticks per second use plain numbers, every step below 2^53; the
 * others use BigInt, equally exact.
 *
 * Source: draft-ietf-opsawg-pcapng, section 4.2 (options if_tsresol and if_tsoffset).
 */

const BINARY_FLAG = 0x80;
const FINEST_DECIMAL_EXPONENT = 12;
const FINEST_BINARY_EXPONENT = 33;
const PICOSECONDS_PER_SECOND = 1e12;
const TWO_16 = 2 ** 16;
const TWO_32 = 2 ** 32;
/** 10^12 < 2^40, so a remainder times 2^13 stays below 2^53. */
const DIVISION_STEP_BITS = 13;

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
    this.#ticksPerSecond = this.#binary ? 2 ** this.#exponent : integerPowerOf10(this.#exponent);
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
      // The remainder in picoseconds of one tick, scaled as in the rule above.
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

/** Power by multiplication, since `**` need not be exact for powers of ten. */
function integerPowerOf10(exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power *= 10;
  return power;
}
