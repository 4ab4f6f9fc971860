/** The options of `roce-cc live watch`, for commander. */
import { Command, Option } from 'commander';
import { parseCount } from '../../option-values.js';
import { addNotificationOptions, addParserOptions, addReactionOptions, checkTogether } from '../../replay/command.js';
import { addPortOptions, parsePort, parseSeconds } from '../port-options.js';
import { PORT_WORDS } from '../ports.js';
import type { WatchFlags } from './run-watch.js';

/** Runs the command. */
export type WatchAction = (source: string, flags: WatchFlags) => Promise<void>;

export function watchCommand(action: WatchAction): Command {
  const command = new Command('watch')
    .summary('count frames as they come: classes, marks, CNPs due and seen, rates')
    .description('Sends frames through the engine as they come, shows rates while they do, and reports at the end.')
    .argument('<source>', `${PORT_WORDS}; - for a capture stream on standard input`)
    .option('-f, --flows <file>', 'the connections, CSV as for replay')
    .option('--json', 'print the report as JSON at the end, and nothing else')
    .option('--pcap <file>', 'write all frames into a pcapng file; .gz compresses')
    .addOption(
      new Option('--metrics <port>', 'serve metrics for Prometheus at 127.0.0.1:PORT/metrics').argParser(parsePort),
    )
    .addOption(new Option('--seconds <time>', 'stop after so many seconds').argParser(parseSeconds))
    .addOption(new Option('--frames <count>', 'stop after so many frames').argParser(parseCount));
  addPortOptions(command);
  addReactionOptions(command);
  addNotificationOptions(command);
  addParserOptions(command);
  return command.action(async (source: string, flags: WatchFlags) => {
    checkTogether(command, flags);
    await action(source, flags);
  });
}
