/** Runs a program until it ends or times out. */
import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Added to the environment, from which variables that affect Node are removed. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runProgram([command, ...args]: readonly [string, ...string[]],
  { cwd, timeoutMs, env = {} }: ProgramOptions): Promise<ProgramOutput> {
  const environment = { ...process.env, NODE_OPTIONS: undefined, NO_COLOR: '1', FORCE_COLOR: undefined, ...env };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (exitCode) => {
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}
