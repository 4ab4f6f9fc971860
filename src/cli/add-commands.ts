/** Registers the commands of a table with commander. A command's module is loaded when it runs or its help is shown. */
import { Help, type Command } from 'commander';
import type { CommandContext, CommandEntry } from './command-table.js';

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
