import { Writable } from 'node:stream';
import { runCli } from '../../../src/cli/program.js';
import type { Environment, OutputStream } from '../../../src/cli/output.js';

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process; `columns` makes standard output a terminal of that width. */
export async function run(args: readonly string[], columns?: number, env: Environment = {}): Promise<Run> {
  const [stdout, stderr] = [collector(columns), collector()];
  const exitCode = await runCli(args, { stdout: stdout.stream, stderr: stderr.stream, env }, '1.2.3');
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

export function collector(columns?: number): { stream: OutputStream; text: () => string } {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk.toString());
      done();
    },
  });
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  return { stream: Object.assign(stream, terminal), text: () => parts.join('') };
}
