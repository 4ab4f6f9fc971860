/** The length of a step on the command line. */
import { InvalidArgumentError } from 'commander';
import { INTERVAL_US } from '../../gym/options.js';

/** `10`, `0.5`: microseconds. */
export function parseIntervalUs(text: string): number {
  const intervalUs = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (INTERVAL_US.accepts(intervalUs)) return intervalUs;
  throw new InvalidArgumentError('Allowed: microseconds from 0.001 to 1000000.');
}
