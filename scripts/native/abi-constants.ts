/** src/abi's constants as macros of C: records, addresses, codes. */
import * as ack from '../../src/abi/ack-layout.js';
import * as algorithms from '../../src/abi/algorithms.js';
import * as capacity from '../../src/abi/capacity-layout.js';
import * as codes from '../../src/abi/codes.js';
import * as congestionPoint from '../../src/abi/congestion-point-codes.js';
import * as layout from '../../src/abi/layout.js';
import { CLASS_NAMES, namesByCode, OUTCOME_NAMES, WHY_NAMES } from '../../src/abi/names.js';
import * as sim from '../../src/abi/sim-layout.js';
import * as regions from '../../src/abi/sim-regions.js';
import * as plan from '../../src/sim/native-plan/plan-layout.js';
import * as telemetry from '../../src/abi/telemetry-layout.js';
import { note, quoted } from './c-source.js';

const ENGINE = [plan, layout, codes, capacity, ack, congestionPoint, telemetry, algorithms];

/** abi.h: every constant of these files as `ABI_NAME`. */
export function abiHeader(): string {
  const lines = [note('Records, addresses and codes of engine.wasm.'), '#ifndef ROCE_ABI_H', '#define ROCE_ABI_H', ''];
  for (const constants of ENGINE) lines.push(...macros('ABI_', constants));
  // Names that both modules' records use get prefixes.
  lines.push('', ...macros('SIM_ABI_', sim), ...macros('SIM_ABI_', regions), '');
  for (const [name, table] of [['outcome', OUTCOME_NAMES], ['class', CLASS_NAMES], ['why', WHY_NAMES]] as const) {
    const names = namesByCode(table as Readonly<Record<string, number>>);
    const items = Array.from(names, (text) => (text === undefined ? 'NULL' : quoted(text)));
    lines.push(`#define ABI_${name.toUpperCase()}_NAMES {${items.join(', ')}}`);
  }
  lines.push('', '#endif', '');
  return lines.join('\n');
}

function macros(prefix: string, constants: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(constants)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([name, value]) => `#define ${prefix}${name} ${macroValue(value)}`);
}

function macroValue(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) > 0xffffffff)
    return String(value).includes('.') || String(value).includes('e') ? String(value) : `${value}.0`;
  return value < 0 ? `(${value})` : `${value}u`;
}
