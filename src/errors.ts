/**
 * The library's only error type. Fields for programs state what is wrong, where, the value and the allowed values;
 * `error-text.ts` makes the message from them.
 */
import { type Allowed, type RoceErrorFields, type SettingFault, errorText, nameOf } from './error-text.js';

export type { Allowed, AllowedRange, AllowedValue, RoceErrorFields, SettingFault } from './error-text.js';

/** Kind of error; stable. */
export type RoceErrorCode = 'algorithm-fault' | 'invalid-algorithm' | 'invalid-config' | 'invalid-argument'
  | 'unknown-qp' | 'duplicate-qp' | 'capacity' | 'disposed' | 'snapshot-mismatch' | 'invalid-capture' | 'invalid-flows'
  | 'invalid-packet' | 'invalid-scenario' | 'invalid-settings' | 'invalid-sweep' | 'invalid-workload' | 'unsupported';

/** Input of `lengthError`. */
export interface LengthFields {
  /** Name of the header or part that doesn't fit: `BTH`, `IPv6 header`. */
  readonly layer: string;
  /** Byte at which the layer begins. */
  readonly offset: number;
  /** Bytes that the layer needs. */
  readonly required: number;
  /** Bytes available. */
  readonly available: number;
  /** Default: `invalid-packet`. */
  readonly code?: RoceErrorCode;
  /** The location: path of the parameter, file and line, … */
  readonly where?: string;
  /** A remedy, as a sentence without a full stop. */
  readonly hint?: string;
}

/**
 * Thrown for every bad input. `code` is stable; the other fields are values; `message` is the sentence made from them:
 * "switches.ecn.kminBytes must be between 0 and 1,000,000 bytes (got -5)."
 */
export class RoceError extends Error {
  static {
    this.prototype.name = 'RoceError';
  }

  /** Kind of error; stable. */
  readonly code: RoceErrorCode;
  /** The subject of the error. */
  declare readonly what: string;
  /** The location: path of the parameter, file and line, … */
  declare readonly where: string;
  /** For a settings object: the wrong field, such as `kminBytes`. */
  declare readonly field?: string | undefined;
  /** For a settings object: the kind of fault. */
  declare readonly settingFault?: SettingFault | undefined;
  /** The offending value as given. */
  declare readonly got?: unknown;
  /** Accepted values. */
  declare readonly allowed?: Allowed | undefined;
  /** The fault, as a predicate. */
  declare readonly problem?: string;
  /** How to fix it. */
  declare readonly hint?: string;
  /** Code of a fault in a file format, such as `UNKNOWN_LABEL` in a workload. */
  declare readonly fault?: string;
  /** For truncated bytes: the header that doesn't fit. */
  declare readonly layer?: string;
  /** Byte at which the layer begins. */
  declare readonly offset?: number;
  /** Bytes that the layer needs. */
  declare readonly required?: number;
  /** Bytes available. */
  declare readonly available?: number;

  constructor(code: RoceErrorCode, fields: RoceErrorFields) {
    const { where = '', what = nameOf(where) } = fields;
    const all = { ...fields, where, what };
    super(errorText(all));
    Object.assign(this, all);
    this.code = code;
  }

  /** The same error with another location, such as the file that contains the fault. */
  at(where: string, code = this.code): RoceError {
    return new RoceError(code, { ...(this as RoceErrorFields), where });
  }
}

/** The error for truncated bytes: "The BTH at byte 42 needs 12 bytes, but 7 are available." */
export function lengthError({ code = 'invalid-packet', ...fields }: LengthFields): RoceError {
  const { layer, required, available } = fields;
  return new RoceError(code, { what: layer, got: available, allowed: { min: required, unit: 'bytes' }, ...fields });
}
