/**
 * Imports NVIDIA settings from the folder `ecn` of a network device, or from a copy of it. Node only.
 *
 * @packageDocumentation
 */

import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RoceError, type RoceErrorFields } from '../../errors.js';
import type { ImportedSettings } from './imported-settings.js';
import type { RawSetting } from './settings-text.js';
import type { NvidiaImportOptions } from './nvidia.js';
import { importSysfsSettings } from './nvidia-runtime.js';

/** Limit of a file's size; each holds one or two numbers. */
const FILE_BYTES_MAX = 4096;
/** Limit of the files in one folder; drivers have about twenty. */
const FILES_MAX = 256;

/**
 * Reads `roce_rp` and `roce_np` below a folder.
 *
 * @param folder such as `/sys/class/net/eth2/ecn`.
 * @returns the imported settings.
 * @throws RoceError `invalid-settings`, naming the file, if neither folder exists, a folder has more than 256 files, or a
 *   file is unknown, invalid, or longer than 4 KiB;
 *   `invalid-config`, naming the option.
 */
export async function importRoceSysfsFolder(folder: string, options: NvidiaImportOptions): Promise<ImportedSettings> {
  if (typeof folder !== 'string') {
    throw new RoceError('invalid-argument', { where: 'folder', got: folder, allowed: 'the path of a folder' });
  }
  const groups = await Promise.all(['roce_rp', 'roce_np'].map((group) => readGroup(folder, group)));
  const settings = groups.flat();
  if (settings.length === 0) {
    throw new RoceError('invalid-settings', { got: folder, allowed: 'one with roce_rp and roce_np', where: 'folder' });
  }
  return importSysfsSettings(settings, options);
}

async function readGroup(folder: string, group: string): Promise<RawSetting[]> {
  const files = await listFiles(join(folder, group));
  const enables = await listFiles(join(folder, group, 'enable'));
  const names = [...files.map((file) => `${group}/${file}`), ...enables.map((file) => `${group}/enable/${file}`)];
  return Promise.all(names.map(async (name) => {
    const path = join(folder, name);
    return { name, value: (await readShort(path)).trim(), place: `file ${path}` };
  }));
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name).sort();
    if (files.length > FILES_MAX)
      reject({ what: 'the number of files', got: files.length, allowed: { max: FILES_MAX }, where: folder });
    return files;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Reads up to a limit, because sysfs does not report the length of a file in advance. */
async function readShort(file: string): Promise<string> {
  const opened = await open(file);
  try {
    const bytes = Buffer.alloc(FILE_BYTES_MAX + 1);
    let lenBytes = 0;
    for (let count = 1; count > 0 && lenBytes < bytes.length; lenBytes += count) {
      count = (await opened.read(bytes, lenBytes, bytes.length - lenBytes)).bytesRead;
    }
    if (lenBytes > FILE_BYTES_MAX)
      reject({ what: 'the length of a setting', allowed: { max: FILE_BYTES_MAX, unit: 'bytes' }, where: file });
    return bytes.toString('utf8', 0, lenBytes);
  } finally {
    await opened.close();
  }
}

function reject(fields: RoceErrorFields): never {
  throw new RoceError('invalid-settings', fields);
}
