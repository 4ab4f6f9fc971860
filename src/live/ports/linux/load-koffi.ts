/**
 * Loads koffi, an optional peer dependency, when a system port is first opened, with a clear message if it is missing.
 */
import type koffi from 'koffi';
import { RoceError } from '../../../errors.js';

export type Koffi = typeof koffi;

/** @throws RoceError `unsupported` if koffi is not installed, or this is not Linux on a little-endian machine. */
export async function loadKoffi(where: string): Promise<Koffi> {
  const { platform } = process;
  if (platform !== 'linux') {
    throw new RoceError('unsupported', { what: 'the system', got: platform, allowed: ['linux'], where });
  }
  try {
    const module = await import('koffi');
    return module.default;
  } catch (error) {
    throw new RoceError('unsupported', {
      what: where,
      problem: 'needs the package koffi',
      cause: error,
      where,
      hint: 'Install it next to roce-cc: npm install koffi',
    });
  }
}
