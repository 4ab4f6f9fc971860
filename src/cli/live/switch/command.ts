/** The options of `roce-cc live switch`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { PORT_WORDS, addPortOptions, parseSeconds } from '../port-options.js';
import type { SwitchFlags } from './run-switch.js';

export function defineSwitch(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Emulates one switch of a scenario between ports: one for each of its links, in the same order.')
    .argument('<port...>', `${PORT_WORDS}; one for each link of the switch`)
    .requiredOption('--scenario <file>', 'the scenario with its settings: a file, or a shipped scenario')
    .option('--node <name>', 'name of the switch, if the scenario has several')
    .addOption(
      new Option('--address <host=ip...>', 'the address of a host of the scenario; others are found by MAC address')
        .argParser(parseAddress),
    )
    .option('--record <file>', 'write arriving frames to a pcapng file, for replays')
    .option('--json', 'print the counters as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (ports: readonly string[], flags: SwitchFlags) => {
    const { runSwitchCommand } = await import('./run-switch.js');
    finish(await runSwitchCommand(ports, flags, output));
  });
}

function parseAddress(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Allowed: HOST=ADDRESS, such as h0=10.0.0.1.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
