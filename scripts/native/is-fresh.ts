/** Whether a built library is newer than all that it is made of. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { at } from '../paths.mjs';

const SOURCES = ['native', 'include', 'assembly', 'src', 'scripts/native'];
/** A name in the program that libraries with scenarios run. */
const OF_SCENARIOS = 'scenarioResult';

/** @param withScenarios whether it has to read scenarios. */
export function isFresh(library: string, withScenarios: boolean): boolean {
  if (!existsSync(library)) return false;
  const builtMs = statSync(library).mtimeMs;
  if (SOURCES.some((folder) => newestMs(at(folder)) >= builtMs)) return false;
  return !withScenarios || readFileSync(library).includes(OF_SCENARIOS);
}

function newestMs(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .reduce((newest, { parentPath, name }) => Math.max(newest, statSync(path.join(parentPath, name)).mtimeMs), 0);
}
