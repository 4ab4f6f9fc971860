/** Errors as one line for people. */
import { oneLine, showValue } from '../error-text.js';
import { RoceError } from '../errors.js';

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'no such file',
  EPERM: 'permission denied',
};

/**
 * @param error anything that was thrown.
 * @param file what was being read, for errors of the system that don't name a file.
 */
export function describeError(error: unknown, file = 'input'): string {
  if (error instanceof RoceError) return oneLine(error.message);
  const code = systemCode(error);
  if (code === undefined) return oneLine(error instanceof Error ? error.message : String(error));
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : file;
  return `${SYSTEM_ERRORS[code] ?? code}: ${path}`;
}

/** An error for machines: its stable code, the library's or the system's, and the fields that it is made of. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof RoceError)) return { code: systemCode(error) ?? 'internal' };
  return Object.fromEntries(
    Object.entries(error).filter(([key]) => key !== 'cause').map((
      [key, value]: [string, unknown],
    ) => [key, key === 'got' ? jsonValue(value) : value]),
  );
}

/** What JSON cannot hold is shown as messages show it. */
function jsonValue(value: unknown): unknown {
  return ['bigint', 'function', 'object'].includes(typeof value) ? showValue(value) : value;
}

/** Is it bad input rather than a fault of this program? */
export function isExpected(error: unknown): boolean {
  return error instanceof RoceError || systemCode(error) !== undefined;
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
