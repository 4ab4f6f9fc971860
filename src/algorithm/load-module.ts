/**
 * Loads the WebAssembly module of a custom algorithm: checks it against the contract, and meters it so that every call
 * ends.
 */
import { HANDLER_NAMES, type CustomCode } from '../config/algorithms/custom/custom-algorithm.js';
import { reject } from '../config/field-rules.js';
import { MODULE_EXPORTS } from './module-functions.js';
import { checkModule } from './module/check.js';
import { inspectModule } from './module/inspect.js';
import { meterModule } from './module/meter.js';

/** Loop iterations and calls allowed per event. */
export const CALL_BUDGET = 1_000_000;

/** @throws RoceError `invalid-algorithm`, naming the part that breaks the contract. */
export function loadModule(module: unknown): CustomCode {
  if (!(module instanceof Uint8Array)) reject({ got: module, allowed: 'a Uint8Array', where: 'algorithm.module' });
  const given = Uint8Array.from(module);
  const { handlers: exported, region } = checkModule(given);
  const handlers = new Set(
    HANDLER_NAMES.filter((name) => (exported as readonly string[]).includes(MODULE_EXPORTS[name])),
  );
  return { kind: 'module', bytes: Uint8Array.from(meterModule(given, CALL_BUDGET)), source: given, handlers, region };
}

/** The declaration in a module, as JSON; undefined if there is none. @throws RoceError `invalid-algorithm`. */
export function declarationOfModule(bytes: Uint8Array): string | undefined {
  const { declaration } = inspectModule(bytes);
  return declaration;
}
