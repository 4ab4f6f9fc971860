/**
 * Packed test data, by set:
 *
 *   npm run test-data                             lists the sets, and the size of each archive
 *   npm run test-data -- unpack SET FOLDER        writes the files of a set into a folder, to look at them
 *   npm run test-data -- pack SET FOLDER          makes the archive of a set from the files of a folder
 *
 * The same files give the same archive: names are sorted, and owners and times are left out.
 */
import { cpSync, readdirSync, statSync } from 'node:fs';
import { create } from 'tar';
import { archiveOf, TEST_DATA_SETS, testData, type TestDataSet } from '../test/support/test-data.js';

const USAGE = 'usage: npm run test-data -- [unpack SET FOLDER | pack SET FOLDER]';

function list(): void {
  for (const set of TEST_DATA_SETS) process.stdout.write(`${set.padEnd(22)}${statSync(archiveOf(set)).size} bytes\n`);
}

function pack(set: TestDataSet, folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(`${folder}/${name}`).isFile()).sort();
  create({ file: archiveOf(set), cwd: folder, sync: true, portable: true, mtime: new Date(0), brotli: true }, files);
}

function main([command, set, folder]: readonly string[]): void {
  if (command === undefined) {
    list();
    return;
  }
  const known = TEST_DATA_SETS.find((name) => name === set);
  if (known === undefined || folder === undefined) throw new Error(`${USAGE}\nsets: ${TEST_DATA_SETS.join(', ')}`);
  if (command === 'unpack') cpSync(testData(known), folder, { recursive: true });
  else if (command === 'pack') pack(known, folder);
  else throw new Error(USAGE);
}

main(process.argv.slice(2));
