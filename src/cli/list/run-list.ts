/** Runs `roce-cc list`, which prints a line for each shipped file and preset. */
import { readFile } from 'node:fs/promises';
import { PRESET_ALGORITHMS, type PresetName, ALGORITHMS } from '../../config/algorithms/registry.js';
import { loadAlgorithm } from '../algorithms/load-algorithm.js';
import { EXIT_OK, type Output, writeOut } from '../output.js';
import { printable, printableJson } from '../printable.js';
import { inputFile, shippedAlgorithms, shippedNames, type ShippedKind } from '../shipped-files.js';
import { inLocale, textStyle, heading, type TextStyle } from '../terminal.js';

/** Names of the lists. */
export type ListName = 'scenarios' | 'sweeps' | 'tunings' | 'presets' | 'algorithms';

/** Options of the command, as commander passes them. */
export interface ListFlags {
  readonly json?: boolean;
}

interface Item {
  readonly name: string;
  readonly about: string;
}

const KINDS: Readonly<Record<Exclude<ListName, 'presets' | 'algorithms'>, ShippedKind>> = {
  scenarios: 'scenario',
  sweeps: 'sweep',
  tunings: 'tune',
};
const GAP = 2;
const JSON_INDENT = 2;

/** @throws system errors. */
export async function runList(names: readonly ListName[], flags: ListFlags, output: Output): Promise<number> {
  const lists = await Promise.all(names.map(async (name) => [name, await itemsOf(name)] as const));
  const style = textStyle(output);
  const text = flags.json === true ?
    printableJson(`${JSON.stringify(Object.fromEntries(lists), undefined, JSON_INDENT)}\n`) :
    inLocale(`${lists.flatMap(([name, items]) => linesOf(name, items, style)).join('\n').trimStart()}\n`, output.env);
  await writeOut(output.stdout, text);
  return EXIT_OK;
}

async function itemsOf(name: ListName): Promise<Item[]> {
  if (name === 'presets') {
    return (Object.keys(PRESET_ALGORITHMS) as PresetName[]).map((preset) => ({
      name: preset,
      about: aboutPreset(preset),
    }));
  }
  if (name === 'algorithms') return await algorithms();
  const kind = KINDS[name];
  return await Promise.all(
    (await shippedNames(kind)).map(async (one) => ({ name: one, about: await aboutOf(one, kind) })),
  );
}

function aboutPreset(preset: PresetName): string {
  return preset === 'none' ? 'no congestion control' : ALGORITHMS[PRESET_ALGORITHMS[preset]].title;
}

/** Algorithms for `--algorithm` and `--compare`: built-in ones, then the shipped files. */
async function algorithms(): Promise<Item[]> {
  const builtIn = Object.entries(ALGORITHMS).map(([name, { title }]) => ({ name, about: `${title}, built in` }));
  const files = await Promise.all(
    (await shippedAlgorithms()).map(async (name) => ({ name, about: (await loadAlgorithm(inputFile(name))).title })),
  );
  return [...builtIn, ...files];
}

/** The description in the file, or else its name. */
async function aboutOf(name: string, kind: ShippedKind): Promise<string> {
  const { description, name: title = '' } = JSON.parse(await readFile(inputFile(name, kind), 'utf8')) as {
    readonly description?: string;
    readonly name?: string;
  };
  return description ?? title;
}

function linesOf(title: string, items: readonly Item[], style: TextStyle): string[] {
  const width = Math.max(...items.map(({ name }) => name.length));
  const room = style.columns - width - 2 * GAP;
  const indent = ' '.repeat(GAP);
  return [
    ...heading(title, style),
    ...items.map(({ name, about }) => `${indent}${name.padEnd(width)}${indent}${cut(printable(about), room)}`),
  ];
}

/** The first sentence, cut to as many whole words as fit. */
function cut(text: string, room: number): string {
  const [sentence = ''] = text.split(/(?<=[.:]) /);
  if (sentence.length <= room) return sentence.replace(/[.:]$/, '');
  const whole = sentence.slice(0, room - 1);
  return `${whole.slice(0, Math.max(1, whole.lastIndexOf(' ')))}…`;
}
