/** A table of commands: what the help of their parent shows of each, and where the rest of it is. */
import type { Command } from 'commander';
import type { Output } from './output.js';

/** One command of a table. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments, as the help of the parent shows them. */
  readonly usage: string;
  /** One line of the same help. */
  readonly summary: string;
  /** True: it runs if no command is named. */
  readonly isDefault?: boolean;
  /** Loads what defines it. */
  readonly load: () => Promise<DefineCommand>;
}

/** Gives a command that has only its name the description, the arguments, the options and the action. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

/** What actions of commands share. */
export interface CommandContext {
  readonly output: Output;
  /** Of the package. */
  readonly version: string;
  /** Sets the exit code of the program. */
  readonly finish: (exitCode: number) => void;
}
