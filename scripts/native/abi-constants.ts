/** src/abi's constants as macros of C: records, addresses, codes. */
import * as ack from '../../src/abi/ack-layout.js';
import * as algorithms from '../../src/abi/algorithms.js';
import * as congestion from '../../src/abi/records/congestion-point.js';
import { CONTROLLER, NSCC_MORE, RCCC_STATE } from '../../src/abi/records/controllers.js';
import { CAPACITY } from '../../src/abi/records/engine-capacity.js';
import { SIM_FLOW, SIM_PORT } from '../../src/abi/records/network.js';
import { SIM_TOTAL } from '../../src/abi/records/sim-run.js';
import * as codes from '../../src/abi/codes.js';
import * as layout from '../../src/abi/layout.js';
import { CLASS_NAMES, namesByCode, OUTCOME_NAMES, WHY_NAMES } from '../../src/abi/names.js';
import * as sim from '../../src/abi/sim-codes.js';
import * as plan from '../../src/sim/native-plan.js';
import * as telemetry from '../../src/abi/records/telemetry.js';
import { upperSnake } from '../records.mjs';
import { note, quoted } from './c-source.js';

const ENGINE = [plan, layout, codes, ack, telemetry, algorithms];
/** Places in tables, by the prefix of their names. */
const ENGINE_TABLES = {
  CAPACITY: CAPACITY.index,
  TELEMETRY: telemetry.TELEMETRY.index,
  CP: congestion.CONGESTION_POINT.at,
  CONTROLLER: CONTROLLER.at,
  RCCC: RCCC_STATE.at,
};
const SIM_TABLES = { FLOW: SIM_FLOW.at, PORT: SIM_PORT.at, TOTAL: SIM_TOTAL.index };
const ENGINE_SIZES = {
  CP_BYTES: congestion.CONGESTION_POINT.bytes,
  BUCKET_BYTES: congestion.TOKEN_BUCKET.bytes,
  NSCC_MORE_BYTES: NSCC_MORE.bytes,
};
const SIM_SIZES = { FLOW_BYTES: SIM_FLOW.bytes, PORT_BYTES: SIM_PORT.bytes, TOTAL_COUNT: SIM_TOTAL.count };

/** abi.h: every constant of these files as `ABI_NAME`. */
export function abiHeader(): string {
  const lines = [note('Records, addresses and codes of engine.wasm.'), '#ifndef ROCE_ABI_H', '#define ROCE_ABI_H', ''];
  for (const constants of ENGINE) lines.push(...macros('ABI_', constants));
  lines.push(...placesOf('ABI_', ENGINE_TABLES), ...macros('ABI_', ENGINE_SIZES));
  // Names that both modules' records use get prefixes.
  lines.push('', ...macros('SIM_ABI_', sim), ...placesOf('SIM_ABI_', SIM_TABLES), ...macros('SIM_ABI_', SIM_SIZES), '');
  for (const [name, table] of [['outcome', OUTCOME_NAMES], ['class', CLASS_NAMES], ['why', WHY_NAMES]] as const) {
    const names = namesByCode(table as Readonly<Record<string, number>>);
    const items = Array.from(names, (text) => (text === undefined ? 'NULL' : quoted(text)));
    lines.push(`#define ABI_${name.toUpperCase()}_NAMES {${items.join(', ')}}`);
  }
  lines.push('', '#endif', '');
  return lines.join('\n');
}

/** `SIM_ABI_FLOW_START_PS`: of the field startPs. */
function placesOf(prefix: string, tables: Readonly<Record<string, Readonly<Record<string, number>>>>): string[] {
  return Object.entries(tables).flatMap(([name, places]) =>
    macros(`${prefix}${name}_`,
      Object.fromEntries(Object.entries(places).map(([field, at]) => [upperSnake(field), at])))
  );
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
