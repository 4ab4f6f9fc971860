/** Options that choose a part of an adapter's settings. */
import { InvalidArgumentError, Option } from 'commander';

const MAX = 99;

/** An option whose value is a number from 1 to 99. */
export function partOption(flags: string, meaning: string): Option {
  return new Option(flags, meaning).argParser((text) => {
    if (/^[1-9]\d?$/.test(text)) return Number(text);
    throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${MAX}.`);
  });
}
