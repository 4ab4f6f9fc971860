/** A rank's trace in the JSON form: `{ "workload_graph": [ node, … ] }`. */
import { rejectWorkload } from '../workload-error.js';
import type { ChakraNode } from './chakra-node.js';

type Members = Readonly<Record<string, unknown>>;

/** @throws RoceError `invalid-workload`, `CHAKRA_SYNTAX`, naming the node and the member. */
export function readJsonTrace(text: string, name: string): ChakraNode[] {
  const value = parse(text, name);
  const nodes: unknown = isRecord(value) ? value['workload_graph'] : undefined;
  if (!Array.isArray(nodes)) {
    const isHostTrace = isRecord(value) && Array.isArray(value['nodes']);
    const hint = isHostTrace ? 'This is a host trace before its conversion to Chakra' : undefined;
    rejectWorkload('CHAKRA_SYNTAX', {
      what: 'workload_graph',
      got: nodes,
      allowed: 'a list of nodes',
      where: name,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return nodes.map((node: unknown, index) => {
    if (!isRecord(node))
      rejectWorkload('CHAKRA_SYNTAX', {
        what: 'the node',
        got: node,
        allowed: 'an object',
        where: `${name}, node ${index}`,
      });
    return nodeOf(node, `${name}, node ${index}`);
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
  const group = node['pg_name'];
  return {
    id: number('Id') ?? 0,
    type: number('NodeType') ?? 0,
    isHost: node['is_cpu_op'] === true,
    durationUs: number('runtime') ?? 0,
    dataDependencies: ids('data_deps'),
    controlDependencies: ids('ctrlDeps'),
    commType: number('comm_type'),
    commSize: number('comm_size'),
    source: number('comm_src'),
    destination: number('comm_dst'),
    tag: number('comm_tag'),
    group: typeof group === 'string' || typeof group === 'number' ? String(group) : undefined,
  };
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
