/** Options shared by commands that open ports, and parsers of their values. */
import { InvalidArgumentError, Option, type Command } from 'commander';

/** Forms of a port's name, for help texts. */
export const PORT_WORDS = 'an interface, tap:NAME, or udp:ADDRESS[:PORT][,PEER:PORT]';

const PORT_MAX = 65_535;
const SECONDS_MAX = 2 ** 31 / 1000 - 1;
const BLOCK_TIMEOUT_MAX_MS = 10_000;

/** Adds the options for opening network interfaces. */
export function addPortOptions(command: Command): void {
  command
    .option('--no-promiscuous', 'interfaces only: no frames to other stations')
    .addOption(
      new Option('--block-timeout <ms>', 'interfaces only: return a block of the ring after this time (default: 8)')
        .argParser(parseBlockTimeout),
    );
}

/** Parses a TCP or UDP port number; 0 lets the system choose. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError('Allowed: a port from 0 to 65535.');
}

/** Parses seconds: `10`, `0.5`. */
export function parseSeconds(text: string): number {
  const seconds = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (seconds > 0 && seconds <= SECONDS_MAX) return seconds;
  throw new InvalidArgumentError('Allowed: seconds above 0, up to 2147482.');
}

function parseBlockTimeout(text: string): number {
  const timeoutMs = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (timeoutMs >= 1 && timeoutMs <= BLOCK_TIMEOUT_MAX_MS) return timeoutMs;
  throw new InvalidArgumentError('Allowed: a whole number of milliseconds from 1 to 10000.');
}
