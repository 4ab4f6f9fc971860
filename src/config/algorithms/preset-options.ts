/**
 * What the DCQCN presets have in common: the line rate, and overrides of single fields.
 */

import type { DcqcnParameters } from './dcqcn/parameters.js';
import { validateDcqcn } from './dcqcn/validate.js';
import { RATE_MAX_BPS } from './shared-rules.js';
import { checkRecord, checkMember, wholeIn } from '../field-rules.js';

/** The parameters without the two that a preset sets itself. */
export type DcqcnDefaults = Omit<DcqcnParameters, 'algorithm' | 'maxRateBps'>;

/** Options of every DCQCN preset: any field overrides the preset's value. */
export interface PresetOptions extends Partial<DcqcnDefaults> {
  /** Rate of the port, whole bits per second, up to 2^43: becomes `maxRateBps`. */
  readonly lineRateBps: number;
}

const LINE_RATE_RULE = wholeIn(1, RATE_MAX_BPS, 'bits per second');

/** Checks the options object and its line rate; throws RoceError `invalid-config`. */
export function checkLineRate(options: { readonly lineRateBps: number }, name: string): number {
  checkRecord(options, name);
  const { lineRateBps } = options;
  checkMember(lineRateBps, LINE_RATE_RULE, name, 'lineRateBps');
  return lineRateBps;
}

/** Completes a preset: defaults, then the caller's overrides, then the checks. */
export function buildPreset(name: string, defaults: DcqcnDefaults, options: PresetOptions): DcqcnParameters {
  const { lineRateBps, ...overrides } = options;
  return validateDcqcn({ algorithm: 'dcqcn', maxRateBps: lineRateBps, ...defaults, ...overrides }, name);
}
