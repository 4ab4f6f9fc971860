/**
 * Test data that the repository keeps packed: the golden runs of both reference simulators and the packet captures.
 *
 * A set is one tar file, compressed with brotli. The first test that needs a set unpacks it into build/test-data, in a folder
 * named after the archive's hash; from there on it is read as plain files. `npm run test-data` lists, unpacks and packs sets.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extract } from 'tar';

/** Sets by name: test/NAME.tar.br, each described in the README next to it. */
export const TEST_DATA_SETS = [
  'golden/unit',
  'golden/system',
  'golden/system-lossy',
  'golden/uet',
  'captures/rocev2',
] as const;

export type TestDataSet = (typeof TEST_DATA_SETS)[number];

const UNPACKED = fileURLToPath(new URL('../../build/test-data/', import.meta.url));
const HASH_DIGITS = 12;

/** The archive of a set. */
export function archiveOf(set: TestDataSet): string {
  return fileURLToPath(new URL(`../${set}.tar.br`, import.meta.url));
}

/** The folder that holds the files of a set, with a slash at its end. */
export function testData(set: TestDataSet): string {
  const archive = archiveOf(set);
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, HASH_DIGITS);
  const folder = `${UNPACKED}${set.replace('/', '-')}-${hash}/`;
  if (!existsSync(folder)) unpackInto(archive, folder);
  return folder;
}

/** Several test files may unpack the same set at once: each fills its own folder, and the first to finish provides it. */
function unpackInto(archive: string, folder: string): void {
  mkdirSync(UNPACKED, { recursive: true });
  const filling = mkdtempSync(`${UNPACKED}filling-`);
  extract({ file: archive, cwd: filling, sync: true, brotli: true });
  try {
    renameSync(filling, folder);
  } catch (error) {
    rmSync(filling, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
