/**
 * The one error type of the library: what was wrong, what was got, what is allowed, where.
 */

export type RoceErrorCode = 'INVALID_CONFIG' | 'INVALID_ARGUMENT' | 'UNKNOWN_QP' | 'DUPLICATE_QP' | 'CAPACITY'
  | 'DISPOSED' | 'SNAPSHOT_MISMATCH' | 'INVALID_CAPTURE' | 'INVALID_FLOWS' | 'INVALID_PACKET' | 'INVALID_SCENARIO'
  | 'INVALID_SETTINGS' | 'UNSUPPORTED';

/** What a `RoceError` says beside its code. */
export interface RoceErrorDetails {
  /** The offending value, as given. */
  readonly got: unknown;
  /** What would have been accepted, in words. */
  readonly allowed: string;
  /** Name of the parameter, file and line, byte offset, … */
  readonly where: string;
}

/** Thrown for every bad input; `code` is stable, `message` says what, got, allowed and where. */
export class RoceError extends Error {
  readonly code: RoceErrorCode;
  readonly got: unknown;
  readonly allowed: string;
  readonly where: string;

  constructor(code: RoceErrorCode, what: string, details: RoceErrorDetails) {
    super(`${what}: got ${show(details.got)}, allowed ${details.allowed} (${details.where})`);
    this.name = 'RoceError';
    this.code = code;
    this.got = details.got;
    this.allowed = details.allowed;
    this.where = details.where;
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) {
    const text = JSON.stringify(value);
    return text.length > 120 ? `${text.slice(0, 117)}...` : text;
  }
  return String(value);
}
