/**
 * A fingerprint of plain data: equal data have equal hashes in every JavaScript engine. It is not cryptographic.
 *
 * Two lanes of 32 bits over a sequence of words, each with its own factors, as in MurmurHash3:
 *
 *   k = word * factor1;  k = rotl(k, 15) * factor2;  h = rotl(h xor k, 13) * 5 + 0xe6546b64      mod 2^32
 *
 * and MurmurHash3's last mix of each lane with the number of words. The words of a value are a tag, then for a number
 * its IEEE 754 double (low half first, -0 as 0); for a string, two separate lanes over its UTF-16 units; for an array, its
 * length and members; for an object, the number of its members and each with its key, in order of code units. Members that JSON omits (undefined) are
 * omitted, so data have the same hash after a round trip through JSON. Flows are hashed member by member in a fixed order, as
 * there may be millions.
 *
 * Source of the steps: A. Appleby, MurmurHash3 (public domain).
 */
import { checkRecord } from '../../config/field-rules.js';
import { requirePlainJson } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import { LOSS_FIGURES, VERB_FIGURES } from '../result-schema/flows.js';
import type { DiscoveryPathResult, FlowResult, SimResult, JobResult } from '../result.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import { atOnce, type Steps } from '../steps.js';

const TAG_NULL = 0;
const TAG_FALSE = 1;
const TAG_TRUE = 2;
const TAG_NUMBER = 3;
const TAG_STRING = 4;
const TAG_ARRAY = 5;
const TAG_OBJECT = 6;
/** The bits of a NaN, hashed for a missing number, as no number here is NaN. */
const NO_NUMBER = [0, 0x7ff80000] as const;

/** A step takes a few milliseconds, even before the JavaScript engine has optimized the code. */
const MEMBERS_PER_STEP = 512;

/** Members of a flow that may be absent, in the order in which they are hashed. */
const LATER_FIGURES = [...LOSS_FIGURES, 'detours', ...VERB_FIGURES] as const;

/** First and second factor of each lane. */
const [LANE_A_1, LANE_A_2] = [0x239b961b, 0xab0e9789];
const [LANE_B_1, LANE_B_2] = [0x38b34ae5, 0xa1e38b93];
const SEED_A = 0x6a09e667;
const SEED_B = 0xbb67ae85;

/**
 * Hash of a result without its `hash`. It includes the scenario and the seed, so that other seeds have other hashes. It
 * excludes the sources of job graphs (`withoutSources`) and members that repeat others: `noteRecords`, and the findings
 * of discovery.
 *
 * @returns 16 hex digits.
 * @throws RoceError `invalid-argument` for values that JSON can't represent (NaN, Infinity, functions), naming the place.
 */
export function hashResult(result: Omit<SimResult, 'hash'>): string {
  checkRecord(result, 'result');
  return atOnce(hashSteps(result));
}

/** Like `hashResult`, but in steps. */
export function* hashSteps(result: Omit<SimResult, 'hash'>): Steps<string> {
  const hash = new DataHash();
  const members = { ...result, ...withoutSources(result) };
  yield* hash.addMembers({
    ...members,
    scenario: withNoteTexts(members.scenario),
    hash: undefined,
    noteRecords: undefined,
    discovery: withoutFindings(members.discovery),
    flows: undefined,
  }, 'result');
  yield* hash.addFlows(result.flows);
  return hash.digest();
}

/**
 * Hash of a scenario as given: equal scenarios have equal hashes, whatever the order of their keys.
 *
 * @returns 16 hex digits.
 * @throws RoceError `invalid-argument` for values that JSON can't represent, naming the place.
 */
export function hashScenario(scenario: ScenarioSpec): string {
  checkRecord(scenario, 'scenario');
  requirePlainJson(scenario, 'invalid-argument', 'scenario');
  const hash = new DataHash();
  hash.addValue(withNoteTexts(scenario), 'scenario');
  return hash.digest();
}

function withoutFindings(discovery: SimResult['discovery']): object | undefined {
  if (discovery === undefined || !Array.isArray(discovery.paths)) return discovery;
  const paths: readonly DiscoveryPathResult[] = discovery.paths;
  return { ...discovery, paths: paths.map((path) => ({ ...path, findings: undefined })) };
}

/** Replaces notes of file readers by their sentences: a scenario that states only the sentences has the same hash. */
function withNoteTexts(scenario: object): object {
  const { notes } = scenario as { readonly notes?: unknown };
  if (!Array.isArray(notes)) return scenario;
  const textOf = (note: unknown): unknown =>
    typeof note === 'object' && note !== null && 'text' in note ? note.text : note;
  return { ...scenario, notes: (notes as readonly unknown[]).map(textOf) };
}

/** Whether the result is unchanged since it was made. */
export function isHashRight(result: SimResult): boolean {
  checkRecord(result, 'result');
  return result.hash === hashResult(result);
}

/** The two lanes, and the number of words in them. */
class Lanes {
  #a = SEED_A;
  #b = SEED_B;
  #count = 0;

  addWord(word: number): void {
    this.#a = step(this.#a, word, LANE_A_1, LANE_A_2);
    this.#b = step(this.#b, word, LANE_B_1, LANE_B_2);
    this.#count++;
  }

  addPair(first: number, second: number): void {
    this.#a = step(step(this.#a, first, LANE_A_1, LANE_A_2), second, LANE_A_1, LANE_A_2);
    this.#b = step(step(this.#b, first, LANE_B_1, LANE_B_2), second, LANE_B_1, LANE_B_2);
    this.#count += 2;
  }

  /** Both lanes, 0 to 2^32 - 1. */
  end(): readonly [number, number] {
    return [lastMix(this.#a ^ this.#count), lastMix(this.#b ^ this.#count)];
  }
}

class DataHash {
  readonly #lanes = new Lanes();
  /** Hashes of strings. Names of nodes and ports recur with every flow. */
  readonly #known = new Map<string, readonly [number, number]>();
  readonly #number = new DataView(new ArrayBuffer(8));
  /** Keys of the previous object. */
  #last: { readonly keys: readonly string[]; readonly order: readonly string[] } = { keys: [], order: [] };

  addValue(value: unknown, where: string): void {
    if (typeof value === 'number') this.#addNumber(value, where);
    else if (typeof value === 'string') this.#addString(value);
    else if (typeof value === 'boolean') this.#lanes.addWord(value ? TAG_TRUE : TAG_FALSE);
    else if (value === null) this.#lanes.addWord(TAG_NULL);
    else if (Array.isArray(value)) this.#addArray(value, where);
    else if (typeof value === 'object') this.#addObject(value, where);
    else throw notJson(typeof value, where);
  }

  /** An object, hashed as by `addValue`, its lists in steps. */
  *addMembers(value: object, where: string): Steps<void> {
    const members = value as Readonly<Record<string, unknown>>;
    for (const key of this.#beginObject(members)) {
      const member = members[key];
      if (member === undefined) continue;
      this.#addString(key);
      if (Array.isArray(member)) yield* this.#addList(member, `${where}.${key}`);
      else this.addValue(member, `${where}.${key}`);
    }
  }

  *addFlows(flows: readonly FlowResult[]): Steps<void> {
    this.#addLength(TAG_ARRAY, flows.length);
    for (let index = 0; index < flows.length; index++) {
      if (index % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      const flow = flows[index];
      if (isObject(flow)) this.#addFlow(flow);
      else this.addValue(flow, `result.flows[${index}]`);
    }
  }

  digest(): string {
    return this.#lanes.end().map((lane) => lane.toString(16).padStart(8, '0')).join('');
  }

  /** Adds a flow. No tags are needed, as the order of members is fixed. */
  #addFlow(flow: FlowResult): void {
    const { index, windowBytes = null, path = [] } = flow;
    this.#addText(flow.from);
    this.#addText(flow.to);
    this.#addText(flow.algorithm);
    this.#addCounter(index, index);
    this.#addCounter(flow.sizeBytes, index);
    this.#addCounter(flow.startPs, index);
    this.#addCounter(flow.completionPs, index);
    this.#addCounter(flow.idealPs, index);
    this.#addCounter(flow.slowdown, index);
    this.#addCounter(flow.deliveredBytes, index);
    this.#addCounter(flow.retransmittedPackets, index);
    this.#addCounter(flow.timeouts, index);
    this.#addCounter(flow.cnps, index);
    this.#addCounter(flow.fastCnps, index);
    this.#addCounter(flow.duplicateNotifications, index);
    this.#addCounter(flow.firstNotificationPs, index);
    this.#addCounter(flow.finalRateBps ?? null, index);
    this.#addCounter(windowBytes, index);
    this.#lanes.addWord(flow.path === undefined ? TAG_NULL : path.length + 1);
    for (const port of path) this.#addText(port);
    if (flow.qp !== undefined) this.#addMessage(flow, flow.qp);
    // These are hashed with their names, as any of them may be absent.
    if (flow.failure !== undefined) this.#addText(flow.failure);
    for (const name of LATER_FIGURES) {
      const count = flow[name];
      if (count === undefined) continue;
      this.#addText(name);
      this.#addCounter(count, index);
    }
    if (flow.heldPs === undefined) return;
    this.#addCounter(flow.heldPs, index);
    this.#addText(flow.heldAt ?? '');
    this.#addText(flow.heldBy ?? '');
  }

  #addMessage({ index, beganPs, beganRateBps, restarted }: FlowResult, qp: number): void {
    this.#addText('qp');
    this.#addCounter(qp, index);
    this.#addCounter(beganPs ?? null, index);
    this.#addCounter(beganRateBps ?? null, index);
    this.#lanes.addWord(restarted === true ? TAG_TRUE : TAG_FALSE);
  }

  #addCounter(value: number | null, flow: number): void {
    if (value === null) this.#lanes.addPair(NO_NUMBER[0], NO_NUMBER[1]);
    else if (Number.isFinite(value)) this.#addBits(value);
    else this.addValue(value, `result.flows[${flow}]`);
  }

  #addObject(value: object, where: string): void {
    const members = value as Readonly<Record<string, unknown>>;
    for (const key of this.#beginObject(members)) {
      const member = members[key];
      if (member === undefined) continue;
      this.#addString(key);
      // The text of the place is not built for numbers, as only errors need it.
      if (typeof member === 'number' && Number.isFinite(member)) this.#addNumber(member, where);
      else this.addValue(member, `${where}.${key}`);
    }
  }

  /** Begins an object. @returns its keys, some of which may have no value. */
  #beginObject(members: Readonly<Record<string, unknown>>): readonly string[] {
    const keys = this.#orderOf(Object.keys(members));
    this.#addLength(TAG_OBJECT, keys.reduce((count, key) => (members[key] === undefined ? count : count + 1), 0));
    return keys;
  }

  /** Keys sorted by code units. Most objects have the same keys as the previous one, as in a list of ports. */
  #orderOf(keys: readonly string[]): readonly string[] {
    const { keys: before, order } = this.#last;
    if (keys.length === before.length && keys.every((key, place) => key === before[place])) return order;
    this.#last = { keys, order: [...keys].sort((a, b) => (a < b ? -1 : 1)) };
    return this.#last.order;
  }

  *#addList(values: readonly unknown[], where: string): Steps<void> {
    this.#addLength(TAG_ARRAY, values.length);
    for (let index = 0; index < values.length; index++) {
      if (index % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      this.addValue(values[index] ?? null, `${where}[${index}]`);
    }
  }

  #addArray(values: readonly unknown[], where: string): void {
    this.#addLength(TAG_ARRAY, values.length);
    values.forEach((value, index) => {
      if (typeof value === 'number') this.#addNumber(value, where, index);
      else this.addValue(value ?? null, `${where}[${index}]`);
    });
  }

  #addNumber(value: number, where: string, place?: number): void {
    if (!Number.isFinite(value)) throw notJson(value, place === undefined ? where : `${where}[${place}]`);
    this.#lanes.addWord(TAG_NUMBER);
    this.#addBits(value);
  }

  #addBits(value: number): void {
    // Adding 0 makes -0 a 0, as JSON does.
    this.#number.setFloat64(0, value + 0, true);
    this.#lanes.addPair(this.#number.getInt32(0, true), this.#number.getInt32(4, true));
  }

  #addString(text: string): void {
    this.#lanes.addWord(TAG_STRING);
    this.#addText(text);
  }

  #addText(text: string): void {
    if (typeof text !== 'string') throw notJson(text, 'result.flows');
    let lanes = this.#known.get(text);
    if (lanes === undefined) {
      lanes = lanesOf(text);
      this.#known.set(text, lanes);
    }
    this.#lanes.addPair(lanes[0], lanes[1]);
  }

  #addLength(tag: number, length: number): void {
    this.#lanes.addWord(tag);
    this.#lanes.addWord(length);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function lanesOf(text: string): readonly [number, number] {
  const lanes = new Lanes();
  for (let index = 0; index < text.length; index++) lanes.addWord(text.charCodeAt(index));
  return lanes.end();
}

function step(lane: number, word: number, factor1: number, factor2: number): number {
  const scaled = Math.imul(word, factor1);
  const mixed = lane ^ Math.imul((scaled << 15) | (scaled >>> 17), factor2);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function lastMix(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function notJson(got: unknown, where: string): RoceError {
  return new RoceError('invalid-argument', { what: 'the value', got, allowed: 'one that JSON can hold', where });
}

type Unhashed = Omit<SimResult, 'hash'>;

/**
 * The members that are hashed in another form; empty without jobs. Names of jobs and the sources of their graphs are left out, so
 * a graph has the same hash whether it comes from a GOAL schedule, Chakra traces or a collective of the scenario.
 */
function withoutSources({ scenario, jobs }: Unhashed): Readonly<Record<string, unknown>> {
  if (!Array.isArray(jobs) || typeof scenario !== 'object' || scenario === null) return {};
  const { workload } = scenario;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  return {
    scenario: { ...scenario, name: undefined, description: undefined, workload: all.map(withoutSource) },
    jobs: (jobs as readonly JobResult[]).map((job) => ({
      ...job,
      name: undefined,
      operations: undefined,
      operationsDone: undefined,
      waiting: undefined,
      collectives: undefined,
      criticalPath: undefined,
      timeline: undefined,
    })),
  };
}

function withoutSource(workload: unknown): unknown {
  const kind: unknown = typeof workload === 'object' && workload !== null && 'kind' in workload ?
    workload.kind :
    undefined;
  return kind === 'job' || kind === 'collective' ? { kind: 'job' } : workload;
}
