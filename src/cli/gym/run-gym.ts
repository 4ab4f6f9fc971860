/**
 * Runs `roce-cc gym`: an environment that a program drives over standard input and output, with a request and a reply
 * per line of JSON.
 *
 *   {"reset":{"seed":1,"parameters":{…}}}   {"observations":…,"info":…}
 *   {"step":{"actions":{…}}}                {"observations":…,"rewards":…,"terminated":…,"truncated":…,"info":…}
 *   {"close":{}}                            {"closed":true}, and the session ends
 *   anything else, and what fails           {"error":{"code":…,"message":…,…}}, and the session continues
 */
import { totalmem } from 'node:os';
import { checkKeys, checkRecord } from '../../config/field-rules.js';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import type { AgentKind } from '../../gym/agent.js';
import { openGym, type Gym } from '../../gym/gym.js';
import type { ByAgent, Action, ResetOptions } from '../../gym/index.js';
import type { RewardName } from '../../gym/options.js';
import { requireMemory } from '../../sim/compile/estimates.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { watchHandlers } from '../algorithms/watchdog.js';
import { describeError, errorFields } from '../describe-error.js';
import { EXIT_OK, type Output, isReaderGone, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { loadScenarios } from '../run/load-scenario.js';
import type { SetValue } from '../run/scenario-options.js';

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
interface GymStreams {
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

/** Version of the protocol. */
const PROTOCOL = 1;
/** Maximum characters of a line. */
export const LINE_MAX = 16 * 1024 * 1024;

const REQUESTS = ['reset', 'step', 'close'] as const;
const LINE = 'the line';

/** The reply to one line. */
export interface Reply {
  readonly message: unknown;
  /** Whether the session ends. */
  readonly closes?: boolean;
}

/** The first line that a session writes. */
function greeting(gym: Gym,
  about: { readonly version: string; readonly scenario: string; readonly reward: string }): unknown {
  const { kind, intervalUs, agents, observationSpace, actionSpace } = gym;
  return { protocol: PROTOCOL, ...about, kind, intervalUs, agents, observationSpace, actionSpace };
}

/** Handles one request line; its errors become replies. */
function replyTo(gym: Gym, line: BoundedLine): Reply {
  try {
    return carryOut(gym, parseRequest(line));
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    return { message: { error: { message: describeError(error), ...errorFields(error) } } };
  }
}

/** A request: its name and content. */
type Request = readonly [name: (typeof REQUESTS)[number], body: Record<string, unknown>];

function carryOut(gym: Gym, [name, body]: Request): Reply {
  if (name === 'close') {
    checkKeys(body, [], name);
    return { message: { closed: true }, closes: true };
  }
  if (name === 'step') {
    checkKeys(body, ['actions'], name);
    return { message: gym.step(body.actions as ByAgent<Action> | undefined) };
  }
  checkKeys(body, ['seed', 'parameters'], name);
  const { seed, ...options } = body as { readonly seed?: number } & ResetOptions;
  return { message: gym.reset(seed, options) };
}

function parseRequest(line: BoundedLine): Request {
  if (line === undefined) {
    const allowed = { max: LINE_MAX, unit: 'characters' };
    throw new RoceError('invalid-argument', { what: 'the length of the line', allowed, where: LINE });
  }
  const request = checkRecord(parseJson(line), LINE);
  const [name, ...others] = Object.keys(request);
  const known = REQUESTS.find((one) => one === name);
  if (known !== undefined && others.length === 0) return [known, checkRecord(request[known], known)];
  throw new RoceError('invalid-argument', {
    what: 'the request',
    got: Object.keys(request),
    allowed: REQUESTS,
    where: LINE,
  });
}

function parseJson(line: string): unknown {
  requireShallowText(line, 'invalid-argument', LINE);
  let value: unknown;
  try {
    value = JSON.parse(line) as unknown;
  } catch (error) {
    throw new RoceError('invalid-argument', { what: LINE, problem: 'is not JSON', cause: error });
  }
  requirePlainJson(value, 'invalid-argument', LINE);
  return value;
}

/** A line; undefined if it was too long and was skipped. */
type BoundedLine = string | undefined;

/**
 * Splits a stream into lines up to a maximum length, so that an endless line does not exhaust memory.
 *
 * @param chunks text in UTF-8.
 * @param most maximum characters of a line.
 */
export async function* boundedLines(chunks: AsyncIterable<Uint8Array | string>,
  most: number): AsyncGenerator<BoundedLine> {
  const decoder = new TextDecoder();
  let rest = '';
  let isSkipping = false;
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first = '', ...others] = text.split('\n');
    rest += first;
    for (const next of others) {
      yield isSkipping || rest.length > most ? undefined : rest;
      isSkipping = false;
      rest = next;
    }
    if (rest.length <= most) continue;
    isSkipping = true;
    rest = '';
  }
  rest += decoder.decode();
  if (isSkipping || rest !== '') yield isSkipping ? undefined : rest;
}
