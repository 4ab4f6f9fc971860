/** A table of commands: how each is listed in the parent's help, and the module that defines it. */
import type { Command } from 'commander';
import type { Output } from './output.js';

/** One command of a table. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments, as shown in the parent's help. */
  readonly usage: string;
  /** One-line summary for the parent's help. */
  readonly summary: string;
  /** Whether it runs if no command is given. */
  readonly isDefault?: boolean;
  /** Imports its definition. */
  readonly load: () => Promise<DefineCommand>;
}

/** Adds description, arguments, options and action to a command that so far has only a name. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

/** Passed to the actions of all commands. */
export interface CommandContext {
  readonly output: Output;
  /** Version of the package. */
  readonly version: string;
  /** Sets the exit code of the program. */
  readonly finish: (exitCode: number) => void;
}
