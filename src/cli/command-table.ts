/**
 * A table of commands: how each is listed in the parent's help, and the module that defines it. A command's module is
 * loaded when it runs or its help is shown.
 */
import { Help, type Command } from 'commander';
import type { Output } from './output.js';

/** One command of a table. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments, as shown in the parent's help. */
  readonly usage: string;
  /** One-line summary for the parent's help. */
  readonly summary: string;
  /** Whether it runs if no command is given. */
  readonly isDefault?: boolean;
  /** Imports its definition. */
  readonly load: () => Promise<DefineCommand>;
}

/** Adds description, arguments, options and action to a command that so far has only a name. */
type DefineCommand = (command: Command, context: CommandContext) => void;

/** Passed to the actions of all commands. */
export interface CommandContext {
  readonly output: Output;
  /** Version of the package. */
  readonly version: string;
  /** Sets the exit code of the program. */
  readonly finish: (exitCode: number) => void;
}

/** Adds the commands of a table, and a `help` command, to `parent`. */
export function addCommands(parent: Command, table: readonly CommandEntry[], context: CommandContext): void {
  const entries = new Map(table.map((entry) => [entry.name, entry]));
  const load = async (command: Command): Promise<void> => {
    const define = await entries.get(command.name())?.load();
    define?.(command, context);
  };
  for (const { name, summary, isDefault = false } of table) {
    const command = parent.command(name, { isDefault }).summary(summary);
    command.showHelpAfterError(`(see ${pathOf(command)} --help)`);
  }
  addHelp(parent, load);
  parent.hook('preSubcommand', (_, command) => load(command));
  parent.configureHelp({ subcommandTerm: (command) => termOf(command, entries.get(command.name())) });
}

/** Replaces commander's own `help` command, which cannot wait for another command to load. */
function addHelp(parent: Command, load: (command: Command) => Promise<void>): void {
  const others = [...parent.commands];
  parent.helpCommand(false);
  parent.command('help').summary('display help for command').argument('[command]').helpOption(false)
    .allowUnknownOption().allowExcessArguments().action(async (name?: string) => {
      if (name === undefined || name === '' || name.startsWith('-')) {
        parent.outputHelp();
        return;
      }
      const command = others.find((other) => other.name() === name);
      if (command === undefined) return parent.help({ error: true });
      await load(command);
      // Not help(), which ends the process at once with process.exitCode: an error code until a command has ended.
      command.outputHelp();
    });
}

function termOf(command: Command, entry: CommandEntry | undefined): string {
  return entry === undefined ? new Help().subcommandTerm(command) : `${entry.name} ${entry.usage}`.trimEnd();
}

/** The full command as typed: `roce-cc live watch`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
