/** Runs the probe in a process of Node, Bun or Deno, and prints the facts as JSON. */
import { readFile } from 'node:fs/promises';
import { plan } from './plan.js';
import { probe } from './probe.js';

const bytesOf = async (url: string | URL) => new Uint8Array(await readFile(new URL(url)));

const facts = await probe({
  entries: [...plan.entries, ...plan.nodeEntries],
  modules: plan.modules,
  scenarios: plan.scenarios,
  readEntry: (name) => bytesOf(import.meta.resolve(name)),
  importFile: (path) => import(new URL(path, import.meta.resolve('roce-cc/package.json')).href),
  readFile: (path) => bytesOf(new URL(path, import.meta.resolve('roce-cc/package.json'))),
});
console.log(JSON.stringify(facts));
