/**
 * Loads a custom algorithm or congestion point from a file: JavaScript or TypeScript, or WebAssembly with its
 * declaration. The option `--algorithm` replaces a scenario's algorithms. `--substitute dcqcn=mine.js` runs an unchanged scenario with such an algorithm instead of a
 * built-in one, or, with `congestion-point=mine.js`, with a congestion point instead of the built-in rule.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import module from 'node:module';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { defineCongestionPoint } from '../../algorithm/congestion-point/define-congestion-point.js';
import { declarationFromJson } from '../../algorithm/declaration-from-json.js';
import { defineAlgorithm, declarationOfModule } from '../../algorithm/define-algorithm.js';
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import { isCustomAlgorithm } from '../../config/algorithms/custom/custom-parameters.js';
import { ALGORITHMS, isPresetName, PRESET_ALGORITHMS, type PresetName } from '../../config/algorithms/registry.js';
import { isCongestionPoint, type CustomCongestionPoint, POINT_SUBSTITUTE,
  type CongestionPointDeclaration } from '../../config/custom-congestion-point.js';
import { RoceError } from '../../errors.js';
import type { ScenarioFiles } from '../../sim/scenario/scenario-files.js';
import { describeError } from '../describe-error.js';
import { inputFile } from '../shipped-files.js';

/** The value of `--algorithm`. */
export interface AlgorithmFlag {
  /** A preset or file that replaces the scenario's algorithms. */
  readonly algorithm?: string;
}

const SCRIPT = /\.[cm]?[jt]s$/;
const MODULE = '.wasm';
const HASH_DIGITS = 16;

/** Whether a word names an algorithm file, by its extension. */
export function isAlgorithmFile(word: string): boolean {
  return SCRIPT.test(word) || word.endsWith(MODULE);
}

/** One kind of definition that a file may export. */
interface Kind<Defined> {
  /** Its name in errors. */
  readonly what: string;
  readonly is: (value: unknown) => value is Defined;
  readonly script: string;
  /** @param declared path of the declaration file. */
  readonly ofModule: (declaration: string, declared: string, module: Uint8Array) => Defined;
}

const ALGORITHM: Kind<CustomAlgorithm> = {
  what: 'the algorithm',
  is: isCustomAlgorithm,
  script: 'export default defineAlgorithm({ … })',
  ofModule: (declaration, declared, module) =>
    defineAlgorithm({ ...declarationFromJson(declaration, declared), module }),
};

const CONGESTION_POINT: Kind<CustomCongestionPoint> = {
  what: 'the congestion point',
  is: isCongestionPoint,
  script: 'export default defineCongestionPoint({ … })',
  ofModule: (declaration, _, module) =>
    defineCongestionPoint({ ...JSON.parse(declaration) as CongestionPointDeclaration, module }),
};

/**
 * Loads the default export of a file. A changed file is loaded again, but the files that it imports are not.
 *
 * @throws RoceError `invalid-algorithm`, naming the file; system errors.
 */
export function loadAlgorithm(file: string): Promise<CustomAlgorithm> {
  return load(file, ALGORITHM);
}

/** Loads a congestion point from a file. @throws the same errors as {@link loadAlgorithm}. */
export function loadCongestionPoint(file: string): Promise<CustomCongestionPoint> {
  return load(file, CONGESTION_POINT);
}

async function load<Defined extends { withSourceHash(hash: string): Defined }>(file: string,
  kind: Kind<Defined>): Promise<Defined> {
  if (!isAlgorithmFile(file)) {
    const allowed = 'a file .js, .mjs, .ts, .mts or .wasm';
    throw new RoceError('invalid-algorithm', { what: kind.what, got: file, allowed, where: file });
  }
  const bytes = readFileSync(file);
  try {
    const defined = file.endsWith(MODULE) ? ofModule(bytes, file, kind) : await ofScript(file, kind);
    return defined.withSourceHash(hashOf(bytes));
  } catch (error) {
    throw atFile(error, file, kind.what);
  }
}

/** The hash of an algorithm file, as used in results and caches. @throws system errors. */
export function hashOfFile(file: string): string {
  return hashOf(readFileSync(file));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
}

function ofModule<Defined>(bytes: Uint8Array, file: string, kind: Kind<Defined>): Defined {
  const declared = `${file.slice(0, -MODULE.length)}.json`;
  const own = declarationOfModule(bytes);
  if (own === undefined && !existsSync(declared)) {
    const problem = `has no declaration: neither a custom section roce_cc_algorithm nor a file ${
      path.basename(declared)
    } next to it`;
    throw new RoceError('invalid-algorithm', { what: 'the module', problem, where: file });
  }
  const text = own ?? readFileSync(declared, 'utf8');
  return kind.ofModule(text, own === undefined ? declared : file, bytes);
}

async function ofScript<Defined>(file: string, { is, script: allowed }: Kind<Defined>): Promise<Defined> {
  await prepareImports(file);
  const url = pathToFileURL(path.resolve(file));
  // Node caches imported modules by URL.
  url.searchParams.set('changed', String(statSync(file).mtimeMs));
  const { default: defined } = await import(url.href) as { readonly default?: unknown };
  if (is(defined)) return defined;
  throw new RoceError('invalid-algorithm', { what: 'the default export', got: defined, allowed, where: file });
}

/** Adds the file's name to an error thrown while it was loaded. */
function atFile(error: unknown, file: string, what: string): unknown {
  if (error instanceof RoceError) return error.where.includes(file) ? error : error.at(`${file}, ${error.where}`);
  // From another copy of the library, or thrown by the file's own code.
  const problem = `can't be loaded: ${describeError(error)}${placeIn(error, file)}`;
  return new RoceError('invalid-algorithm', { what, problem, where: file, cause: error });
}

/** Line and column in the file, if the stack trace names them. */
function placeIn(error: unknown, file: string): string {
  const stack = error instanceof Error ? error.stack ?? '' : '';
  const at = stack.indexOf(path.basename(file));
  const found = at < 0 ? null : /^[^:\n]*?(?:\?changed=[\d.]+)?:(\d+)(?::(\d+))?/.exec(stack.slice(at));
  return found === null ? '' : ` (line ${found[1]})`;
}

const TYPESCRIPT = /\.[cm]?ts$/;

let isPrepared = false;

/**
 * Makes algorithm files importable from any folder. `roce-cc/…` resolves to this package even if none is installed next
 * to the file. TypeScript is stripped by Node itself, or by esbuild if Node can't.
 *
 * @throws RoceError `unsupported` if the file is TypeScript and neither Node nor esbuild can strip it.
 */
async function prepareImports(file: string): Promise<void> {
  const strips = (process.features as { readonly typescript?: unknown }).typescript !== undefined &&
    (process.features as { readonly typescript?: unknown }).typescript !== false;
  if (TYPESCRIPT.test(file) && !strips && !isRunByTsx()) await requireEsbuild(file);
  if (isPrepared) return;
  isPrepared = true;
  module.register(hooksUrl(strips));
}

/** Whether tsx runs this program from its TypeScript sources; it then loads the user's TypeScript files too. */
function isRunByTsx(): boolean {
  return import.meta.url.endsWith('.ts');
}

async function requireEsbuild(file: string): Promise<void> {
  try {
    await import('esbuild');
  } catch (error) {
    const hint = 'Install it next to the file (npm install esbuild), use Node 22.18 or newer, or write JavaScript';
    throw new RoceError('unsupported', {
      what: 'TypeScript',
      problem: 'needs the package esbuild on this version of Node',
      where: file,
      hint,
      cause: error,
    });
  }
}

/** Data URL of a module with Node's loader hooks, which run on another thread. */
function hooksUrl(strips: boolean): string {
  const root = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../', import.meta.url).href;
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const source = `
const root = ${JSON.stringify(root)};
const strips = ${String(strips || isRunByTsx())};
export async function resolve(specifier, context, next) {
  const [, name] = /^roce-cc(?:\\/([a-z-]+))?$/.exec(specifier) ?? [];
  if (!specifier.startsWith('roce-cc')) return next(specifier, context);
  const file = name === undefined ? 'index${extension}' : name === 'algorithm' || name === 'sim' ? name + '/index${extension}' : undefined;
  return file === undefined ? next(specifier, context) : next(new URL(file, root).href, context);
}
export async function load(url, context, next) {
  if (strips || !/\\.[cm]?ts(\\?|$)/.test(url)) return next(url, context);
  const { readFile } = await import('node:fs/promises');
  const { transformSync } = await import('esbuild');
  const { code } = transformSync(await readFile(new URL(url), 'utf8'), { loader: 'ts', format: 'esm', sourcemap: 'inline' });
  return { format: 'module', shortCircuit: true, source: code };
}`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

const NAMES: readonly string[] = [...Object.keys(ALGORITHMS), POINT_SUBSTITUTE];

export type Substitutes = NonNullable<ScenarioFiles['substitutes']>;

export interface Substitute {
  /** Name of a built-in algorithm, or `congestion-point`. */
  readonly name: string;
  readonly file: string;
}

/** Argument parser for commander, which passes the values given before. @throws InvalidArgumentError. */
export function collectSubstitute(text: string, before: readonly Substitute[]): Substitute[] {
  const at = text.indexOf('=');
  const [name, file] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (NAMES.includes(name) && isAlgorithmFile(file)) return [...before, { name, file }];
  throw new InvalidArgumentError(
    `Allowed: NAME=FILE with one of ${NAMES.join(', ')} and a file .js, .mjs, .ts, .mts or .wasm.`,
  );
}

/** Loads the files, keyed by the algorithm's name. @throws RoceError `invalid-algorithm`, naming the file. */
export async function loadSubstitutes(substitutes: readonly Substitute[]): Promise<Substitutes> {
  const loaded = await Promise.all(
    substitutes.map(async ({ name, file }) =>
      [name, await (name === POINT_SUBSTITUTE ? loadCongestionPoint(file) : loadAlgorithm(file))] as const
    ),
  );
  return Object.fromEntries(loaded);
}

/**
 * Adds the option `--algorithm` of commands that read one scenario: a preset, a built-in algorithm, meaning its first
 * preset, or a file.
 */
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

/** Parses one word. @throws InvalidArgumentError, of commander. */
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
