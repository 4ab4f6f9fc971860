/**
 * Reads a rank's trace: protobuf, record by record as it arrives, each preceded by its length as a varint, or JSON, `{
 * "workload_graph": [ node, … ] }`.
 */
import { rejectWorkload, type WorkloadFault } from '../workload-error.js';
import { attributeFields, type ChakraNode, type ChakraTrace } from './chakra-node.js';
import { readMetadata, readNode, type MetadataRecord, type NodeRecord, type AttributeValue } from './protobuf.js';

/** Maximum length of a record, so that a bad length cannot make the reader allocate any amount of memory. */
const RECORD_MAX_BYTES = 16 * 1024 * 1024;
const VARINT_BYTES = 10;
const FIRST_BUFFER_BYTES = 4096;
const VERSIONS = ['0.0.4', '1.0.0'];
/** Attribute that has the version if the field is missing. */
const SCHEMA = 'schema';

/** Options for reading a trace. */
export interface TraceOptions {
  readonly name: string;
  /** Whether unknown versions are accepted. */
  readonly anyVersion: boolean;
}

/** Reads bytes as they come; returns the nodes at the end. */
export class TraceReader {
  readonly nodes: ChakraNode[] = [];
  #stated: readonly string[] = [];
  readonly #options: TraceOptions;
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #length = 0;
  #records = 0;
  #isOver = false;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    if (this.#isOver && chunk.length > 0) this.#reject('TRUNCATED', 'has data after the empty record that ends it');
    this.#append(chunk);
    let at = 0;
    for (;;) {
      const next = this.#readRecord(at);
      if (next < 0) break;
      at = next;
    }
    this.#buffer.copyWithin(0, at, this.#length);
    this.#length -= at;
  }

  finish(): Pick<ChakraTrace, 'nodes' | 'stated'> {
    if (this.#length > 0) this.#reject('TRUNCATED', 'ends within it');
    if (this.#records === 0) this.#reject('UNKNOWN_VERSION', 'is missing: the file is empty');
    return { nodes: this.nodes, stated: this.#stated };
  }

  #append(chunk: Uint8Array): void {
    if (this.#length + chunk.length > this.#buffer.length) {
      const longer = new Uint8Array(Math.max(2 * this.#buffer.length, this.#length + chunk.length));
      longer.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = longer;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  /** Reads a record; returns its end, or -1 if it is incomplete. */
  #readRecord(at: number): number {
    let bytes = 0;
    let begin = at;
    for (let scale = 1;; scale *= 128) {
      if (begin === this.#length) return -1;
      if (begin - at === VARINT_BYTES) this.#reject('BAD_PROTOBUF', 'has a length of more than ten bytes');
      const byte = this.#buffer[begin++];
      bytes += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (bytes > RECORD_MAX_BYTES)
      this.#reject('TRUNCATED', `has a length of ${bytes} bytes, above ${RECORD_MAX_BYTES}`);
    if (begin + bytes > this.#length) return -1;
    this.#take(this.#buffer.subarray(begin, begin + bytes));
    this.#records++;
    return begin + bytes;
  }

  #take(record: Uint8Array): void {
    if (this.#records === 0) this.#checkMetadata(record);
    else if (record.length === 0) this.#isOver = true;
    else if (this.#isOver) this.#reject('TRUNCATED', 'follows an empty record, which ends the file');
    else {
      const read = this.#decode(() => readNode(record));
      this.nodes.push(nodeOf(read, `${this.#options.name}, node ${read.id}`));
    }
  }

  #decode<Made>(decode: () => Made): Made {
    try {
      return decode();
    } catch (error) {
      return rejectWorkload('BAD_PROTOBUF', {
        what: 'the record',
        problem: 'is damaged',
        cause: error,
        where: this.#where(),
      });
    }
  }

  #checkMetadata(record: Uint8Array): void {
    // If field 1 is a number, it is a node: the schema is older than metadata records.
    if (record[0] === 8) this.#reject('UNKNOWN_VERSION', 'is a node: the schema is older than 0.0.4');
    const metadata = this.#decode(() => readMetadata(record));
    const version = versionOf(metadata);
    this.#stated = [...[...metadata.attributes.keys()].filter((name) => name !== SCHEMA), ...metadata.otherFields];
    if (version === undefined)
      this.#reject('UNKNOWN_VERSION', 'is metadata of 2023-08, whose collectives have other numbers');
    if (VERSIONS.includes(version) || this.#options.anyVersion) return;
    rejectWorkload('UNKNOWN_VERSION', { what: 'the version', got: version, allowed: VERSIONS, where: this.#where() });
  }

  #where(): string {
    return `${this.#options.name}, record ${this.#records}`;
  }

  #reject(fault: WorkloadFault, problem: string): never {
    return rejectWorkload(fault, { what: 'the record', problem, where: this.#where() });
  }
}

/** Traces from PyTorch have the version in an attribute instead of the field. */
function versionOf({ version, attributes }: MetadataRecord): string | undefined {
  if (version !== '') return version;
  const schema = attributes.get(SCHEMA);
  const found = typeof schema === 'string' ? /chakra\.(.+)$/.exec(schema) : null;
  return found?.[1] ?? '0.0.4';
}

function nodeOf({ attributes, otherFields, durationUs, inputs, ...record }: NodeRecord, where: string): ChakraNode {
  return {
    ...record,
    durationUs: Number(durationUs),
    ...attributeFields(attributes, where),
    stated: [...attributes.keys(), ...otherFields],
    ...(inputs.length === 0 ? {} : { inputs }),
  };
}

const GRAPH = 'workload_graph';
/** Members that are fields in the protobuf form; all other members are attributes. */
const FIELDS = ['Id', 'Name', 'NodeType', 'runtime', 'data_deps', 'ctrlDeps'];

type Members = Readonly<Record<string, unknown>>;

/** @throws RoceError `invalid-workload`, `CHAKRA_SYNTAX`, naming the node and the member. */
export function readJsonTrace(text: string, name: string): Pick<ChakraTrace, 'nodes' | 'stated'> {
  const value = parse(text, name);
  const members = isRecord(value) ? value : {};
  const nodes: unknown = members[GRAPH];
  if (!Array.isArray(nodes)) {
    const isHostTrace = Array.isArray(members['nodes']);
    const hint = isHostTrace ? 'This is a host trace before its conversion to Chakra' : undefined;
    rejectWorkload('CHAKRA_SYNTAX', {
      what: GRAPH,
      got: nodes,
      allowed: 'a list of nodes',
      where: name,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return { nodes: nodesOf(nodes, name), stated: Object.keys(members).filter((key) => key !== GRAPH) };
}

function nodesOf(nodes: readonly unknown[], name: string): ChakraNode[] {
  return nodes.map((node, index) => {
    const where = `${name}, node ${index}`;
    return isRecord(node) ?
      nodeOfJson(node, where) :
      rejectWorkload('CHAKRA_SYNTAX', { what: 'the node', got: node, allowed: 'an object', where });
  });
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return rejectWorkload('CHAKRA_SYNTAX', { what: 'the trace', problem: 'is not JSON', cause: error, where });
  }
}

function nodeOfJson(node: Members, where: string): ChakraNode {
  const number = (key: string): number | undefined => {
    const value = node[key];
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
    return rejectWorkload('CHAKRA_SYNTAX', { what: key, got: value, allowed: 'a number', where });
  };
  const ids = (key: string): number[] => {
    const value = node[key] ?? [];
    if (Array.isArray(value) && value.every((id) => typeof id === 'number')) return value;
    return rejectWorkload('CHAKRA_SYNTAX', { what: key, got: value, allowed: 'a list of numbers', where });
  };
  const attributes = new Map(Object.entries(node).filter(([key]) => !FIELDS.includes(key)));
  return {
    id: number('Id') ?? 0,
    type: number('NodeType') ?? 0,
    durationUs: number('runtime') ?? 0,
    dataDependencies: ids('data_deps'),
    controlDependencies: ids('ctrlDeps'),
    ...attributeFields(attributes as ReadonlyMap<string, AttributeValue>, where),
    stated: [...attributes.keys()],
  };
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
