/**
 * Loads the user's code as the custom algorithm of this worker. This runs only where the policy of web/sandbox applies:
 * in a worker without origin, network, storage or page.
 */
import * as algorithmModule from '../../src/algorithm/index.js';
import type { CustomAlgorithm } from '../../src/algorithm/index.js';
import { isCustomAlgorithm } from '../../src/config/algorithms/custom/custom-parameters.js';
import type { DeclaredAlgorithm } from '../protocol/algorithm-protocol.js';

const SHARED = 'roce-cc/algorithm';

let loaded: Promise<CustomAlgorithm | undefined> = Promise.resolve(undefined);
let moduleUrl = '';

/** Rejects with any error that the code throws, also for later callers. */
export function loadAlgorithm(parts: readonly string[]): Promise<CustomAlgorithm> {
  const mine = imported(parts);
  loaded = mine;
  return mine;
}

export function algorithmOfWorker(): Promise<CustomAlgorithm | undefined> {
  return loaded;
}

/** URL of the code in stack traces; empty if there is no code. */
export const codeUrl = (): string => moduleUrl;

async function imported(parts: readonly string[]): Promise<CustomAlgorithm> {
  if (origin !== 'null') throw new Error('Code of algorithms runs in the sandbox only.');
  moduleUrl = urlOf(parts.join(JSON.stringify(urlOf(apiModule()))));
  const { default: definition } = await import(/* @vite-ignore */ moduleUrl) as { readonly default?: unknown };
  if (!isCustomAlgorithm(definition))
    throw new Error('The default export must be an algorithm: export default defineAlgorithm({ ... }).');
  return definition;
}

/** URL of a module with the exports of `roce-cc/algorithm`, which the worker's code can import. */
function apiModule(): string {
  Object.defineProperty(globalThis, Symbol.for(SHARED), { value: algorithmModule });
  return `export const { ${Object.keys(algorithmModule).join(', ')} } = globalThis[Symbol.for('${SHARED}')];`;
}

const urlOf = (code: string): string => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));

export function declarationOf({ name, title, parameters }: CustomAlgorithm): DeclaredAlgorithm {
  return {
    name,
    title,
    parameters: Object.entries(parameters).map(([key, declared]) => ({
      name: key,
      title: declared.title ?? '',
      unit: declared.unit ?? '',
      description: declared.description ?? '',
      choices: declared.values ?? [],
      isFlag: typeof declared.default === 'boolean',
      min: declared.min ?? -Infinity,
      max: declared.max ?? Infinity,
      isWhole: declared.whole ?? false,
    })),
  };
}
