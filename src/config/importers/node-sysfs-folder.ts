/**
 * NVIDIA settings read from the files of a folder `ecn` of a network device, or of a copy of one. For Node only.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RoceError } from '../../errors.js';
import type { ImportedSettings, RawSetting } from './imported-settings.js';
import type { NvidiaImportOptions } from './nvidia.js';
import { importSysfsSettings } from './nvidia-runtime.js';

/**
 * Reads `roce_rp` and `roce_np` below a folder.
 *
 * @param folder such as `/sys/class/net/eth2/ecn`.
 * @returns what the files say.
 * @throws RoceError `invalid-settings`, naming the file, when neither folder is there or a file is unknown or bad;
 *   `invalid-config`, naming the option.
 */
export async function importRoceSysfsFolder(folder: string, options: NvidiaImportOptions): Promise<ImportedSettings> {
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
    return { name, value: (await readFile(path, 'utf8')).trim(), place: `file ${path}` };
  }));
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
