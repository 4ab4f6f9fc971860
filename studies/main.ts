/**
 * `npm run study` runs all studies and writes their pages; `npm run study -- wan loss` some of them, and with `--print` they are printed
 * instead. Numbers are simulated: every machine has the same.
 */
import { writeFileSync } from 'node:fs';
import type { StudyFile } from './study-page.js';

type Study = () => Promise<readonly StudyFile[]>;

/** By their folders. Real links need root: `npm run live-study`. */
const STUDIES: Readonly<Record<string, Study>> = {
  'fast-cnp': async () => (await import('./fast-cnp/page.js')).fastCnpStudy(),
  'loss': async () => (await import('./loss/page.js')).lossStudy(),
  'configurations': async () => (await import('./configurations/page.js')).configurationsStudy(),
  'fidelity': async () => (await import('./fidelity/page.js')).fidelityStudy(),
  'paths': async () => (await import('./paths/page.js')).pathsStudy(),
  'multipath': async () => (await import('./multipath/page.js')).multipathStudy(),
  'wan': async () => (await import('./wan/page.js')).wanStudy(),
};

const args = process.argv.slice(2);
const isPrinted = args.includes('--print');
const names = args.filter((arg) => arg !== '--print');
const unknown = names.find((name) => !(name in STUDIES));
if (unknown !== undefined) {
  process.stderr.write(`no study ${unknown}; allowed: ${Object.keys(STUDIES).join(', ')}\n`);
  process.exit(2);
}
for (const [name, study] of Object.entries(STUDIES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  for (const { path, content } of await study()) {
    if (isPrinted) process.stdout.write(content);
    else writeFileSync(new URL(`../${path}`, import.meta.url), content);
  }
  process.stderr.write(`${name}\n`);
}
