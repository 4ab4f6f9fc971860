/** A WebAssembly module of a custom algorithm, checked against the contract. */
import { HANDLER_NAMES, type CustomCode } from '../config/algorithms/custom/custom-algorithm.js';
import { reject } from '../config/field-rules.js';
import { MODULE_EXPORTS } from './module-functions.js';

/** The custom section in which a module may carry its declaration, as JSON. */
const SECTION = 'roce_cc_algorithm';

/** @throws RoceError `invalid-algorithm`, naming what is not as the contract has it. */
export function loadModule(module: unknown): CustomCode {
  if (!(module instanceof Uint8Array)) reject({ got: module, allowed: 'a Uint8Array', where: 'algorithm.module' });
  const bytes = Uint8Array.from(module as Uint8Array);
  const exported = new Set(WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name));
  const handlers = new Set(HANDLER_NAMES.filter((name) => exported.has(MODULE_EXPORTS[name])));
  return { kind: 'module', bytes, handlers, regionEnd: 0 };
}

/** The declaration that a module carries, as JSON; undefined: none. */
export function declarationOfModule(bytes: Uint8Array): string | undefined {
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  return section === undefined ? undefined : new TextDecoder().decode(section);
}
