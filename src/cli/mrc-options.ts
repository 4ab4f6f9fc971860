/** Options for reading MRC packets. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { RoceError } from '../errors.js';
import type { MrcOptions } from '../packet/index.js';
import { MRC_DSCPS, mrcDscpMap, type MrcDscps } from '../wire/mrc/ip-fields.js';
import { parseCount } from './option-values.js';

/** Values of these options. */
export interface MrcFlags {
  readonly mrcPort?: number;
  readonly mrcDscps?: Partial<MrcDscps>;
  readonly mrcEvOrder?: MrcOptions['evOrder'];
}

/** Option names of the DSCPs. */
const KEYS: Readonly<Record<string, keyof MrcDscps>> = {
  control: 'control',
  'no-trim': 'noTrim',
  trimmable: 'trimmable',
  'trimmable-retx': 'trimmableRetx',
  trimmed: 'trimmed',
  'trimmed-lasthop': 'trimmedLastHop',
};

/** Adds the options to a command. */
export function addMrcOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mrc-port <port>', 'another UDP port of MRC, in addition to 4791 and 4971').argParser(parsePort),
    )
    .addOption(
      new Option('--mrc-dscps <list>', 'DSCPs of MRC and Ultra Ethernet, such as trimmed=11,trimmed-lasthop=none')
        .argParser(parseDscps),
    )
    .addOption(
      new Option('--mrc-ev-order <order>', 'field with the upper half of an entropy value (default: flow-label-high)')
        .choices([
          'flow-label-high',
          'source-port-high',
        ]),
    );
}

/** @returns the options of `dissect` and `replay`. */
export function mrcOptionsOf({ mrcPort, mrcDscps, mrcEvOrder }: MrcFlags): MrcOptions {
  return {
    ...(mrcPort === undefined ? {} : { port: mrcPort }),
    ...(mrcDscps === undefined ? {} : { dscps: mrcDscps }),
    ...(mrcEvOrder === undefined ? {} : { evOrder: mrcEvOrder }),
  };
}

/** Argument parser for a UDP port. */
export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port <= 0xffff) return port;
  throw new InvalidArgumentError('Allowed: a port from 1 to 65535.');
}

function parseDscps(text: string): Partial<MrcDscps> {
  const dscps = Object.fromEntries(text.split(',').map(parseDscp)) as Partial<MrcDscps>;
  try {
    mrcDscpMap(dscps);
  } catch (error) {
    if (error instanceof RoceError) throw new InvalidArgumentError(error.message);
    throw error;
  }
  return dscps;
}

function parseDscp(part: string): [keyof MrcDscps, number | 'none'] {
  const [name = '', value = ''] = part.split('=');
  const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  if (key === undefined || !(key in MRC_DSCPS) || !/^(?:\d{1,2}|none)$/.test(value)) {
    throw new InvalidArgumentError(`Allowed: names of ${Object.keys(KEYS).join(', ')}, with =0 to =63 or =none.`);
  }
  return [key, value === 'none' ? 'none' : Number(value)];
}
