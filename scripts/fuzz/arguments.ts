/** Command-line arguments: every command ends with a documented exit code and a fitting message, in any order of words. */
import { Writable } from 'node:stream';
import { runCli } from '../../src/cli/program.js';
import { makeFuzzer } from './fuzzer.js';
import { mutateText } from './mutate.js';
import type { Random } from './random.js';

const EXIT_CODES = [0, 1, 2, 130];
const MESSAGE_BYTES = 4096;
const COMMANDS_TO_TERMINAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
/** Nothing that writes a file, and no run of a whole scenario: the rest of the words is free to be wrong. */
const COMMANDS = ['replay', 'dissect', 'explain', 'run', 'craft', 'help', '--version', '--help'];
const WORDS = [
  'no-such-file.json',
  'no-such-file.pcap',
  '--flows',
  '--json',
  '--preset',
  'hpcc-pp',
  'irdma',
  '--line-rate',
  '100G',
  '1e9Q',
  '--settings',
  '--settings-kind',
  'sysfs',
  '--mss',
  '4096',
  '--rtt',
  '10us',
  '-5us',
  '--telemetry',
  '--late',
  'clamp',
  '--backend',
  'js',
  '--np-scope',
  'port',
  '--np-window',
  '--cnp-interval',
  '50us',
  '--fast-cnp',
  '--allow',
  '2001:db8::/32',
  '10.0.0.0/8',
  '::/129',
  '--deny',
  '--option-types',
  '0x92,0x96',
  '--parser',
  'strict-a17',
  '--icrc',
  'check',
  '--icrc-policy',
  'omit',
  '--class',
  'cnp',
  '--qpn',
  '0x118',
  '99999999999',
  '--address',
  '--tree',
  '--limit',
  '0',
  '1',
  '--arn-port',
  '--mrc-port',
  '--mrc-dscps',
  'trimmed=11,trimmed-lasthop=none',
  '--mrc-ev-order',
  '--set',
  'a.b=1',
  '--seed',
  '--no-progress',
  '--compare',
  '--__proto__',
  '--constructor',
  '--',
  '-',
];

const make = (random: Random): string[] => [
  random.of(COMMANDS),
  // Something that does not exist comes first, so that no command has work to do.
  'no-such-file',
  ...Array.from({ length: random.below(7) },
    () => (random.oneIn(4) ? mutateText(random, random.of(WORDS)) : random.of(WORDS))).filter(isHarmless),
];

/** Options that write, in any of their forms, are no word of a fuzzer's. */
function isHarmless(word: string): boolean {
  return !/^-+(o|output|trace|csv|html|report|pcap|perfetto|json.)/.test(word) && !word.includes('/dev');
}

async function check(args: readonly string[]): Promise<void> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const exitCode = await runCli(args, { stdout, stderr, env: {} }, '0.0.0');
  const problem = EXIT_CODES.includes(exitCode) ? problemOf(stdout.text, stderr.text) : `exit code ${exitCode}`;
  if (problem !== undefined) throw new Error(problem);
}

function problemOf(stdout: string, stderr: string): string | undefined {
  if (Buffer.byteLength(stderr) > MESSAGE_BYTES) return `a message of ${Buffer.byteLength(stderr)} bytes`;
  if (COMMANDS_TO_TERMINAL.test(stdout + stderr)) return 'a control character reaches the terminal';
  return /\n {4}at /.test(stderr) ? 'a stack trace' : undefined;
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export const argumentLists = makeFuzzer('arguments', make, check);
