/**
 * Prints the result hash of each scenario in examples/scenarios, to compare two builds:
 *
 *   node scripts/result-hashes.mjs [--build FOLDER] [NAME…]
 *
 * --build  root of the checkout whose dist/ runs the scenarios; default: this one.
 * NAME     scenarios by name; default: all of them. The one with k = 16 takes minutes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const scenarios = path.join(root, 'examples/scenarios');

const { values, positionals } = parseArgs({ options: { build: { type: 'string' } }, allowPositionals: true });
const build = path.resolve(values.build ?? root);
const { runScenarioSync } = await import(pathToFileURL(path.join(build, 'dist/sim/index.js')).href);
const names = positionals.length > 0 ? positionals : readdirSync(scenarios).map((file) => path.parse(file).name).sort();

for (const name of names) {
  const spec = JSON.parse(readFileSync(path.join(scenarios, `${name}.json`), 'utf8'));
  const { hash, events, totals } = runScenarioSync(spec);
  console.log(`${hash}  ${name}  ${events} events, ${totals.timeouts} timeouts`);
}
