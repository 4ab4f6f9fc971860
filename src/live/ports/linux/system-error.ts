/**
 * Converts system errors to RoceErrors with the operation, the error's name, and the command that grants a missing
 * permission.
 */
import { getSystemErrorName } from 'node:util';
import { RoceError } from '../../../errors.js';

export const EPERM = 1;
export const EINTR = 4;
export const EIO = 5;
export const ENXIO = 6;
export const EAGAIN = 11;
export const EACCES = 13;
export const ENODEV = 19;
export const EMSGSIZE = 90;
export const ENETDOWN = 100;
export const ENOBUFS = 105;

/** Name of an error number: `EPERM` for 1. */
export function errorName(errno: number): string {
  try {
    return getSystemErrorName(-errno);
  } catch {
    return `error ${errno}`;
  }
}

/** Error of a failed system call. */
export function systemError(what: string, errno: number, where: string): RoceError {
  if (errno === EPERM || errno === EACCES) return permissionError(what, errno, where);
  return new RoceError('unsupported', { what, problem: `failed with ${errorName(errno)}`, where });
}

/** Error naming the missing capability, and the command that grants it. */
function permissionError(what: string, errno: number, where: string): RoceError {
  return new RoceError('unsupported', {
    what,
    problem: `is not permitted (${errorName(errno)}): the process has no CAP_NET_RAW and CAP_NET_ADMIN`,
    where,
    hint: `Grant them with: sudo setcap cap_net_raw,cap_net_admin+ep ${process.execPath}; or run the command by sudo`,
  });
}
