/** The options of `roce-cc live edge`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { PORT_WORDS, addPortOptions, parseSeconds } from '../port-options.js';
import type { EdgeFlags } from './run-edge.js';

export function defineEdge(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Emulates a provider edge of a WAN: packets from inside enter the tunnel of their service, packets ' +
      'from outside leave it, and Fast CNPs from routers of the WAN are forwarded to the senders inside.')
    .argument('<inside>', `the data centre's side: ${PORT_WORDS}`)
    .argument('<outside>', `the WAN's side: ${PORT_WORDS}`)
    .requiredOption('--scenario <file>', 'a scenario with topology.wan.edges: a file, or a shipped scenario')
    .requiredOption('--node <name>', 'name of the edge, such as pe0')
    .option('--json', 'print the counters as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (inside: string, outside: string, flags: EdgeFlags) => {
    const { runEdgeCommand } = await import('./run-edge.js');
    finish(await runEdgeCommand([inside, outside], flags, output));
  });
}
