/** Runs `roce-cc gym`: an environment that a program drives over standard input and output. */
import { totalmem } from 'node:os';
import type { AgentKind } from '../../gym/agent.js';
import { openGym, type Gym } from '../../gym/gym.js';
import type { RewardName } from '../../gym/rewards.js';
import { requireMemory } from '../../sim/compile/memory-estimate.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { EXIT_OK, type Output } from '../output.js';
import { printableJson } from '../printable.js';
import { watchHandlers } from '../algorithms/watchdog.js';
import { loadScenarios } from '../run/load-scenario.js';
import type { SetValue } from '../run/set-values.js';
import { isReaderGone, writeOut } from '../write-out.js';
import { boundedLines, greeting, LINE_MAX, replyTo } from './session.js';

export interface GymFlags {
  readonly agents: AgentKind;
  readonly intervalUs: number;
  readonly reward: RewardName;
  readonly steps?: number;
  /** A preset or custom algorithm file that replaces the scenario's algorithms. */
  readonly algorithm?: string;
  readonly set: readonly SetValue[];
}

/** Where requests come from and replies go to. */
export interface GymStreams {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: Output;
  /** Version of the package. */
  readonly version: string;
}

/** Share of the machine's memory that a simulation may use. */
const MEMORY_SHARE = 0.8;

/**
 * Serves an environment until the input ends, a request closes it, or the output's reader closes it.
 *
 * @throws RoceError and system errors, before the first line.
 */
export async function runGym(source: string, flags: GymFlags, { input, output, version }: GymStreams): Promise<number> {
  const { agents, intervalUs, reward, steps, algorithm } = flags;
  const [{ spec, name, graphs, algorithmFiles, congestionPointFiles }] = await loadScenarios({
    scenarios: [source],
    references: [],
    seed: undefined,
    changes: flags.set,
    algorithms: algorithm === undefined ? [] : [algorithm],
  });
  watchHandlers([...Object.values(algorithmFiles), ...Object.values(congestionPointFiles)]);
  const files = { graphs, algorithmFiles, congestionPointFiles };
  const valid = validateScenario(spec, files);
  requireMemory(valid, totalmem() * MEMORY_SHARE);
  const episode = steps === undefined ? {} : { steps };
  const gym = openGym(valid.spec, { agents, intervalUs, reward, episode, ...files });
  try {
    await serve(gym, greeting(gym, { version, scenario: name, reward }), input, output);
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  }
  return EXIT_OK;
}

async function serve(gym: Gym, first: unknown, input: GymStreams['input'], { stdout }: Output): Promise<void> {
  const say = (message: unknown): Promise<void> => writeOut(stdout, `${printableJson(JSON.stringify(message))}\n`);
  await say(first);
  for await (const line of boundedLines(input, LINE_MAX)) {
    if (line?.trim() === '') continue;
    const { message, closes = false } = replyTo(gym, line);
    await say(message);
    if (closes) return;
  }
}
