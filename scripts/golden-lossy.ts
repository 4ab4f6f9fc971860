/**
 * All golden runs of the second reference (lossy networks) against the plain model: `npm run golden-lossy [-- PATTERN]`,
 * a regular expression on "scenario variant". `--read`: by the library's reader and compiler instead of the tests' own.
 * Ends with 1 if any differs.
 */
import { compareLossyRun } from '../test/support/lossy-golden-compare.js';
import { lossyGoldenPlan, lossyGoldenRuns, readLossyGoldenPlan } from '../test/support/lossy-golden-plan.js';

const SHOWN = 4;

function main(words: readonly string[]): void {
  const [pattern = ''] = words.filter((word) => !word.startsWith('--'));
  const makePlan = words.includes('--read') ? readLossyGoldenPlan : lossyGoldenPlan;
  const wanted = new RegExp(pattern);
  let [same, different] = [0, 0];
  for (const [scenario, variant, row] of lossyGoldenRuns()) {
    if (!wanted.test(`${scenario} ${variant}`)) continue;
    const differences = compareLossyRun(scenario, variant, row, makePlan);
    if (differences.length === 0) same += 1;
    else {
      different += 1;
      const more = differences.length > SHOWN ? [`and ${differences.length - SHOWN} more`] : [];
      process.stdout.write(`${scenario} ${variant}: ${[...differences.slice(0, SHOWN), ...more].join('; ')}\n`);
    }
  }
  process.stdout.write(`${same} runs the same, ${different} different\n`);
  if (different > 0) process.exitCode = 1;
}

main(process.argv.slice(2));
