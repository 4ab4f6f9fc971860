/** Runs the probe and the command line of the package in Node, Bun and Deno. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Facts } from './probe.js';
import type { Project } from './project.js';
import { runProgram } from './run-program.js';

/** The arguments with which a runtime runs a file. */
export interface Dialect {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PROBE_MS = 240_000;
const CLI_MS = 120_000;
const CLI_SCENARIO = 'incast-16.json';

export async function factsFromProcess(program: string, dialect: Dialect, project: Project): Promise<Facts> {
  const run = async (timeoutMs: number, ...words: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await runProgram([program, ...dialect.args, ...words], {
      cwd: project.dir,
      env: dialect.env,
      timeoutMs,
    });
    // A warning of a runtime fails too, since users would see it.
    if (exitCode !== 0 || stderr !== '') throw new Error(`${words.join(' ')}: exit code ${exitCode}\n${stderr}`);
    return stdout;
  };
  const probed = JSON.parse(await run(PROBE_MS, 'process-main.js')) as Facts;
  const cli = (...words: readonly string[]) => run(CLI_MS, path.join(project.packageDir, 'dist/cli/main.js'), ...words);
  return { ...probed, ...(await factsOfCli(cli, path.join(project.packageDir, 'examples'))) };
}

async function factsOfCli(cli: (...words: readonly string[]) => Promise<string>, examples: string): Promise<Facts> {
  const result = JSON.parse(await cli('run', path.join(examples, 'scenarios', CLI_SCENARIO), '--json', '-')) as {
    readonly hash: string;
  };
  const capture = path.join(examples, 'data/incast.pcap.gz');
  const flows = path.join(examples, 'data/incast-flows.csv');
  const report = JSON.parse(await cli('replay', capture, '--flows', flows, '--json')) as Record<string, unknown>;
  return {
    'cli --version': (await cli('--version')).trim(),
    [`cli result ${CLI_SCENARIO}`]: result.hash,
    'cli replay': digest(JSON.stringify({ ...report, timing: undefined })),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
