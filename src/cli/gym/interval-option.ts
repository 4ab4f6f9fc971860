/** The command-line option for the length of a step. */
import { InvalidArgumentError } from 'commander';
import { INTERVAL_US } from '../../gym/options.js';

/** Parses microseconds: `10`, `0.5`. */
export function parseIntervalUs(text: string): number {
  const intervalUs = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (INTERVAL_US.accepts(intervalUs)) return intervalUs;
  throw new InvalidArgumentError('Allowed: microseconds from 0.001 to 1000000.');
}
