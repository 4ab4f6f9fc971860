/** Validates names of interfaces as the kernel does (dev_valid_name of Linux). */
import { RoceError } from '../../../errors.js';

/** IFNAMSIZ, including the terminating 0. */
export const NAME_BYTES = 16;
const PATTERN = /^[^\s/:]{1,15}$/;

/** @throws RoceError `invalid-argument` for an invalid name. */
export function interfaceName(name: unknown): string {
  if (typeof name === 'string' && PATTERN.test(name) && name !== '.' && name !== '..' && isShort(name)) return name;
  const allowed = 'a name of 1 to 15 bytes without white space, slash and colon';
  throw new RoceError('invalid-argument', {
    what: 'the name of the interface',
    got: name,
    allowed,
    where: 'interface',
  });
}

function isShort(name: string): boolean {
  return new TextEncoder().encode(name).length < NAME_BYTES && !name.includes('\0');
}
