/** The tables that the C sources include: abi.h, tables.h and tables.c. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { SIM_WASM_FILE, WASM_FILE } from '../paths.mjs';
import { abiHeader } from './abi-constants.js';
import { note, packageVersion, quoted } from './c-source.js';
import { fieldEnums, presetEnums, presetTables } from './presets.js';
import { RuleWriter } from './rule-tables.js';
import { settingEnums, settingTables } from './settings.js';

const HASH_DIGITS = 16;

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, HASH_DIGITS);
}

function tablesHeader(): string {
  return [
    note('Parameters, presets and settings of src/config.'),
    '#ifndef ROCE_TABLES_H',
    '#define ROCE_TABLES_H',
    '',
    '#include "rules.h"',
    '',
    `#define ROCE_VERSION_TEXT ${quoted(packageVersion())}`,
    '/* Of engine.wasm: snapshots name it. */',
    `#define ROCE_BUILD_TEXT ${quoted(hashOf(WASM_FILE))}`,
    '/* Of sim.wasm: plans name it. */',
    `#define ROCE_SIM_BUILD_TEXT ${quoted(hashOf(SIM_WASM_FILE))}`,
    '',
    ...presetEnums(),
    ...fieldEnums(),
    ...settingEnums(),
    '',
    'extern const struct algorithm algorithms[];',
    'extern const unsigned algorithm_count;',
    'extern const struct input inputs[INPUT_COUNT];',
    'extern const struct preset presets[];',
    'extern const unsigned preset_count;',
    'extern const struct input settings[];',
    'extern const unsigned settings_count;',
    'extern const struct input capacities[];',
    'extern const unsigned capacities_count;',
    'extern const struct input point_settings[];',
    'extern const unsigned point_settings_count;',
    '',
    '#endif',
    '',
  ].join('\n');
}

function tablesSource(): string {
  const writer = new RuleWriter();
  const lines = [...presetTables(writer), ...settingTables(writer)];
  return [
    note('Parameters, presets and settings of src/config.'),
    '#include "tables.h"',
    '',
    ...writer.arrays,
    '',
    ...lines,
  ].join('\n');
}

/** Writes the three files into a folder. */
export function writeTables(folder: string): void {
  writeFileSync(path.join(folder, 'abi.h'), abiHeader());
  writeFileSync(path.join(folder, 'tables.h'), tablesHeader());
  writeFileSync(path.join(folder, 'tables.c'), tablesSource());
}
