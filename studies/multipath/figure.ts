/** The figure of docs/studies/multipath-study.md: completion times of the permutation as a plane fails. */
import { figureSvg } from '../../src/cli/figures/figure-files.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { PS_PER_US } from '../../src/units.js';
import { CONDITIONS, FOUR_PLANES, scenarioOf, SMALL_SIDE, STACK_KEYS, STACKS } from './cases.js';

const PERCENT = 100;

export function planeFigure(): string {
  const lines = STACK_KEYS.map((stack) => {
    const spec = scenarioOf(FOUR_PLANES, stack, 'permutation', 'failedPlane', SMALL_SIDE);
    if (spec === undefined) throw new Error(`${CONDITIONS.failedPlane.name}: no planes`);
    const x = runScenarioSync(spec).flows.map(({ completionPs }) => (completionPs ?? Infinity) / PS_PER_US)
      .filter(Number.isFinite).sort((a, b) => a - b);
    return { label: STACKS[stack].name.replaceAll('`', ''), x, y: x.map((_, at) => (PERCENT * (at + 1)) / x.length) };
  });
  return figureSvg({
    id: 'multipath-study',
    title: `Permutation of 64 hosts, ${CONDITIONS.failedPlane.name}`,
    caption: 'Share of flows that are complete over time, by transport.',
    x: { label: 'completion', unit: 'µs', scale: 'log' },
    y: { label: 'flows complete', unit: '%', scale: 'linear' },
    lines,
  });
}
