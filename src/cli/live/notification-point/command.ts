/** The options of `roce-cc live notification-point`, for commander. */
import { Command, Option } from 'commander';
import { parseDuration } from '../../option-values.js';
import { addPortOptions, parseSeconds } from '../port-options.js';
import { PORT_WORDS } from '../ports.js';
import type { NotificationPointFlags } from './run-notification-point.js';

/** Runs the command. */
export type NotificationPointAction = (source: string, flags: NotificationPointFlags) => Promise<void>;

export function notificationPointCommand(action: NotificationPointAction): Command {
  const command = new Command('notification-point')
    .summary('answer CE-marked data with CNPs')
    .description('Answers CE-marked data of listed connections with CNPs, out of the port that they came in by.')
    .argument('<port>', PORT_WORDS)
    .requiredOption('-f, --flows <file>', 'the connections, CSV as for replay: their receivers are here')
    .option('--json', 'print the counters as JSON at the end, and nothing else')
    .addOption(
      new Option('--np-scope <scope>', 'CNPs are coalesced per (default: qp)').choices(['qp', 'destination', 'port']),
    )
    .addOption(new Option('--np-window <reading>', 'marks within the window (default: suppress)').choices([
      'suppress',
      'trailing',
    ]))
    .addOption(new Option('--cnp-interval <time>', 'least time between CNPs (default: 50us)').argParser(parseDuration))
    .addOption(
      new Option('--icrc <what>', 'answer data with wrong ICRCs? (default: check)').choices(['ignore', 'check']),
    )
    .addOption(new Option('--seconds <time>', 'stop after so many seconds').argParser(parseSeconds));
  addPortOptions(command);
  return command.action(action);
}
