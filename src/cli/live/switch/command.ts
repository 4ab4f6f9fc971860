/** The options of `roce-cc live switch`, for commander. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { addPortOptions, parseSeconds } from '../port-options.js';
import { PORT_WORDS } from '../ports.js';
import type { SwitchFlags } from './run-switch.js';

/** Runs the command. */
export type SwitchAction = (ports: readonly string[], flags: SwitchFlags) => Promise<void>;

export function switchCommand(action: SwitchAction): Command {
  const command = new Command('switch')
    .summary('forward frames as a switch of a scenario does: queues, marks, Fast CNPs, PFC, losses')
    .description('Emulates one switch of a scenario between ports: one for each of its links, in their order.')
    .argument('<port...>', `${PORT_WORDS}; as many as the switch has`)
    .requiredOption('--scenario <file>', 'its settings: a file, or a shipped scenario')
    .option('--node <name>', 'which switch, where the scenario has several')
    .addOption(
      new Option('--address <host=ip...>', 'the address of a host of the scenario; others are found by MAC address')
        .argParser(parseAddress),
    )
    .option('--record <file>', 'write what comes in into a pcapng file, for replays')
    .option('--json', 'print the books as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after so many seconds').argParser(parseSeconds));
  addPortOptions(command);
  return command.action(action);
}

function parseAddress(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Allowed: HOST=ADDRESS, such as h0=10.0.0.1.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
