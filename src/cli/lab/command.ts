/** The options of `roce-cc lab`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';

const PORT_MAX = 65_535;

const EXAMPLES = `
Serves the lab on this machine only, until Ctrl-C. Nothing is uploaded: scenarios run in the browser.

Examples:
  roce-cc lab
  roce-cc lab --port 8080
  roce-cc lab --port 0        # any free port
`;

export function defineLab(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Serves the lab, the simulator in a browser tab, and prints its address.')
    .addOption(
      new Option('--port <n>', 'port on 127.0.0.1; 0: any free one (default: 4173, or a free one if it is in use)')
        .argParser(parsePort),
    )
    .addHelpText('after', EXAMPLES);
  command.action(async ({ port }: { readonly port?: number }) => {
    const { runLab } = await import('./run-lab.js');
    finish(await runLab(port, output));
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= PORT_MAX) return port;
  throw new InvalidArgumentError(`Allowed: a whole number from 0 to ${PORT_MAX}.`);
}
