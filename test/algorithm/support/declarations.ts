/** Declarations of the modules of examples/algorithms, and the parameters of built-in algorithms in their order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-module.js';

/** The fields of a declaration that tests read. */
export interface Declaration {
  readonly name: string;
  readonly parameters: Readonly<Record<string, { readonly values?: readonly string[] }>>;
  readonly state: Readonly<Record<string, number | readonly number[]>>;
}

export function declarationOf(name: string): Declaration {
  const file = join(ROOT, 'examples/algorithms/assemblyscript', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Declaration;
}

/** The parameters of a built-in algorithm in the order of a declaration, with choices as their index. */
export function parametersInOrder(declaration: Declaration, given: object): number[] {
  return Object.entries(declaration.parameters).map(([name, { values }]) => {
    const value = (given as Record<string, unknown>)[name];
    return values === undefined ? Number(value) : values.indexOf(value as string);
  });
}

/** The declaration in a module's custom section. */
export function declarationIn(module: WebAssembly.Module): unknown {
  const [section] = WebAssembly.Module.customSections(module, 'roce_cc_algorithm');
  return section && (JSON.parse(new TextDecoder().decode(section)) as unknown);
}
