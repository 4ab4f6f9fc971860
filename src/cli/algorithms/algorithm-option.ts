/**
 * The `--algorithm` option of commands that read one scenario: a preset, a built-in algorithm, meaning its first
 * preset, or a file.
 */
import { Option, type Command, InvalidArgumentError } from 'commander';
import path from 'node:path';
import { isPresetName, PRESET_ALGORITHMS, type PresetName } from '../../config/algorithms/registry.js';
import { inputFile } from '../input-files.js';
import { isAlgorithmFile } from './load-algorithm.js';

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

/** The preset that `word` names; undefined if it names neither a preset nor a built-in algorithm. */
function presetOf(word: string): string | undefined {
  if (isPresetName(word)) return word;
  return (Object.keys(PRESET_ALGORITHMS) as PresetName[]).find((preset) => PRESET_ALGORITHMS[preset] === word);
}

/** Whether a word names an algorithm. */
function isAlgorithmWord(word: string): boolean {
  return isAlgorithmFile(word) || presetOf(word) !== undefined;
}

/** The algorithm as a scenario names it. A file is looked up in the working folder, then among the shipped examples. */
export function algorithmOfWord(word: string): { readonly file: string } | { readonly preset: string } {
  return isAlgorithmFile(word) ? { file: path.resolve(inputFile(word)) } : { preset: presetOf(word) ?? word };
}

/** Argument parser for commander. @throws InvalidArgumentError. */
export function parseAlgorithm(text: string): string {
  if (isAlgorithmWord(text)) return text;
  const presets = [...Object.keys(PRESET_ALGORITHMS)].join(', ');
  throw new InvalidArgumentError(`Allowed: a file .js, .mjs, .ts, .mts or .wasm, or one of ${presets}.`);
}

/** Parses a list of algorithms; undefined if the text is something else, such as a scenario. */
export function algorithmList(text: string): readonly string[] | undefined {
  const words = text.split(',').filter((word) => word !== '');
  return words.length > 0 && words.every(isAlgorithmWord) ? words : undefined;
}
