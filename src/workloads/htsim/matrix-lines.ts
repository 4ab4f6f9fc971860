/**
 * Parses htsim's connection matrix line by line (docs/specs/workloads.md, 3): words separated by white space, comments
 * from `#` on.
 *
 *   Nodes N, Connections N, Triggers N, Failures N       before all other lines
 *   SRC->DST [start X | trigger T] [size N] [id N] [msg [N]] [send_done_trigger T] [recv_done_trigger T] [prio N]
 *   trigger id T (oneshot | multishot | barrier count N)         failure switch_type T switch_id N link_id N
 */
import type { LinkFailure } from '../graph/workload-graph.js';
import { rejectWorkload, type WorkloadFault } from '../workload-error.js';

/** A flow, with its start and the triggers at its ends. */
export interface MatrixConnection {
  readonly line: number;
  readonly source: number;
  readonly destination: number;
  /** Size; Infinity if it has no end. */
  readonly sizeBytes: number;
  /** Start as in the file; -1 if a trigger starts it. */
  readonly start: number;
  /** Trigger that starts it; -1 if there is none. */
  readonly trigger: number;
  readonly sendDone: number;
  readonly receiveDone: number;
  readonly id: number;
  readonly isMessage: boolean;
  readonly hasPriority: boolean;
}

export interface MatrixTrigger {
  readonly line: number;
  readonly type: 'oneshot' | 'multishot' | 'barrier';
  /** Count of a barrier; 1 for other types. */
  readonly count: number;
}

const HEADERS = ['Nodes', 'Connections', 'Triggers', 'Failures'] as const;
type Header = (typeof HEADERS)[number];
const NODES_MAX = 2 ** 20;
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
const TYPES = ['oneshot', 'multishot', 'barrier'] as const;
const SWITCH_TYPES = ['TOR', 'AGG', 'CORE'];
const CONNECTION_PATTERN = /^(-?\d{1,16})->(-?\d{1,16})$/;
const DECIMAL_PATTERN = /^\d{1,16}(?:\.\d{1,16})?$/;
const WORDS = ['start', 'size', 'id', 'msg', 'trigger', 'send_done_trigger', 'recv_done_trigger', 'prio'];

/** Parses lines, and stores their contents. */
export class MatrixLines {
  readonly connections: MatrixConnection[] = [];
  readonly triggers = new Map<number, MatrixTrigger>();
  readonly failures: LinkFailure[] = [];
  readonly failureLines: number[] = [];
  readonly #name: string;
  readonly #endless: 'rejected' | 'sent';
  readonly #header = new Map<Header, number>();
  readonly #ids = new Map<number, boolean>();
  #line = 0;
  #isBody = false;

  /** @param endless how connections without an end are treated. */
  constructor(name: string, endless: 'rejected' | 'sent') {
    this.#name = name;
    this.#endless = endless;
  }

  get nodes(): number {
    return this.#header.get('Nodes') ?? 0;
  }

  read(text: string): void {
    this.#line++;
    const comment = text.indexOf('#');
    const words = (comment < 0 ? text : text.slice(0, comment)).split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) return;
    const [first] = words;
    if (HEADERS.includes(first as Header) && !this.#isBody) {
      this.#readHeader(first as Header, words);
      return;
    }
    if (!this.#isBody) this.#requireHeader();
    this.#isBody = true;
    if (first === 'trigger') this.#readTrigger(words);
    else if (first === 'failure') this.#readFailure(words);
    else this.#readConnection(words);
  }

  finish(): void {
    if (!this.#isBody) this.#requireHeader();
    this.#requireCount('Connections', this.connections.length);
    this.#requireCount('Triggers', this.triggers.size);
    this.#requireCount('Failures', this.failures.length);
  }

  where(line = this.#line): string {
    return `${this.#name}, line ${line}`;
  }

  #reject(fault: WorkloadFault, what: string, got: unknown, allowed: string | readonly (string | number)[]): never {
    return rejectWorkload(fault, { what, got, allowed, where: this.where() });
  }

  #readHeader(key: Header, words: readonly string[]): void {
    if (this.#header.has(key)) this.#reject('DUPLICATE_KEY', `the line ${key}`, words.join(' '), 'only once');
    const count = this.#whole(words[1], key, key === 'Nodes' ? NODES_MAX : NUMBER_MAX);
    if (words.length > 2) this.#reject('CM_SYNTAX', 'the line', words.join(' '), `${key} and a number`);
    this.#header.set(key, count);
  }

  #requireHeader(): void {
    for (const key of ['Nodes', 'Connections'] as const) {
      if (!this.#header.has(key)) this.#reject('MISSING_KEY', `the line ${key}`, undefined, 'above all connections');
    }
  }

  #requireCount(key: Header, got: number): void {
    const stated = this.#header.get(key) ?? 0;
    if (stated === got) return;
    rejectWorkload('BAD_COUNT', {
      what: `the number of ${key.toLowerCase()}`,
      problem: `is stated as ${stated}, but there are ${got}`,
      where: this.#name,
    });
  }

  #readConnection(words: readonly string[]): void {
    const ends = CONNECTION_PATTERN.exec(words[0]);
    if (ends === null)
      this.#reject('UNKNOWN_TOKEN', 'the line', words[0], 'a connection such as 0->4, trigger or failure');
    const values = this.#values(words);
    const [source, destination] = [this.#node(ends[1]), this.#node(ends[2])];
    if (source === destination) this.#reject('SELF_MESSAGE', 'the connection', words[0], 'one of two nodes');
    const {
      size,
      id = -1,
      trigger = -1,
      start = -1,
      send_done_trigger: sendDone = -1,
      recv_done_trigger: receiveDone = -1,
    } = values;
    const isMessage = values.msg !== undefined;
    this.#checkStart(words, { start, trigger });
    const sizeBytes = size === undefined || size === 0 ? this.#endlessBytes(size) : size;
    if (id >= 0) this.#noteId(id, isMessage);
    else if (trigger >= 0) this.#reject('NO_ID', 'a triggered connection', words[0], 'one with an id');
    this.connections.push({
      line: this.#line,
      source,
      destination,
      sizeBytes,
      start,
      trigger,
      sendDone,
      receiveDone,
      id,
      isMessage,
      hasPriority: values['prio'] !== undefined,
    });
  }

  /** A connection without a size, or of size 0, never ends. */
  #endlessBytes(size: number | undefined): number {
    if (this.#endless === 'sent') return Infinity;
    return rejectWorkload('BAD_SIZE', {
      what: 'the size',
      got: size,
      allowed: 'a whole number of at least 1',
      where: this.where(),
      hint: 'A connection without an end needs the end of the run: --until 10ms, or durationUs of the scenario',
    });
  }

  /** Checks that there is exactly one of start and trigger. */
  #checkStart(words: readonly string[],
    { start, trigger }: { readonly start: number; readonly trigger: number }): void {
    const text = words.join(' ');
    if (start >= 0 && trigger >= 0) this.#reject('TWO_STARTS', 'the connection', text, 'either start or trigger');
    if (start < 0 && trigger < 0) this.#reject('NO_START', 'the connection', text, 'with start or trigger');
  }
  /** Values by keyword. */
  #values(words: readonly string[]): Partial<Record<string, number>> {
    const values: Partial<Record<string, number>> = {};
    for (let at = 1; at < words.length; at++) {
      const word = words[at];
      if (!WORDS.includes(word)) this.#reject('UNKNOWN_TOKEN', 'the word', word, WORDS);
      if (values[word] !== undefined) {
        const fault = word === 'start' || word === 'trigger' ? 'TWO_STARTS' : 'DUPLICATE_KEY';
        this.#reject(fault, `the word ${word}`, words.join(' '), 'only once');
      }
      const next = words[at + 1];
      if (word === 'msg' && (next === undefined || !/^\d/.test(next))) values[word] = 1;
      else if (word === 'start') values[word] = this.#decimal(words[++at]);
      else values[word] = this.#whole(words[++at], word, NUMBER_MAX);
    }
    return values;
  }

  #noteId(id: number, isMessage: boolean): void {
    if (id === 0) this.#reject('BAD_ID', 'the id', id, 'a whole number of at least 1');
    const before = this.#ids.get(id);
    if (before !== undefined && !(before && isMessage)) {
      this.#reject('BAD_ID', 'the id', id, 'one that no other connection has, but messages of one');
    }
    this.#ids.set(id, isMessage);
  }

  #node(text: string): number {
    const node = Number(text);
    if (node >= 0 && node < this.nodes) return node;
    return rejectWorkload('RANK_OUT_OF_RANGE', {
      what: 'the node',
      got: node,
      allowed: { min: 0, max: this.nodes - 1, multipleOf: 1 },
      where: this.where(),
    });
  }

  #readTrigger(words: readonly string[]): void {
    let [id, count, type]: [number?, number?, MatrixTrigger['type']?] = [];
    for (let at = 1; at < words.length; at++) {
      const word = words[at];
      if (word === 'id') id = this.#whole(words[++at], word, NUMBER_MAX);
      else if (word === 'count') count = this.#whole(words[++at], word, NUMBER_MAX);
      else if (TYPES.includes(word as MatrixTrigger['type'])) type = word as MatrixTrigger['type'];
      else this.#reject('UNKNOWN_TOKEN', 'the word', word, ['id', 'count', ...TYPES]);
    }
    if (id === undefined) this.#reject('NO_ID', 'the trigger', words.join(' '), 'one with an id');
    if (id === 0) this.#reject('BAD_ID', 'the id', id, 'a whole number of at least 1');
    if (type === undefined) this.#reject('NO_TYPE', 'the trigger', words.join(' '), TYPES);
    if (this.triggers.has(id)) this.#reject('DUPLICATE_TRIGGER', 'the trigger', id, 'defined once');
    if ((type === 'barrier') !== (count !== undefined) || count === 0) {
      this.#reject('BAD_COUNT', 'the count of a trigger', count,
        'a number of at least 1 for a barrier, and absent for others');
    }
    this.triggers.set(id, { line: this.#line, type, count: count ?? 1 });
  }

  #readFailure(words: readonly string[]): void {
    const values = new Map<string, string>();
    for (let at = 1; at < words.length; at += 2) values.set(words[at], words[at + 1] ?? '');
    const unknown = [...values.keys()].find((key) => !['switch_type', 'switch_id', 'link_id'].includes(key));
    if (unknown !== undefined) {
      this.#reject('UNKNOWN_TOKEN', 'the word', unknown, ['switch_type', 'switch_id', 'link_id']);
    }
    const switchType = values.get('switch_type') ?? '';
    if (!SWITCH_TYPES.includes(switchType)) this.#reject('UNKNOWN_TOKEN', 'switch_type', switchType, SWITCH_TYPES);
    const switchId = this.#whole(values.get('switch_id'), 'switch_id', NUMBER_MAX);
    const linkId = this.#whole(values.get('link_id'), 'link_id', NUMBER_MAX);
    this.failures.push({ switchType, switchId, linkId });
    this.failureLines.push(this.#line);
  }

  #whole(text: string | undefined, what: string, max: number): number {
    const number = text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (number <= max) return number;
    if (what === 'size') this.#reject('BAD_SIZE', 'the size', text, 'a whole number of at least 1');
    return this.#reject('CM_SYNTAX', what, text, 'a whole number');
  }

  #decimal(text: string | undefined): number {
    const number = text !== undefined && DECIMAL_PATTERN.test(text) ? Number(text) : NaN;
    return number <= NUMBER_MAX ? number : this.#reject('CM_SYNTAX', 'start', text, 'a number');
  }
}
