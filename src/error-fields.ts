/** The fields of an error, and the forms in which they say what would have been accepted. */

/** Numbers from `min` to `max`, both included; without one of them, no end there. */
export interface AllowedRange {
  /** Least number. */
  readonly min?: number | bigint;
  /** Greatest number. */
  readonly max?: number | bigint;
  /** The number must be greater than this one. */
  readonly above?: number;
  /** The number must be less than this one. */
  readonly below?: number;
  /** 1 = whole numbers; 4 = multiples of four. */
  readonly multipleOf?: number;
  /** Such as `bytes` or `ps`. */
  readonly unit?: string;
}

/** One value of a list; a text is itself. */
export type AllowedValue = AllowedRange | number | bigint | boolean | string | null | undefined;

/**
 * What would have been accepted: a range; an exact number, flag or null; any one out of a list. A bare string is no
 * value, but words that complete "must be", for what no value can express; an exact text is a list of one.
 */
export type Allowed = Exclude<AllowedValue, undefined> | readonly AllowedValue[];

/** Kinds of faults in settings that a program may handle: a key that no setting has, one that is missing, two values in the wrong order. */
export type SettingFault = 'unknown-key' | 'missing-key' | 'out-of-order';

/** The parts of a `RoceError` in addition to its code. */
export interface RoceErrorFields {
  /**
   * The subject of the error, as a noun phrase: `Kmin`, `destination QPN`, `the snapshot`. Default: the name of the
   * parameter, where `where` ends with it: `Kmin` for `switches.ecn.kminBytes`.
   */
  readonly what?: string;
  /** Name of the parameter, file and line, … */
  readonly where?: string;
  /** Of a settings object: its field at fault, such as `kminBytes`; `where` ends with it. */
  readonly field?: string | undefined;
  /** Of a settings object: the kind of the fault. `out-of-order`: `got` has the value that is too large first. */
  readonly settingFault?: SettingFault | undefined;
  /** The offending value as given. Absent: there is none; undefined: it is missing. */
  readonly got?: unknown;
  /** Accepted values. */
  readonly allowed?: Allowed | undefined;
  /**
   * The fault of the subject, as a predicate: `is not open`, `must not exceed Kmax`. Only where "must be … (got …)",
   * which `allowed` and `got` give, does not say it. `got` may then be a record of the values that disagree.
   */
  readonly problem?: string;
  /** A remedy, as a sentence without a full stop. */
  readonly hint?: string;
  /** The error below this one; its words end the sentence where `got` is absent. */
  readonly cause?: unknown;
  /** Fault of a format, such as `UNKNOWN_LABEL` of a workload. */
  readonly fault?: string;
  /** Of bytes that are too short: the header that doesn't fit. */
  readonly layer?: string;
  /** Offset of the layer. */
  readonly offset?: number;
  /** Bytes that the layer needs. */
  readonly required?: number;
  /** Bytes that are there. */
  readonly available?: number;
}
