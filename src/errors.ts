/**
 * The one error type of the library: what is wrong, what was got, what is allowed, where. All of them are fields, for
 * programs; the sentence for people is made from them in one place, `error-text.ts`.
 */
import { errorText, nameOf } from './error-text.js';

/** What kind of thing went wrong; stable. */
export type RoceErrorCode = 'invalid-config' | 'invalid-argument' | 'unknown-qp' | 'duplicate-qp' | 'capacity'
  | 'disposed' | 'snapshot-mismatch' | 'invalid-capture' | 'invalid-flows' | 'invalid-packet' | 'invalid-scenario'
  | 'invalid-settings' | 'unsupported';

/** Numbers from `min` to `max`, both included; without one of them, no end there. */
export interface AllowedRange {
  readonly min?: number | bigint;
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

/** One value of a list; a text stands for itself. */
export type AllowedValue = AllowedRange | number | bigint | boolean | string | null | undefined;

/**
 * What would have been accepted: a range; an exact number, flag or null; any one out of a list. A bare string is no
 * value, but words that go on after "must be", for what no value can say; an exact text is a list of one.
 */
export type Allowed = Exclude<AllowedValue, undefined> | readonly AllowedValue[];

/** What a `RoceError` is made of, beside its code. */
export interface RoceErrorFields {
  /**
   * The thing that is wrong, as a noun phrase: `Kmin`, `destination QPN`, `the snapshot`. Default: the name of the
   * parameter, where `where` ends with it: `Kmin` for `switches.ecn.kminBytes`.
   */
  readonly what?: string;
  /** Name of the parameter, file and line, … */
  readonly where?: string;
  /** The offending value as given, whatever it is. Absent: there is none; undefined: it is missing. */
  readonly got?: unknown;
  readonly allowed?: Allowed | undefined;
  /**
   * What is wrong with the thing, as a predicate: `is not open`, `must not exceed Kmax`. Only where "must be …, but is …",
   * which `allowed` and `got` give, does not say it. `got` may then be a record of the values that disagree.
   */
  readonly problem?: string;
  /** What to do about it, a sentence without a full stop. */
  readonly hint?: string;
  /** The error below this one; its words end the sentence where `got` is absent. */
  readonly cause?: unknown;
  /** Of bytes that are too short: the header that doesn't fit. */
  readonly layer?: string;
  /** Where the layer begins. */
  readonly offset?: number;
  /** Bytes that the layer needs. */
  readonly required?: number;
  /** Bytes that are there. */
  readonly available?: number;
}

/** What `lengthError` reports. */
export interface LengthFields {
  /** The header or part that doesn't fit, as people call it: `BTH`, `IPv6 header`. */
  readonly layer: string;
  readonly offset: number;
  readonly required: number;
  readonly available: number;
  /** `invalid-packet` unless given. */
  readonly code?: RoceErrorCode;
  readonly where?: string;
}

/** What errors held before they held values. */
interface WordedDetails {
  readonly got: unknown;
  readonly allowed: string;
  readonly where: string;
}

/**
 * Thrown for every bad input. `code` is stable; the other fields are values; `message` is the sentence made from them:
 * "Kmin must be 0 to 1,000,000 bytes, but is -5 (switches.ecn.kminBytes)."
 */
export class RoceError extends Error {
  static {
    this.prototype.name = 'RoceError';
  }

  /** What kind of thing went wrong; stable. */
  readonly code: RoceErrorCode;
  declare readonly what: string;
  /** Name of the parameter, file and line, … */
  declare readonly where: string;
  /** The offending value as given. */
  declare readonly got?: unknown;
  /** What would have been accepted. */
  declare readonly allowed?: Allowed | undefined;
  declare readonly problem?: string;
  declare readonly hint?: string;
  declare readonly layer?: string;
  declare readonly offset?: number;
  declare readonly required?: number;
  declare readonly available?: number;

  readonly #isWorded: boolean;

  constructor(code: RoceErrorCode, fields: RoceErrorFields);
  /** @deprecated until all rooms have moved to fields. */
  constructor(code: RoceErrorCode, what: string, details: WordedDetails);
  constructor(code: RoceErrorCode, fields: RoceErrorFields | string, details?: WordedDetails) {
    const given: RoceErrorFields = typeof fields === 'string' ? { what: fields, ...details } : fields;
    const { where = '', what = nameOf(where) } = given;
    const all = { ...given, where, what };
    super(errorText(all, typeof fields === 'string'));
    Object.assign(this, all);
    this.code = code;
    this.#isWorded = typeof fields === 'string';
  }

  /** The same error at another place, such as a file around what was wrong. */
  at(where: string, code = this.code): RoceError {
    const { got, allowed, what } = this;
    if (this.#isWorded) return new RoceError(code, what, { got, allowed: allowed as string, where });
    return new RoceError(code, { ...(this as RoceErrorFields), where });
  }
}

/** The error of bytes that end too early: "The BTH at byte 42 needs 12 bytes, but 7 are available." */
export function lengthError({ code = 'invalid-packet', ...fields }: LengthFields): RoceError {
  const { layer, required, available } = fields;
  return new RoceError(code, { what: layer, got: available, allowed: { min: required, unit: 'bytes' }, ...fields });
}
