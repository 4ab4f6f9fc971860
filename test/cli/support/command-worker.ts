/**
 * Runs many command lines in one process, for tests that would start a process for each: a JSON list of argument lists on
 * standard input, a JSON line per command on standard output. Peak memory is that of each command alone, as Linux counts it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { runCli } from '../../../src/cli/program.js';
import { collector } from './run.js';

/** What one command did. */
export interface CommandOutcome {
  readonly status: number;
  readonly stderr: string;
  readonly memoryKib: number;
}

/** Written into clear_refs, it makes the peak of resident memory start again. */
const RESET_PEAK = '5';

function peakKib(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}

async function outcomeOf(args: readonly string[]): Promise<CommandOutcome> {
  writeFileSync('/proc/self/clear_refs', RESET_PEAK);
  const [stdout, stderr] = [collector(), collector()];
  try {
    const status = await runCli(args, { stdout: stdout.stream, stderr: stderr.stream, env: {} }, '1.2.3');
    return { status, stderr: stderr.text(), memoryKib: peakKib() };
  } catch (error) {
    return { status: -1, stderr: error instanceof Error ? String(error.stack) : String(error), memoryKib: peakKib() };
  }
}

async function main(): Promise<void> {
  const commands = JSON.parse(readFileSync(0, 'utf8')) as readonly (readonly string[])[];
  for (const args of commands) process.stdout.write(`${JSON.stringify(await outcomeOf(args))}\n`);
}

await main();
