/** A table of commands: their lines in the parent's help, and where each is defined. */
import type { Command } from 'commander';
import type { Output } from './output.js';

/** One command of a table. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments, as shown in the parent's help. */
  readonly usage: string;
  /** One line for the same help. */
  readonly summary: string;
  /** True: it runs if no command is given. */
  readonly isDefault?: boolean;
  /** Loads its definition. */
  readonly load: () => Promise<DefineCommand>;
}

/** Adds description, arguments, options and action to a command that only has its name. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

/** What actions of commands share. */
export interface CommandContext {
  readonly output: Output;
  /** Of the package. */
  readonly version: string;
  /** Sets the exit code of the program. */
  readonly finish: (exitCode: number) => void;
}
