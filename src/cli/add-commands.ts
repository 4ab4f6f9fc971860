/** Commands of a table as subcommands for commander. Each is loaded when it runs or its help is shown. */
import { Help, type Command } from 'commander';
import type { CommandContext, CommandEntry } from './command-table.js';

/** Adds the commands of a table, and `help`, to their parent. */
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

/** The same as commander's command `help`, which cannot wait until another command is loaded. */
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
      // Not help(), which ends with the exit code that the process has for a command that does not end.
      command.outputHelp();
    });
}

function termOf(command: Command, entry: CommandEntry | undefined): string {
  return entry === undefined ? new Help().subcommandTerm(command) : `${entry.name} ${entry.usage}`.trimEnd();
}

/** The command as it is typed: `roce-cc live watch`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
