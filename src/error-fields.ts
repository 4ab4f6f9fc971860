/** The fields of an error, and the forms of accepted values. */

/** Numbers from `min` to `max`, inclusive; an absent end is unlimited. */
export interface AllowedRange {
  /** Minimum. */
  readonly min?: number | bigint;
  /** Maximum. */
  readonly max?: number | bigint;
  /** The number must be greater than this one. */
  readonly above?: number;
  /** The number must be less than this one. */
  readonly below?: number;
  /** 1 = whole numbers; 4 = multiples of four. */
  readonly multipleOf?: number;
  /** Unit, such as `bytes` or `ps`. */
  readonly unit?: string;
}

/** One value of a list; a string is an exact text. */
export type AllowedValue = AllowedRange | number | bigint | boolean | string | null | undefined;

/**
 * The accepted values: a range; an exact number, boolean or null; or a list of alternatives. A bare string is not a
 * value but words that complete "must be", for what values can't express; an exact text is a list of one.
 */
export type Allowed = Exclude<AllowedValue, undefined> | readonly AllowedValue[];

/** Faults in settings that a program may handle: an unknown key, a missing key, or two values in the wrong order. */
export type SettingFault = 'unknown-key' | 'missing-key' | 'out-of-order';

/** The parts of a `RoceError` in addition to its code. */
export interface RoceErrorFields {
  /**
   * The subject of the error, as a noun phrase: `Kmin`, `destination QPN`, `the snapshot`. Default: the name at the end
   * of `where`, such as `Kmin` for `switches.ecn.kminBytes`.
   */
  readonly what?: string;
  /** The location: path of the parameter, file and line, … */
  readonly where?: string;
  /** For a settings object: the wrong field, such as `kminBytes`; `where` ends with it. */
  readonly field?: string | undefined;
  /** For a settings object: the kind of fault. For `out-of-order`, `got` lists the value that is too large first. */
  readonly settingFault?: SettingFault | undefined;
  /** The offending value as given; undefined if it is missing. Absent if there is no such value. */
  readonly got?: unknown;
  /** Accepted values. */
  readonly allowed?: Allowed | undefined;
  /**
   * The fault of the subject, as a predicate: `is not open`, `must not exceed Kmax`. Needed only if "must be … (got
   * …)", made from `allowed` and `got`, does not fit. `got` may then be a record of conflicting values.
   */
  readonly problem?: string;
  /** A remedy, as a sentence without a full stop. */
  readonly hint?: string;
  /** The underlying error; its message ends the sentence if `got` is absent. */
  readonly cause?: unknown;
  /** Code of a fault in a file format, such as `UNKNOWN_LABEL` in a workload. */
  readonly fault?: string;
  /** For truncated bytes: the header that doesn't fit. */
  readonly layer?: string;
  /** Byte at which the layer begins. */
  readonly offset?: number;
  /** Bytes that the layer needs. */
  readonly required?: number;
  /** Bytes available. */
  readonly available?: number;
}
