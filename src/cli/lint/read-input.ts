/** Reads the input of `roce-cc lint`: a path, a SONiC switch or a host's settings, recognised by content. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { importRoceSysfsFolder } from '../../config/importers/node-sysfs-folder.js';
import { RoceError } from '../../errors.js';
import { importSonicConfig } from '../../qos/sonic/import-sonic.js';
import type { SonicConfig } from '../../qos/index.js';
import { isSonicConfig } from '../../qos/sonic/import-sonic.js';
import { readText } from '../read-text.js';
import { inputFile } from '../shipped-files.js';
import { readHosts, type HostInput, type HostOptions } from './load-host.js';

/** Maximum size of a config_db.json: large switches have several megabytes. */
export const CONFIG_BYTES_MAX = 16 * 1024 * 1024;

/** Content of a file or folder. */
export type LintInput = { readonly kind: 'path'; readonly json: unknown; readonly folder: string } | {
  readonly kind: 'sonic';
  readonly config: SonicConfig;
} | { readonly kind: 'hosts'; readonly hosts: readonly HostInput[] };

/** @throws RoceError; system errors, which name the file. */
export async function readLintInput(given: string, options: HostOptions): Promise<LintInput> {
  const file = inputFile(given);
  if (file !== '-' && (await stat(file)).isDirectory()) {
    const adapter = await importRoceSysfsFolder(file, { lineRateBps: options.lineRateBps });
    return { kind: 'hosts', hosts: [{ name: 'host', settings: { adapter, vendor: 'nvidia' } }] };
  }
  const text = await readText(file, CONFIG_BYTES_MAX);
  if (!isJson(text)) return { kind: 'hosts', hosts: at(file, () => readHosts(text, file, options)) };
  const json = parse(text, file);
  if (isSonicConfig(json)) return { kind: 'sonic', config: at(file, () => importSonicConfig(text)) };
  return { kind: 'path', json, folder: path.dirname(file) };
}

/** Whether a text begins like JSON, and not with a prompt such as `[root@h1 ~]#`. */
function isJson(text: string): boolean {
  return /^\s*(?:\{|\[(?!\w+@))/.test(text);
}

/** Adds the file's name to errors that lack it. */
export function at<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RoceError) || error.where.includes(file)) throw error;
    throw error.at(`${file}, ${error.where}`);
  }
}

function parse(text: string, file: string): unknown {
  requireShallowText(text, 'invalid-settings', file);
  let json: unknown;
  try {
    json = JSON.parse(text) as unknown;
  } catch (error) {
    throw new RoceError('invalid-settings', { what: 'the file', problem: 'is not JSON', cause: error, where: file });
  }
  requirePlainJson(json, 'invalid-settings', file);
  return json;
}
