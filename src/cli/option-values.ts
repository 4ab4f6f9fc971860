/**
 * Parses values of command-line options: numbers with units, prefixes, counts. Invalid values are usage errors.
 * Options that several commands have are here too.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { RoceError } from '../errors.js';
import { parsePrefix, type IpPrefix } from '../wire/ip/ip-address.js';

const RATE_PATTERN = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:b\/s|bps|bit\/s)?$/i;
const RATE_FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
/** Minimum of a rate without a unit. */
const RATE_LEAST_BPS = 1e6;
const DURATION_PATTERN = /^(\d+(?:\.\d+)?)\s*(ps|ns|us|µs|ms|s)$/i;
const PS_PER_UNIT: Readonly<Record<string, number>> = { ps: 1, ns: 1e3, us: 1e6, µs: 1e6, ms: 1e9, s: 1e12 };
const MS_PER_WALL_UNIT: Readonly<Record<string, number>> = { s: 1e3, min: 60e3, h: 3600e3 };
const WALL_TIME_MAX_MS = 2 ** 31 - 1;
const OPTION_TYPE_PATTERN = /^(?:\d+|0x[0-9a-f]+)$/i;
/** Action bits 10, change bit 0: draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4. */
const OPTION_TYPE_MIN = 0x80;
const OPTION_TYPE_MAX = 0x9f;

/** Parses a rate to whole bits per second: `100G`, `25 Gb/s`, `400000000000`. Rejects small numbers without a unit. */
export function parseRate(text: string): number {
  const match = RATE_PATTERN.exec(text);
  const rateBps = match === null ?
    0 :
    Math.round(Number(match[1]) * (RATE_FACTORS[(match[2] ?? '').toLowerCase()] ?? NaN));
  if (rateBps > 0 && (match?.[2] !== '' || rateBps >= RATE_LEAST_BPS || /b/i.test(text))) return rateBps;
  if (rateBps > 0) throw new InvalidArgumentError(`A rate needs a unit: ${text}Gbps?`);
  throw new InvalidArgumentError('Allowed: a rate such as 100G, 25Gb/s or 400000000000.');
}

/** Parses a duration to whole picoseconds: `50us`, `1.5ms`, `0s`. */
export function parseDuration(text: string): number {
  const match = DURATION_PATTERN.exec(text);
  const durationPs = match === null ?
    NaN :
    Math.round(Number(match[1]) * (PS_PER_UNIT[(match[2] ?? '').toLowerCase()] ?? NaN));
  if (Number.isSafeInteger(durationPs)) return durationPs;
  throw new InvalidArgumentError('Allowed: a time such as 50us, 4ns or 1.5ms.');
}

/** Parses wall-clock time to whole milliseconds: `90s`, `10min`, `2h`. */
export function parseWallTime(text: string): number {
  const match = /^(\d{1,9}(?:\.\d+)?)\s*(s|min|h)$/i.exec(text);
  const timeMs = match === null ? 0 : Math.round(Number(match[1]) * MS_PER_WALL_UNIT[match[2].toLowerCase()]);
  // JavaScript timers can't wait longer.
  if (timeMs >= 1 && timeMs <= WALL_TIME_MAX_MS) return timeMs;
  throw new InvalidArgumentError('Allowed: a time such as 90s, 10min or 2h, up to 596h.');
}

/** Parses a size to bytes: `4GB`, `800MB`, `2000000000`. */
export function parseSize(text: string): number {
  const match = /^(\d{1,15}(?:\.\d{1,9})?)\s*([kMGT]?)B?$/i.exec(text);
  const sizeBytes = match === null ? 0 : Math.round(Number(match[1]) * RATE_FACTORS[match[2].toLowerCase()]);
  if (sizeBytes >= 1) return sizeBytes;
  throw new InvalidArgumentError('Allowed: a size such as 4GB, 800MB or 2000000000.');
}

/** Parses a list of names, trimmed: `a,b,c`. */
export function parseList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw new InvalidArgumentError('Allowed: names, with commas between them.');
}

/** Parses a whole number of at least 1. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError('Allowed: a whole number from 1 on.');
}

/** Parses the IPv6 option types of Fast CNP options 1 and 2: `0x92,0x96`; a single number sets both. */
export function parseOptionTypes(text: string): readonly [number, number] {
  const numbers = text.split(',').map((part) => (OPTION_TYPE_PATTERN.test(part) ? Number(part) : NaN));
  const [first = NaN, second = first] = numbers;
  if (numbers.length <= 2 && isOptionType(first) && isOptionType(second)) return [first, second];
  throw new InvalidArgumentError('Allowed: one or two of 0x80 to 0x9f, such as 0x92,0x96.');
}

function isOptionType(value: number): boolean {
  return value >= OPTION_TYPE_MIN && value <= OPTION_TYPE_MAX;
}

/** Adds an IPv6 prefix or address to the values given before. */
export function collectPrefix(text: string, before: readonly string[]): string[] {
  try {
    parsePrefix(text);
  } catch (error) {
    if (error instanceof RoceError) throw new InvalidArgumentError(allowedWords(error));
    throw error;
  }
  if (!text.includes(':')) throw new InvalidArgumentError('Allowed: IPv6, as Fast CNPs are IPv6 only.');
  return [...before, text];
}

/** `2001:db8::/32`, `10.0.0.7`: adds an address or prefix, IPv4 or IPv6. */
export function collectAddress(text: string, before: readonly IpPrefix[]): IpPrefix[] {
  try {
    return [...before, parsePrefix(text)];
  } catch (error) {
    if (error instanceof RoceError) throw new InvalidArgumentError(allowedWords(error));
    throw error;
  }
}

/** `280`, `0x118`: adds a queue pair number of 24 bits. */
export function collectQpn(text: string, before: readonly number[]): number[] {
  const qpn = /^(?:\d+|0x[0-9a-f]+)$/i.test(text) ? Number(text) : NaN;
  if (qpn <= 0xffffff) return [...before, qpn];
  throw new InvalidArgumentError('Allowed: a number from 0 to 16777215, or 0x0 to 0xffffff.');
}

/** The allowed values, if the message states them; otherwise the whole message. */
function allowedWords({ allowed, message }: RoceError): string {
  return typeof allowed === 'string' ? `Allowed: ${allowed}.` : message;
}

/** Largest index of a flow of a scenario. */
const FLOW_MAX = 2 ** 24 - 1;

/** Parses the index of a flow. */
export function parseFlow(text: string): number {
  const flow = /^\d{1,8}$/.test(text) ? Number(text) : NaN;
  if (flow <= FLOW_MAX) return flow;
  throw new InvalidArgumentError(`Allowed: the index of a flow, a whole number from 0 to ${FLOW_MAX}.`);
}

/** Adds the options for coalescing CNPs. @returns the command, for chaining. */
export function addCoalescingOptions(command: Command): Command {
  return command
    .addOption(new Option('--np-scope <scope>', 'scope in which CNPs are coalesced (default: qp)').choices([
      'qp',
      'destination',
      'port',
    ]))
    .addOption(new Option('--np-window <reading>', 'treatment of marks within the window (default: suppress)').choices([
      'suppress',
      'trailing',
    ]))
    .addOption(
      new Option('--cnp-interval <time>', 'minimum time between CNPs (default: 50us)').argParser(parseDuration),
    );
}

const PART_MAX = 99;

/** An option that chooses a part of an adapter's settings: a number from 1 to 99. */
export function partOption(flags: string, meaning: string): Option {
  return new Option(flags, meaning).argParser((text) => {
    if (/^[1-9]\d?$/.test(text)) return Number(text);
    throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${PART_MAX}.`);
  });
}
