/** The options of `roce-cc live edge`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { PORT_WORDS, addPortOptions, parseSeconds } from '../port-options.js';
import type { EdgeFlags } from './run-edge.js';

export function defineEdge(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Emulates a provider edge of a WAN: what comes from inside goes into the tunnel of its service, what ' +
        'comes from outside leaves it; Fast CNPs of routers of the WAN go to their senders inside.',
    )
    .argument('<inside>', `the data centre's side: ${PORT_WORDS}`)
    .argument('<outside>', `the WAN's side: ${PORT_WORDS}`)
    .requiredOption('--scenario <file>', 'a scenario with topology.wan.edges: a file, or a shipped scenario')
    .requiredOption('--node <name>', 'which edge, such as pe0')
    .option('--json', 'print the counters as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (inside: string, outside: string, flags: EdgeFlags) => {
    const { runEdgeCommand } = await import('./run-edge.js');
    finish(await runEdgeCommand([inside, outside], flags, output));
  });
}
