/** Checks of the kernel's arguments. */
import { RoceError } from '../../errors.js';

export function requireIndex(where: string, got: number, count: number): void {
  if (Number.isInteger(got) && got >= 0 && got < count) return;
  throw new RoceError('invalid-argument', { where, got, allowed: { min: 0, below: count, multipleOf: 1 } });
}

export function requireNumber(where: string, got: number): void {
  if (typeof got !== 'number') throw new RoceError('invalid-argument', { where, got, allowed: 'a number' });
}
