/** Options for coalescing CNPs, shared by `replay`, `live watch` and `live notification-point`. */
import { Option, type Command } from 'commander';
import { parseDuration } from './option-values.js';

/** @returns the command, for chaining. */
export function addCoalescingOptions(command: Command): Command {
  return command
    .addOption(new Option('--np-scope <scope>', 'scope in which CNPs are coalesced (default: qp)').choices([
      'qp',
      'destination',
      'port',
    ]))
    .addOption(new Option('--np-window <reading>', 'treatment of marks within the window (default: suppress)').choices([
      'suppress',
      'trailing',
    ]))
    .addOption(
      new Option('--cnp-interval <time>', 'minimum time between CNPs (default: 50us)').argParser(parseDuration),
    );
}
