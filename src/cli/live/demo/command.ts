/** The options of `roce-cc live demo`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { parseRate } from '../../option-values.js';
import { parseSeconds } from '../port-options.js';
import type { DemoFlags } from './run-demo.js';

export function defineDemo(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Runs sixteen emulated senders, a switch and a receiver in this process, between separate network namespaces, ' +
        'which are removed at the end; or over UDP sockets on the loopback, which need no permissions.',
    )
    .addOption(
      new Option('--mode <mode>', 'how senders are notified').choices(['dcqcn', 'dcqcn-fast-cnp']).default('dcqcn'),
    )
    .addOption(new Option('--over <links>', 'kind of links (default: namespaces if available, otherwise udp)')
      .choices(['namespaces', 'udp']))
    .addOption(
      new Option('--rate <rate>', 'rate of all links, 10 to 1,000 Mb/s (default: 50Mbps)').argParser(parseRate),
    )
    .addOption(new Option('--seconds <time>', 'duration, up to 3,600 (default: 20)').argParser(parseSeconds))
    .option('--json', 'print the results as JSON at the end, and nothing else')
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('./run-demo.js');
      finish(await runDemo(flags, output));
    });
}
