// No file names a path outside the repository: a reader of a clone could not open it.
//
// Every relative path (`../…`) in a file that git tracks is resolved from that file's folder and must not leave the root.
// In Markdown, paths in code blocks belong to the files that the blocks show, and are left out.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.mjs';

const RELATIVE_PATH = /(?:\.\.\/)+[\w@.*\/-]*/g;
const CODE_BLOCK = /^```.*?^```$/gms;

/** @returns the paths in a file's text that leave the repository. @param file from the root. */
export function pathsOutside(file, text) {
  const prose = file.endsWith('.md') ? text.replace(CODE_BLOCK, '') : text;
  return [...prose.matchAll(RELATIVE_PATH)].map(([found]) => found)
    .filter((found) => path.posix.join(path.posix.dirname(file), found).startsWith('..'));
}

/** The tracked text files; outside a git checkout there is nothing to check. */
function trackedFiles() {
  if (!existsSync(path.join(ROOT, '.git'))) return [];
  return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
}

function main() {
  for (const file of trackedFiles()) {
    const full = path.join(ROOT, file);
    if (!existsSync(full)) continue;
    const bytes = readFileSync(full);
    if (bytes.includes(0)) continue;
    for (const found of pathsOutside(file, bytes.toString())) {
      process.stderr.write(`${file}: ${found} is outside the repository\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === import.meta.filename) main();
