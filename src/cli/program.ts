/** The command line `roce-cc`. */
import { Command, CommanderError } from 'commander';
import { addCommands, type CommandContext } from './command-table.js';
import { COMMANDS } from './commands.js';
import { describeError, isExpected, withShortQuotes } from './describe-error.js';
import { EXIT_ERROR, EXIT_OK, EXIT_USAGE, type Output } from './output.js';
import { printable, printableLines } from './printable.js';
import { columnsOf, wrap } from './terminal.js';

/** Width of help texts written to a file or pipe. */
const HELP_COLUMNS = 100;

/**
 * Runs a command line. The default command is `run`.
 *
 * @param args the arguments after the program's name.
 * @returns the exit code: 0 done, 1 bad input (one line on stderr), 2 bad command line, 3 findings of `lint` or `settings`.
 */
export async function runCli(args: readonly string[], output: Output, version: string): Promise<number> {
  let exitCode = EXIT_OK;
  const finish = (code: number): void => {
    exitCode = code;
  };
  try {
    await makeProgram({ output, version, finish }).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === EXIT_OK ? EXIT_OK : EXIT_USAGE;
    if (!isExpected(error)) throw error;
    output.stderr.write(`roce-cc: ${printable(describeError(error))}\n`);
    return EXIT_ERROR;
  }
}

function makeProgram(context: CommandContext): Command {
  const program = new Command('roce-cc')
    .description(
      'Congestion control for RoCEv2. With no command: a demo comparing DCQCN, DCQCN + Fast CNP and HPCC on a 20 km link.',
    )
    .version(context.version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(see roce-cc --help)');
  configureOutput(program, context.output);
  addCommands(program, COMMANDS, context);
  return program;
}

/** Sets output streams and widths; commands that are added later inherit them. */
function configureOutput(program: Command, { stdout, stderr, env }: Output): void {
  program.configureOutput({
    writeOut: (text) => {
      stdout.write(foldProse(text, columnsOf(stdout, env) ?? HELP_COLUMNS));
    },
    writeErr: (text) => {
      // Usage errors quote parts of the command line, which may be long.
      stderr.write(printableLines(text.includes('Usage:') ? text : `${withShortQuotes(text.trimEnd())}\n`));
    },
    getOutHelpWidth: () => columnsOf(stdout, env) ?? HELP_COLUMNS,
    getErrHelpWidth: () => columnsOf(stderr, env) ?? HELP_COLUMNS,
  });
}

/** Wraps the texts that commands add to their help; commander wraps the rest. Indented lines are commands to copy. */
function foldProse(text: string, columns: number): string {
  return text.split('\n').flatMap((line) =>
    line.length <= columns || line.startsWith(' ') ? [line] : wrap(line, { columns, isBold: false }, 0)
  ).join('\n');
}
