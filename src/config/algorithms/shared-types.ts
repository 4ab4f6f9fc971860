/** Types of fields that several algorithms have. */

/** `float64`: rates are doubles. `whole-bps`: computed rates are truncated to whole bits per second. */
export type RateNumbers = 'float64' | 'whole-bps';
/** `none`: no window. `fixed`: windowBytes. `variable`: windowBytes times rate over maximum rate. */
export type WindowMode = 'none' | 'fixed' | 'variable';
/**
 * `u32`: plain 32-bit numbers, 0 = none yet (the ns-3 reference simulator). `psn24`: 24-bit packet sequence
 * numbers that wrap, compared by serial arithmetic (InfiniBand).
 */
export type SequenceNumbers = 'u32' | 'psn24';
/** `picoseconds`: rounded up. `ns3-nanoseconds`: as the reference simulator rounds, see src/reference/algorithms/rate-numbers.ts. */
export type SendGap = 'picoseconds' | 'ns3-nanoseconds';
