/**
 * An epsilon-greedy bandit over DCQCN's alpha gain g: node examples/gym/bandit.mjs
 *
 *   arm      a gain for a whole episode of two-flows.json, with its own seed
 *   reward   mean over the episode of the switch's power: utilization, less where packets wait
 *   choice   each arm once; then mostly the best so far, at times any
 *
 * It finds the value of DCQCN's paper, 1/256. bandit.py is the same program in Python, and prints the same.
 */
import { readFileSync } from 'node:fs';
import { openGym } from 'roce-cc/gym';

const GAINS = [1, 1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 1024];
const PULLS = 60;
const EPSILON = 0.3;

const scenario = JSON.parse(readFileSync(new URL('two-flows.json', import.meta.url), 'utf8'));
const gym = openGym(scenario, { agents: 'switches', intervalUs: 100, reward: 'power' });
const arms = GAINS.map((gain) => ({ gain, pulls: 0, sum: 0 }));
let state = 1;

/** Lehmer's generator, the same in every language: 0 up to, not including, 1. */
function random() {
  state = (state * 48271) % 2147483647;
  return (state - 1) / 2147483646;
}

const meanOf = ({ pulls, sum }) => sum / pulls;
const best = () => arms.reduce((most, arm) => (meanOf(arm) > meanOf(most) ? arm : most));

function choose(pull) {
  if (pull < arms.length) return arms[pull];
  return random() < EPSILON ? arms[Math.floor(random() * arms.length)] : best();
}

function episode(alphaGain, seed) {
  gym.reset(seed, { parameters: { dcqcn: { alphaGain } } });
  let sum = 0;
  for (;;) {
    const { rewards, info } = gym.step();
    sum += rewards.s0;
    if (info.result) return sum / info.step;
  }
}

for (let pull = 0; pull < PULLS; pull++) {
  const arm = choose(pull);
  arm.pulls++;
  arm.sum += episode(arm.gain, pull + 1);
}

console.log('gain     pulls  mean reward');
for (const arm of arms) {
  console.log(`1/${String(1 / arm.gain).padEnd(6)} ${String(arm.pulls).padStart(5)}  ${meanOf(arm).toFixed(4)}`);
}
console.log(`best: 1/${1 / best().gain}`);
