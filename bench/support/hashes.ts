/**
 * Fingerprints of the project's results; `npm run hashes` prints them, bench/hashes.txt records them.
 *
 *   result NAME HASH   each scenario of examples/scenarios, run from its start to its end
 *   state NAME HASH    the engine after a stream of random events: of DCQCN, of each other algorithm, of several in one batch
 *
 * A change that is to leave behaviour as it is leaves every line as it is; the lines before and after are the proof.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type RunOptions, type ScenarioSpec, runScenarioSync } from '../../src/sim/index.js';
import { uetReference } from '../../src/uet/index.js';

export { stateHashes } from './state-hashes.js';

const SCENARIOS = new URL('../../examples/scenarios/', import.meta.url);

/** A line per scenario of the files named, by default all that are shipped. */
export function* resultHashes(files: readonly string[] = readdirSync(SCENARIOS).sort(),
  options: RunOptions = {}): Generator<string> {
  for (const file of files) {
    const spec = JSON.parse(readFileSync(new URL(file, SCENARIOS), 'utf8')) as ScenarioSpec;
    yield `result ${file} ${runScenarioSync(spec, { uetReference, ...options }).hash}`;
  }
}
