/** Reads a rank's trace in JSON form: `{ "workload_graph": [ node, … ] }`. */
import { rejectWorkload } from '../workload-error.js';
import { attributeFields } from './attribute-fields.js';
import type { ChakraNode, ChakraTrace } from './chakra-node.js';
import type { AttributeValue } from './protobuf-record.js';

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
      nodeOf(node, where) :
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

function nodeOf(node: Members, where: string): ChakraNode {
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
