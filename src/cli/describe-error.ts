/** Errors as one line for people. */
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

/** Stable name of an error for machines: the library's code or the system's. */
export function errorCode(error: unknown): string {
  if (error instanceof RoceError) return error.code;
  return systemCode(error) ?? 'INTERNAL';
}

/** Is it bad input rather than a fault of this program? */
export function isExpected(error: unknown): boolean {
  return error instanceof RoceError || systemCode(error) !== undefined;
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
