/**
 * Converts a node's attributes, of protobuf or JSON traces, to fields. Writers use different integer types for the same
 * number.
 */
import { rejectWorkload } from '../workload-error.js';
import type { ChakraNode } from './chakra-node.js';
import type { AttributeValue } from './protobuf-record.js';

type Fields = Pick<
  ChakraNode,
  'isHost' | 'commType' | 'commSize' | 'source' | 'destination' | 'tag' | 'group' | 'root' | 'involvedDimensions'
    | 'numOps' | 'tensorSizeBytes'
>;
type Attributes = ReadonlyMap<string, AttributeValue>;

/** Attributes that name the root of a collective: the schema has none, and writers use different ones. */
export const ROOT_NAMES = ['root_rank', 'comm_root', 'root'] as const;

/**
 * @throws RoceError `invalid-workload`, `CHAKRA_SYNTAX`, if an attribute that is used has a value of the wrong type.
 */
export function attributeFields(attributes: Attributes, where: string): Fields {
  const number = (name: string): number | undefined => numberOf(attributes, name, where);
  return {
    isHost: flagOf(attributes, 'is_cpu_op', where),
    commType: number('comm_type'),
    commSize: number('comm_size'),
    source: number('comm_src'),
    destination: number('comm_dst'),
    tag: number('comm_tag'),
    group: groupOf(attributes, where),
    root: rootOf(attributes),
    involvedDimensions: flagsOf(attributes, 'involved_dim'),
    numOps: number('num_ops'),
    tensorSizeBytes: number('tensor_size'),
  };
}

function numberOf(attributes: Attributes, name: string, where: string): number | undefined {
  const value = attributes.get(name);
  if (value === undefined && !attributes.has(name)) return undefined;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return Number(value);
  return rejectValue(name, value, 'a number', where);
}

/** Some writers have no type for flags and write 0 and 1. */
function flagOf(attributes: Attributes, name: string, where: string): boolean {
  const value = attributes.get(name) ?? (attributes.has(name) ? undefined : false);
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : rejectValue(name, value, 'true or false', where);
}

/** Lists of other types are not used, but their names are reported in a note. */
function flagsOf(attributes: Attributes, name: string): readonly boolean[] | undefined {
  const value = attributes.get(name);
  return typeof value === 'object' ? value : undefined;
}

/** The first root attribute that is a number: in other types, writers may mean something else. */
function rootOf(attributes: Attributes): number | undefined {
  const values = ROOT_NAMES.map((name) => attributes.get(name));
  return values.find((value) => typeof value === 'number');
}

function groupOf(attributes: Attributes, where: string): string | undefined {
  const name = 'pg_name';
  if (!attributes.has(name)) return undefined;
  const value = attributes.get(name);
  const isName = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isName ? String(value) : rejectValue(name, value, 'the name of a group', where);
}

function rejectValue(what: string, value: AttributeValue, allowed: string, where: string): never {
  return rejectWorkload('CHAKRA_SYNTAX', { what, got: value ?? 'a list or bytes', allowed, where });
}
