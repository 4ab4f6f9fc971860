/**
 * The scenarios shipped with the package, by name.
 *
 * This file must stay in src/cli/: the files of dist/cli are as deep as it is.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../examples/scenarios/', import.meta.url));
const EXTENSION = '.json';

/** The scenarios that `npm start` compares: a long link, shared under three kinds of control. */
export const MAIN_JOB: readonly string[] = ['long-link', 'long-link-fast-cnp', 'long-link-hpcc'];

/** Path of the shipped scenario with this name. */
export function exampleScenarioFile(name: string): string {
  return path.join(FOLDER, `${name}${EXTENSION}`);
}

/** Names of all shipped scenarios, in order. */
export async function exampleScenarioNames(): Promise<string[]> {
  const files = await readdir(FOLDER).catch((): string[] => []);
  return files.filter((file) => file.endsWith(EXTENSION)).map((file) => file.slice(0, -EXTENSION.length)).sort();
}
