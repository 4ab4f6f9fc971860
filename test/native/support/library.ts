/** build/native/libroce_cc.so, rebuilt if the sources changed; its tests are skipped without wasm2c or a C compiler. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignTool } from '../../support/foreign-tools.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
export const NATIVE_DIR = join(ROOT, 'build', 'native');
export const NATIVE_NAME = `roce-cc-native-${version}`;
export const NATIVE_TREE = join(NATIVE_DIR, NATIVE_NAME);
export const LIBRARY_FILE = join(NATIVE_DIR, 'libroce_cc.so');
export const ARCHIVE_FILE = join(NATIVE_DIR, 'libroce_cc.a');

/** Why the library can't be built here; undefined if it can. */
export const MISSING =
  ['wasm2c', 'cc', 'make'].flatMap((tool) => foreignTool(tool) === undefined ? [`${tool} is not installed`] : [])[0];

/** Builds the library, with scenarios, unless it is newer than its sources. Parallel test files wait for each other. */
export function ensureLibrary(): void {
  if (MISSING !== undefined) return;
  const script = join(ROOT, 'scripts/native/main.ts');
  const args = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), script, '--scenarios', '--if-stale'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm run native failed: ${stderr}`);
}
