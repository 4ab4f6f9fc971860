/** Stand-in for `roce-cc/algorithm` until the product has it. */
import { compileScenario, validateScenario, type CompiledScenario } from '../../src/sim/index.js';

export interface ParameterDeclaration {
  readonly default: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly whole?: boolean;
  readonly values?: readonly string[];
  readonly unit?: string;
  readonly description?: string;
  readonly title?: string;
}

export interface CustomAlgorithm {
  readonly name: string;
  readonly title?: string;
  readonly parameters?: Readonly<Record<string, ParameterDeclaration>>;
}

export function defineAlgorithm(definition: CustomAlgorithm): CustomAlgorithm {
  return Object.freeze({ ...definition });
}

export function compileWith(scenario: unknown, algorithms: readonly CustomAlgorithm[]): CompiledScenario {
  const text = JSON.stringify(scenario,
    (key, value: unknown) => key === 'preset' && algorithms.some(({ name }) => name === value) ? 'dctcp-ns3' : value);
  return compileScenario(validateScenario(JSON.parse(text)));
}
