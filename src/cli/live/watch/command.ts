/** The options of `roce-cc live watch`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { parseCount } from '../../option-values.js';
import { addNotificationOptions, addParserOptions, addReactionOptions,
  checkTogether } from '../../replay/engine-options.js';
import { PORT_WORDS, addPortOptions, parsePort, parseSeconds } from '../port-options.js';
import type { WatchFlags } from './run-watch.js';

export function defineWatch(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Runs the engine on frames as they arrive, shows live rates, and reports at the end.')
    .argument('<source>', `${PORT_WORDS}; - for a capture stream on standard input`)
    .option('-f, --flows <file>', 'the connections, CSV as for replay')
    .option('--json', 'print the report as JSON at the end, and nothing else')
    .option('--pcap <file>', 'write all frames into a pcapng file; .gz compresses')
    .addOption(
      new Option('--metrics <port>', 'serve metrics for Prometheus at 127.0.0.1:PORT/metrics').argParser(parsePort),
    )
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds))
    .addOption(new Option('--frames <count>', 'stop after this many frames').argParser(parseCount));
  addPortOptions(command);
  addReactionOptions(command);
  addNotificationOptions(command);
  addParserOptions(command);
  command.action(async (source: string, flags: WatchFlags) => {
    checkTogether(command, flags);
    const { runWatch } = await import('./run-watch.js');
    finish(await runWatch(source, flags, output));
  });
}
