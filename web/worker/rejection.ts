/** Describes an error for the page; for an error in the code of a custom algorithm, also its line. */
import type { CodeFault } from '../protocol/algorithm-protocol.js';
import { RoceError } from '../../src/errors.js';
import type { Rejection } from '../protocol/run-protocol.js';

/** @param codeUrl URL of the code; empty if none was loaded. */
export function rejectionOf(error: unknown, codeUrl = ''): Rejection {
  const message = error instanceof Error ? error.message : String(error);
  const where = fieldOf(error, 'where') ?? '';
  const code = codeUrl === '' ? undefined : codeFaultOf(error, codeUrl);
  const fault = error instanceof RoceError && error.settingFault !== undefined ?
    { kind: error.settingFault, got: error.got, allowed: error.allowed } :
    undefined;
  return { message, where, ...(code && { code }), ...(fault && { fault }) };
}

/** Locates the error by its stack or its cause's, or else by the handler that an `algorithm-fault` names. */
function codeFaultOf(error: unknown, codeUrl: string): CodeFault | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const line = lineIn(at.stack ?? '', codeUrl);
    if (line !== undefined) return { line };
  }
  const handler = fieldOf(valueOf(error, 'call'), 'handler');
  return handler === undefined ? undefined : { handler };
}

/** Line of the innermost call in the code. */
export function lineIn(stack: string, codeUrl: string): number | undefined {
  const at = stack.indexOf(`${codeUrl}:`);
  if (at < 0) return undefined;
  const line = Number.parseInt(stack.slice(at + codeUrl.length + 1), 10);
  return Number.isNaN(line) ? undefined : line;
}

function valueOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function fieldOf(error: unknown, name: string): string | undefined {
  const value = valueOf(error, name);
  return typeof value === 'string' ? value : undefined;
}
