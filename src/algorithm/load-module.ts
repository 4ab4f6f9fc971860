/** A WebAssembly module of a custom algorithm, checked against the contract. */
import { HANDLER_NAMES, type CustomCode } from '../config/algorithms/custom/custom-algorithm.js';
import { reject } from '../config/field-rules.js';
import { MODULE_EXPORTS } from './module-functions.js';

/** @throws RoceError `invalid-algorithm`, naming what is not as the contract has it. */
export function loadModule(module: unknown): CustomCode {
  if (!(module instanceof Uint8Array)) reject({ got: module, allowed: 'a Uint8Array', where: 'algorithm.module' });
  const bytes = Uint8Array.from(module as Uint8Array);
  const exported = new Set(WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name));
  const handlers = new Set(HANDLER_NAMES.filter((name) => exported.has(MODULE_EXPORTS[name])));
  return { kind: 'module', bytes, handlers, regionEnd: 0 };
}
