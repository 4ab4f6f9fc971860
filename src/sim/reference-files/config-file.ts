/**
 * The reference simulator's config file: `KEY value` lines in any order.
 *
 * The simulator reads word by word, so values such as long maps may continue on the next lines. Blank lines, lines that begin
 * with `#`, and remarks in braces (which the simulator's own documentation of the keys has) are skipped.
 */
import { flagOf, linesOf, numberOf, rateOf, rateOrZeroOf, rejectText, rejectWord, wholeOf,
  type Word } from './reference-text.js';

/** A value for each port rate. */
export type RateMap = ReadonlyMap<number, number>;

/** The settings of a run, each validated when it is read. */
export class ReferenceConfig {
  readonly file: string;
  /** Whether its keys identify it as a config of ConWeave's simulator. */
  readonly isLossy: boolean;
  /** The keys that its simulator knows. */
  readonly table: ConfigKeys;
  /** Keys of other descendants that only concern their output files. */
  readonly foreignOutputs: readonly Word[];
  /** Keys that no table has, ignored as requested. */
  readonly ignored: readonly Word[];
  readonly #given = new Map<string, readonly Word[]>();
  readonly #unknown: Word[] = [];

  /**
   * Reads a config file.
   *
   * @param table keys of the simulator; default: judged by the file's keys.
   * @param ignoreUnknownKeys whether keys that the table lacks are ignored.
   * @throws RoceError `invalid-scenario`, naming file, line and key, for unknown or double keys.
   */
  constructor(text: string, file: string, table?: ConfigKeys, ignoreUnknownKeys = false) {
    this.file = file;
    const lines = linesOf(withoutRemarks(text), file);
    this.isLossy = table === undefined && lines.some(([{ text: key }]) => LOSSY_MARKS.includes(key));
    this.table = table ?? (this.isLossy ? LOSSY_CONFIG_KEYS : CONFIG_KEYS);
    for (let next = 0; next < lines.length;) next = this.#readSetting(lines, next);
    this.foreignOutputs = this.#unknown.filter(({ text: key }) => FOREIGN_OUTPUT_KEY.test(key));
    this.ignored = this.#unknown.filter(({ text: key }) => !FOREIGN_OUTPUT_KEY.test(key));
    if (!ignoreUnknownKeys && this.ignored.length > 0) rejectKeys(this.ignored, Object.keys(this.table));
  }

  /** The keys of the file for which `wanted` returns true, in order. */
  keys(wanted: (key: ConfigKey) => boolean): readonly string[] {
    return [...this.#given.keys()].filter((name) => wanted(this.table[name]));
  }

  has(key: string): boolean {
    return this.#given.has(key);
  }

  /** The words after a key, or its default. @throws RoceError `invalid-scenario` if there is neither. */
  words(key: string): readonly Word[] {
    const given = this.#given.get(key);
    if (given !== undefined) return given;
    const { missing } = this.table[key];
    if (missing === undefined)
      rejectText({ what: key, got: undefined, allowed: 'a key with a value', where: this.file });
    return missing.split(' ').map((text) => ({ text, place: `${this.file}, default` }));
  }

  word(key: string): Word {
    const [word] = this.words(key);
    return { text: word.text, place: `${word.place}, ${key}` };
  }

  flag(key: string): boolean {
    return flagOf(this.word(key), key);
  }

  whole(key: string, low: number, high: number): number {
    return wholeOf(this.word(key), key, low, high);
  }

  number(key: string, low: number, high: number): number {
    return numberOf(this.word(key), key, low, high);
  }

  rateBps(key: string): number {
    return rateOf(this.word(key), key);
  }

  /** A rate step, which may be 0, bits per second. */
  stepBps(key: string): number {
    return rateOrZeroOf(this.word(key), key);
  }

  /** A map with a count and pairs of rate and value, such as `2 100000000000 400 400000000000 1600`. */
  byRate(key: string, high: number): RateMap {
    const [, ...words] = this.words(key);
    const map = new Map<number, number>();
    for (let i = 0; i < words.length; i += 2) {
      map.set(wholeOf(words[i], `rate of ${key}`, 1, Number.MAX_SAFE_INTEGER), numberOf(words[i + 1], key, 0, high));
    }
    return map;
  }

  /** Reads the setting that begins at a line; returns the next line. */
  #readSetting(lines: readonly (readonly Word[])[], at: number): number {
    const [key, ...values] = lines[at];
    let next = at + 1;
    if (isRemark(key)) return next;
    const rule = this.#isKey(key) ? this.table[key.text] : undefined;
    if (rule === undefined) return this.#skipUnknown(key, lines, next);
    while (
      next < lines.length && wordsWanted(rule, values) > values.length && !this.#isKey(lines[next][0]) &&
      !isRemark(lines[next][0])
    ) for (const word of lines[next++]) values.push(word);
    this.#keep(key, rule, values);
    return next;
  }

  /** Skips an unknown key, whose values may continue on further lines of numbers. */
  #skipUnknown(key: Word, lines: readonly (readonly Word[])[], from: number): number {
    if (!KEY_LIKE.test(key.text)) rejectWord(key, 'the key', Object.keys(this.table));
    this.#unknown.push(key);
    let next = from;
    while (next < lines.length && /^[\d.]/.test(lines[next][0].text)) next++;
    return next;
  }

  #isKey(word: Word): boolean {
    return Object.hasOwn(this.table, word.text);
  }

  #keep(key: Word, rule: ConfigKey, values: readonly Word[]): void {
    const first = this.#given.get(key.text);
    if (first !== undefined && rule.repeated !== true) {
      const hint = `It is given before: ${first[0].place}`;
      rejectText({ what: key.text, problem: 'is given twice', got: valueOf(values), where: key.place, hint });
    }
    const count = rule.words === 'map' ? mapWords(key, values) : rule.words;
    if (values.length !== count) {
      const allowed = `${count} ${count === 1 ? 'word' : 'words'}`;
      rejectText({ what: key.text, got: valueOf(values), allowed, where: key.place });
    }
    this.#given.set(key.text, [...(first ?? []), ...values]);
  }
}

/** Rejects all unknown keys in one message. */
function rejectKeys(keys: readonly Word[], allowed: readonly string[]): never {
  const got = keys.length === 1 ? keys[0].text : keys.map(({ text, place }) => `${text} (${place})`).join(', ');
  const hint = 'The option --ignore-unknown-keys (ignoreUnknownKeys) ignores them, each named in the notes';
  return rejectText({ what: 'the keys', got, allowed, where: keys[0].place, hint });
}

/** Removes remarks in braces within a line; an unclosed brace is kept. */
function withoutRemarks(text: string): string {
  return text.replace(/\{[^}\n]*\}?/g, (remark) => (remark.endsWith('}') ? '' : remark));
}

function isRemark(word: Word): boolean {
  return word.text.startsWith('#');
}

/**
 * Number of words that belong to a key, given those read so far. After an invalid count no more words are read; it is rejected
 * later.
 */
function wordsWanted({ words }: ConfigKey, values: readonly Word[]): number {
  if (words !== 'map') return words;
  if (values.length === 0) return 1;
  const pairs = Number(values[0].text);
  return Number.isSafeInteger(pairs) ? 1 + 2 * pairs : 0;
}

function mapWords(key: Word, values: readonly Word[]): number {
  if (values.length === 0) {
    const allowed = 'a count, then that many pairs of a rate and a value';
    rejectText({ what: key.text, got: '', allowed, where: key.place });
  }
  return 1 + 2 * wholeOf(values[0], `number of pairs of ${key.text}`, 1, 1000);
}

function valueOf(values: readonly Word[]): string {
  return values.map(({ text }) => text).join(' ');
}

/**
 * Every key of the reference simulators' config files: its values, where it has an effect, and its default. There are tables
 * for the HPCC authors' simulator and for its descendants, ConWeave's and SimAI's.
 *
 * Defaults are the simulator's own; a key without one is required. Modes are values of CC_MODE.
 */

export const MODE_NONE = 0;
export const MODE_DCQCN = 1;
export const MODE_HPCC = 3;
export const MODE_TIMELY = 7;
export const MODE_DCTCP = 8;
export const MODE_HPCC_PINT = 10;

/** CC_MODE of ConWeave's simulator by name. */
export const LOSSY_MODE_NAMES: ReadonlyMap<number, string> = new Map([
  [MODE_NONE, 'none'],
  [MODE_DCQCN, 'DCQCN'],
  [MODE_HPCC, 'HPCC'],
  [MODE_TIMELY, 'TIMELY'],
  [MODE_DCTCP, 'DCTCP'],
]);

/** CC_MODE by name, for messages. */
export const MODE_NAMES: ReadonlyMap<number, string> = new Map([
  [MODE_DCQCN, 'DCQCN'],
  [MODE_HPCC, 'HPCC'],
  [MODE_TIMELY, 'TIMELY'],
  [MODE_DCTCP, 'DCTCP'],
  [MODE_HPCC_PINT, 'HPCC-PINT'],
]);

export interface ConfigKey {
  /** Number of words after the key; `map`: a count, then that many pairs of rate and value. */
  readonly words: number | 'map';
  /**
   * Where the key has an effect. `run`: in every run. A list: in those modes only. `nowhere`: the simulator reads but ignores
   * it. `output`: it only selects output files. `unusual`: none at its default. `unmodelled`: none at its default, and other
   * values have one that this library does not model.
   */
  readonly effect: 'run' | 'nowhere' | 'output' | 'unusual' | 'unmodelled' | readonly number[];
  readonly missing?: string;
  /** Whether the key may appear several times. */
  readonly repeated?: true;
}

export type ConfigKeys = Readonly<Record<string, ConfigKey>>;

const WINDOWED_BY_RATE = [MODE_HPCC, MODE_HPCC_PINT];

export const CONFIG_KEYS: ConfigKeys = {
  TOPOLOGY_FILE: { words: 1, effect: 'run' },
  FLOW_FILE: { words: 1, effect: 'run' },
  SIMULATOR_STOP_TIME: { words: 1, effect: 'run' },
  CC_MODE: { words: 1, effect: 'run' },
  ENABLE_QCN: { words: 1, effect: 'run', missing: '1' },
  PACKET_PAYLOAD_SIZE: { words: 1, effect: 'run', missing: '1000' },
  ERROR_RATE_PER_LINK: { words: 1, effect: 'run', missing: '0' },
  HAS_WIN: { words: 1, effect: 'run' },
  GLOBAL_T: { words: 1, effect: 'run', missing: '1' },
  VAR_WIN: { words: 1, effect: 'run', missing: '0' },
  RATE_BOUND: { words: 1, effect: 'run', missing: '1' },
  ACK_HIGH_PRIO: { words: 1, effect: 'run', missing: '0' },
  LINK_DOWN: { words: 3, effect: 'run', missing: '0 0 0' },
  KMAX_MAP: { words: 'map', effect: 'run' },
  KMIN_MAP: { words: 'map', effect: 'run' },
  PMAX_MAP: { words: 'map', effect: 'run' },
  BUFFER_SIZE: { words: 1, effect: 'run' },
  MIN_RATE: { words: 1, effect: 'run', missing: '100Mb/s' },

  ALPHA_RESUME_INTERVAL: { words: 1, effect: [MODE_DCQCN], missing: '55' },
  RATE_DECREASE_INTERVAL: { words: 1, effect: [MODE_DCQCN], missing: '4' },
  RP_TIMER: { words: 1, effect: [MODE_DCQCN], missing: '1500' },
  CLAMP_TARGET_RATE: { words: 1, effect: [MODE_DCQCN], missing: '0' },
  FAST_RECOVERY_TIMES: { words: 1, effect: [MODE_DCQCN], missing: '5' },
  EWMA_GAIN: { words: 1, effect: [MODE_DCQCN, MODE_DCTCP], missing: '0.0625' },
  RATE_AI: { words: 1, effect: [MODE_DCQCN, MODE_HPCC, MODE_TIMELY, MODE_HPCC_PINT], missing: '5Mb/s' },
  RATE_HAI: { words: 1, effect: [MODE_DCQCN, MODE_TIMELY], missing: '50Mb/s' },
  DCTCP_RATE_AI: { words: 1, effect: [MODE_DCTCP], missing: '1000Mb/s' },
  FAST_REACT: { words: 1, effect: WINDOWED_BY_RATE, missing: '1' },
  U_TARGET: { words: 1, effect: WINDOWED_BY_RATE, missing: '0.95' },
  MI_THRESH: { words: 1, effect: WINDOWED_BY_RATE, missing: '5' },
  INT_MULTI: { words: 1, effect: [MODE_HPCC], missing: '1' },
  MULTI_RATE: { words: 1, effect: [MODE_HPCC], missing: '1' },
  SAMPLE_FEEDBACK: { words: 1, effect: [MODE_HPCC], missing: '0' },
  PINT_LOG_BASE: { words: 1, effect: [MODE_HPCC_PINT], missing: '1.05' },
  PINT_PROB: { words: 1, effect: [MODE_HPCC_PINT], missing: '1' },

  L2_CHUNK_SIZE: { words: 1, effect: 'unusual', missing: '4000' },
  L2_ACK_INTERVAL: { words: 1, effect: 'unusual', missing: '1' },
  L2_BACK_TO_ZERO: { words: 1, effect: 'unmodelled', missing: '0' },

  ...keysOf('nowhere', 'USE_DYNAMIC_PFC_THRESHOLD', 'PAUSE_TIME', 'NIC_TOTAL_PAUSE_TIME', 'DATA_RATE', 'LINK_DELAY'),
  ...keysOf('output', 'TRACE_FILE', 'TRACE_OUTPUT_FILE', 'FCT_OUTPUT_FILE', 'PFC_OUTPUT_FILE', 'ENABLE_TRACE',
    'QLEN_MON_FILE'),
  QLEN_MON_START: { words: 1, effect: 'output', missing: '2000000000' },
  QLEN_MON_END: { words: 1, effect: 'output', missing: '2100000000' },
};

const SHARED_KEYS = Object.fromEntries(Object.entries(CONFIG_KEYS).filter(([key]) => key !== 'SIMULATOR_STOP_TIME'));

/**
 * Keys of ConWeave's simulator: docs/specs/reference-lossy.md, section 10. Keys that begin with `X_` replace constants of its
 * program.
 */
export const LOSSY_CONFIG_KEYS: ConfigKeys = {
  ...SHARED_KEYS,
  FLOWGEN_START_TIME: { words: 1, effect: 'run' },
  FLOWGEN_STOP_TIME: { words: 1, effect: 'run' },
  ENABLE_PFC: { words: 1, effect: 'run', missing: '1' },
  ENABLE_IRN: { words: 1, effect: 'run', missing: '0' },
  LB_MODE: { words: 1, effect: 'run', missing: '0' },
  RANDOM_SEED: { words: 1, effect: 'run', missing: '1' },
  PAUSE_TIME: { words: 1, effect: 'run', missing: '5' },
  MULTI_RATE: { words: 1, effect: [MODE_HPCC], missing: '0' },
  L2_BACK_TO_ZERO: { words: 1, effect: 'run', missing: '0' },
  CONWEAVE_TX_EXPIRY_TIME: { words: 1, effect: 'run', missing: '1000' },
  CONWEAVE_REPLY_TIMEOUT_EXTRA: { words: 1, effect: 'run', missing: '4' },
  CONWEAVE_PATH_PAUSE_TIME: { words: 1, effect: 'run', missing: '8' },
  CONWEAVE_EXTRA_VOQ_FLUSH_TIME: { words: 1, effect: 'run', missing: '32' },
  CONWEAVE_DEFAULT_VOQ_WAITING_TIME: { words: 1, effect: 'run', missing: '500' },
  X_BUFFER_BYTES: { words: 1, effect: 'run' },
  X_IRN_BDP: { words: 1, effect: 'run' },
  X_IRN_RTO_LOW_US: { words: 1, effect: 'run', missing: '100' },
  X_IRN_RTO_HIGH_US: { words: 1, effect: 'run', missing: '320' },
  X_GBN_RTO_US: { words: 1, effect: 'run', missing: '4000' },
  X_NACK_INTERVAL_US: { words: 1, effect: 'run', missing: '4' },
  X_DROP: { words: 3, effect: 'run', repeated: true },
  ...keysOf('nowhere', 'LOAD', 'FLOW_INPUT_FILE', 'SW_MONITORING_INTERVAL'),
  ...keysOf('output', 'CNP_OUTPUT_FILE', 'VOQ_MON_FILE', 'VOQ_MON_DETAIL_FILE', 'UPLINK_MON_FILE', 'CONN_MON_FILE',
    'EST_ERROR_MON_FILE'),
};

/** Keys of SimAI's simulator: docs/specs/workloads.md, 4.1. Its workload and topology are arguments of its command line. */
export const SIMAI_CONFIG_KEYS: ConfigKeys = {
  ...CONFIG_KEYS,
  ...keysOf('nowhere', 'TOPOLOGY_FILE', 'FLOW_FILE', 'TRACE_FILE', 'QLEN_MON_START', 'QLEN_MON_END'),
  // Public files have 40000000000000.00, which no run reaches.
  SIMULATOR_STOP_TIME: { words: 1, effect: 'run', missing: '40000000000000.00' },
  // A public file has this key in lower case.
  ...keysOf('nowhere', 'pause_time'),
  ...keysOf('output', 'TRACE_NODE', 'RATE_MON_FILE', 'BW_MON_FILE', 'CNP_MON_FILE', 'MON_START', 'MON_END',
    'QP_MON_INTERVAL', 'BW_MON_INTERVAL', 'QLEN_MON_INTERVAL'),
};

/** Keys that identify a file of ConWeave's simulator. ENABLE_PFC and ENABLE_IRN do not: other descendants have them too. */
export const LOSSY_MARKS: readonly string[] = ['FLOWGEN_START_TIME', 'FLOWGEN_STOP_TIME', 'LB_MODE'];

/**
 * Keys of other descendants for their output files, or for when and how often these are written: `QLEN_DUMP_INTERVAL`,
 * `LINK_MON_START`, `BW_OUTPUT_FILE`. They have no effect on a run.
 */
export const FOREIGN_OUTPUT_KEY =
  /^(?:[A-Z0-9_]+_)?(?:(?:MON|DUMP|MONITOR|LOG|STATS|COUNT)_(?:ENABLE|FILE|START|END|END_TIME|START_TIME|INTERVAL)|OUTPUT_(?:FILE|DIR|FOLDER)|THROUGHPUT_FILE)$/;

/** Whether a word may be a key of some descendant: `AGENT_NODE`, `DIR`. */
export const KEY_LIKE = /^[A-Z][A-Z0-9_]+$/;

/** Makes keys with one value and the same effect. */
function keysOf(effect: ConfigKey['effect'], ...keys: readonly string[]): Record<string, ConfigKey> {
  return Object.fromEntries(keys.map((key) => [key, { words: 1, effect }]));
}
