/**
 * What the library for C runs in QuickJS: scenarios are compiled, run and read by the code of the npm package (native/scenarios/script.c). Texts
 * come in as globals, in addition to those of script-globals.ts; the value of the program is a text, a buffer, or "!STATUS message".
 */
import './script-globals.js';
import { RoceError } from '../../src/errors.js';
import { resultJsonParts } from '../../src/sim/files/result-json.js';
import { nativePlan, openNativePlan } from '../../src/sim/native-plan.js';
import type { OpenOptions, OpenScenarioSpec } from '../../src/sim/run/open-parts.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

/** Set by script.c. */
declare const functionName: string;
declare const scenarioText: string;
declare const optionsText: string;

const FUNCTIONS: Readonly<Record<string, () => string | ArrayBuffer>> = {
  run: () => {
    const result = runScenarioSync(read('scenario', scenarioText) as ScenarioSpec);
    return result.hash + Array.from(resultJsonParts(result)).join('');
  },
  plan: () => buffer(nativePlan(read('scenario', scenarioText) as ScenarioSpec)),
  openPlan: () =>
    buffer(
      openNativePlan(read('scenario', scenarioText) as OpenScenarioSpec, read('options', optionsText) as OpenOptions),
    ),
};

(globalThis as { scenarioResult?: unknown }).scenarioResult = outcome();

function outcome(): string | ArrayBuffer {
  try {
    return FUNCTIONS[functionName]();
  } catch (error) {
    if (error instanceof RoceError) return `!${error.code === 'capacity' ? 'capacity' : 'config'} ${error.message}`;
    return `!fault ${error instanceof Error ? `${error.message} ${error.stack ?? ''}` : 'the kernel stopped'}`;
  }
}

function read(where: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new RoceError('invalid-scenario', { where, problem: 'is not JSON', cause });
  }
}

function buffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}
