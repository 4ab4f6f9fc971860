/**
 * The protocol of `roce-cc gym`: a request and a reply per line of JSON.
 *
 *   {"reset":{"seed":1,"parameters":{…}}}   {"observations":…,"info":…}
 *   {"step":{"actions":{…}}}                {"observations":…,"rewards":…,"terminated":…,"truncated":…,"info":…}
 *   {"close":{}}                            {"closed":true}, and the session ends
 *   anything else, and what fails           {"error":{"code":…,"message":…,…}}, and the session continues
 */
import { checkKeys, checkRecord } from '../../config/field-rules.js';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import type { ByAgent, Action, Gym, ResetOptions } from '../../gym/index.js';
import { describeError, errorFields } from '../describe-error.js';

/** Version of the protocol. */
export const PROTOCOL = 1;
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
export function greeting(gym: Gym,
  about: { readonly version: string; readonly scenario: string; readonly reward: string }): unknown {
  const { kind, intervalUs, agents, observationSpace, actionSpace } = gym;
  return { protocol: PROTOCOL, ...about, kind, intervalUs, agents, observationSpace, actionSpace };
}

/** Handles one request line; its errors become replies. */
export function replyTo(gym: Gym, line: BoundedLine): Reply {
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

/* Splits a stream into lines up to a maximum length, so that an endless line does not exhaust memory. */

/** A line; undefined if it was too long and was skipped. */
export type BoundedLine = string | undefined;

/**
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
