/** Prints the fingerprints of bench/support/hashes.ts: `npm run hashes`; with --write they become bench/hashes.txt. */
import { writeFileSync } from 'node:fs';
import { resultHashes, stateHashes } from './support/hashes.js';

const lines: string[] = [];
for (const hashes of [resultHashes(), stateHashes()]) {
  for (const line of hashes) {
    console.log(line);
    lines.push(line);
  }
}
if (process.argv.includes('--write')) {
  writeFileSync(new URL('hashes.txt', import.meta.url), lines.map((line) => `${line}\n`).join(''));
}
