/** The `--algorithm` option of commands that read one scenario. */
import { Option, type Command } from 'commander';
import { parseAlgorithm } from './algorithm-words.js';

export interface AlgorithmFlag {
  /** A preset or file that replaces the scenario's algorithms. */
  readonly algorithm?: string;
}

export function addAlgorithmOption(command: Command): Command {
  return command.addOption(
    new Option('-a, --algorithm <preset or file>',
      "instead of the scenario's algorithms: a preset, or a custom algorithm (.js, .ts, .wasm)")
      .argParser(parseAlgorithm),
  );
}
