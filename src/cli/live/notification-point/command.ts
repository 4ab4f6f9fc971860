/** The options of `roce-cc live notification-point`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { addCoalescingOptions } from '../../option-values.js';
import { PORT_WORDS, addPortOptions, parseSeconds } from '../port-options.js';
import type { NotificationPointFlags } from './run-notification-point.js';

export function defineNotificationPoint(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Answers CE-marked data of listed connections with CNPs, sent from the port at which the data arrived.',
    )
    .argument('<port>', PORT_WORDS)
    .requiredOption('-f, --flows <file>', 'the connections, CSV as for replay; this host emulates their receivers')
    .option('--json', 'print the counters as JSON at the end, and nothing else');
  addCoalescingOptions(command)
    .addOption(
      new Option('--icrc <what>', 'check ICRCs of data and ignore data with a wrong one (default: check)').choices([
        'ignore',
        'check',
      ]),
    )
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (source: string, flags: NotificationPointFlags) => {
    const { runNotificationPoint } = await import('./run-notification-point.js');
    finish(await runNotificationPoint(source, flags, output));
  });
}
