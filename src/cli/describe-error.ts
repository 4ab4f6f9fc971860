/** Describes errors in one line of text. */
import { oneLine, showValue } from '../error-text.js';
import { RoceError } from '../errors.js';

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'no such file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on device',
  EDQUOT: 'no space left for this user',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'links lead in a cycle',
  EMFILE: 'too many open files',
  EPIPE: 'its reader has closed it',
};

/** Maximum lengths of quoted input and of a whole message, whose list of allowed values may be long. */
const QUOTED_MAX = 200;
const MESSAGE_MAX = 3000;

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Shortens the quoted parts of a message about the command line: an argument may be a megabyte long. */
export function withShortQuotes(message: string): string {
  return shortened(message.split("'").map((part) => shortened(part, QUOTED_MAX)).join("'"), MESSAGE_MAX);
}

/**
 * @param error anything that was thrown.
 * @param file the file being read, for system errors that don't name one.
 */
export function describeError(error: unknown, file = 'input'): string {
  if (error instanceof RoceError) return shortened(oneLine(error.message), MESSAGE_MAX);
  const code = systemCode(error);
  if (code === undefined)
    return shortened(oneLine(error instanceof Error ? error.message : String(error)), MESSAGE_MAX);
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : file;
  return `${SYSTEM_ERRORS[code] ?? code}: ${shortened(oneLine(path), QUOTED_MAX)}`;
}

/** An error as data: its stable code (the library's or the system's) and its fields. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof RoceError)) return { code: systemCode(error) ?? 'internal' };
  return Object.fromEntries(
    Object.entries(error).filter(([key]) => key !== 'cause').map((
      [key, value]: [string, unknown],
    ) => [key, key === 'got' ? jsonValue(value) : value]),
  );
}

/** Formats values that JSON can't represent as in messages. */
function jsonValue(value: unknown): unknown {
  return ['bigint', 'function', 'object'].includes(typeof value) ? showValue(value) : value;
}

/** Whether the error was caused by the input or the system, rather than by a bug in this program. */
export function isExpected(error: unknown): boolean {
  return error instanceof RoceError || systemCode(error) !== undefined;
}

/** Whether it is the system error with this code, such as `EPIPE`. */
export function isSystemError(error: unknown, code: string): boolean {
  return systemCode(error) === code;
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
