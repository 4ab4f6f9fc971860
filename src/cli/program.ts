/** The command line `roce-cc`. */
import { Command, CommanderError } from 'commander';
import { describeError, isExpected, withShortQuotes } from './describe-error.js';
import { EXIT_ERROR, EXIT_OK, EXIT_USAGE, type Output } from './output.js';
import { craftCommand } from './craft/command.js';
import { runCraft } from './craft/run-craft.js';
import { dissectCommand } from './dissect/command.js';
import { runDissect } from './dissect/run-dissect.js';
import { explainCommand } from './explain/command.js';
import { runExplain } from './explain/run-explain.js';
import { lintCommand } from './lint/command.js';
import { runLint } from './lint/run-lint.js';
import { liveCommand } from './live/command.js';
import { headroomCommand, planCommand } from './plan/command.js';
import { runHeadroom, runPlan } from './plan/run-plan.js';
import { runWorkerCommand } from './redis/run-worker.js';
import { workerCommand } from './redis/worker-command.js';
import { replayCommand } from './replay/command.js';
import { runReplay } from './replay/run-replay.js';
import { runCommand } from './run/command.js';
import { runRun } from './run/run-run.js';
import { settingsCommand } from './settings/command.js';
import { runSettings } from './settings/run-settings.js';
import { sweepCommand } from './sweep/command.js';
import { runSweepCommand } from './sweep/run-sweep.js';
import { tuneCommand } from './tune/command.js';
import { runTuneCommand } from './tune/run-tune.js';
import { printable, printableLines } from './printable.js';
import { columnsOf } from './terminal.js';

/**
 * Runs a command line; without a command it is `run`.
 *
 * @param args what the user typed behind the program's name.
 * @returns the exit code: 0 done, 1 bad input (one line on stderr), 2 bad command line, 3 findings of `lint` or `settings`.
 */
export async function runCli(args: readonly string[], output: Output, version: string): Promise<number> {
  let exitCode = EXIT_OK;
  const program = makeProgram(output, version, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === EXIT_OK ? EXIT_OK : EXIT_USAGE;
    if (!isExpected(error)) throw error;
    output.stderr.write(`roce-cc: ${printable(describeError(error))}\n`);
    return EXIT_ERROR;
  }
}

function makeProgram(output: Output, version: string, finish: (exitCode: number) => void): Command {
  const run = runCommand(async (scenarios, flags) => {
    finish(await runRun(scenarios, flags, output, version));
  });
  const explain = explainCommand(async (file, flags) => {
    finish(await runExplain(file, flags, output));
  });
  const replay = replayCommand(async (file, flags) => {
    finish(await runReplay(file, flags, output));
  });
  const dissect = dissectCommand(async (file, flags) => {
    finish(await runDissect(file, flags, output));
  });
  const craft = craftCommand(async (file, flags) => {
    finish(await runCraft(file, flags, output));
  });
  const sweep = sweepCommand(async (file, flags) => {
    finish(await runSweepCommand(file, flags, output, version));
  });
  const tune = tuneCommand(async (file, flags) => {
    finish(await runTuneCommand(file, flags, output, version));
  });
  const worker = workerCommand(async (flags) => {
    finish(await runWorkerCommand(flags, output, version));
  });
  const live = liveCommand(output, finish);
  const program = new Command('roce-cc')
    .description(
      'Congestion control for RoCEv2. Without a command: a 16-to-1 incast, simulated under three ways of control.',
    )
    .version(version, '-V, --version', 'print the version')
    .addCommand(run, { isDefault: true })
    .addCommand(sweep)
    .addCommand(tune)
    .addCommand(worker)
    .addCommand(explain)
    .addCommand(replay)
    .addCommand(dissect)
    .addCommand(craft);
  for (const command of [live, ...operatorCommands(output, finish)]) program.addCommand(command);
  for (const command of [program, ...program.commands, ...live.commands]) {
    const own = command === program ? '' : `${command.name()} `;
    const name = command.parent === live ? `live ${own}` : own;
    command.exitOverride().showHelpAfterError(`(see roce-cc ${name}--help)`).configureOutput({
      writeOut: (text) => {
        output.stdout.write(text);
      },
      writeErr: (text) => {
        // What is wrong with the command line repeats it.
        output.stderr.write(printableLines(text.includes('Usage:') ? text : `${withShortQuotes(text.trimEnd())}\n`));
      },
      getOutHelpWidth: () => columnsOf(output.stdout, output.env) ?? 100,
      getErrHelpWidth: () => columnsOf(output.stderr, output.env) ?? 100,
    });
  }
  return program;
}

/** What operators of networks ask. */
function operatorCommands(output: Output, finish: (exitCode: number) => void): readonly Command[] {
  return [
    lintCommand(async (file, flags) => {
      finish(await runLint(file, flags, output));
    }),
    settingsCommand(async (file, flags) => {
      finish(await runSettings(file, flags, output));
    }),
    headroomCommand(async (flags) => {
      finish(await runHeadroom(flags, output));
    }),
    planCommand(async (flags) => {
      finish(await runPlan(flags, output));
    }),
  ];
}
