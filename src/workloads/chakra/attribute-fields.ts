/** Attributes of a node as fields, whichever form the trace has. Which integer type carries a number differs between writers. */
import { rejectWorkload } from '../workload-error.js';
import type { ChakraNode } from './chakra-node.js';
import type { AttributeValue } from './protobuf-record.js';

type Fields = Pick<
  ChakraNode,
  'isHost' | 'commType' | 'commSize' | 'source' | 'destination' | 'tag' | 'group' | 'root' | 'involvedDimensions'
    | 'numOps' | 'tensorSizeBytes'
>;
type Attributes = ReadonlyMap<string, AttributeValue>;

/** Names for the root of a collective: the schema has none, writers have their own. */
export const ROOT_NAMES = ['root_rank', 'comm_root', 'root'] as const;

/** @throws RoceError `invalid-workload`, `CHAKRA_SYNTAX`, for an attribute that is used and has a value of another type. */
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

/** 0 and 1 are flags of writers that have no type for them. */
function flagOf(attributes: Attributes, name: string, where: string): boolean {
  const value = attributes.get(name) ?? (attributes.has(name) ? undefined : false);
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : rejectValue(name, value, 'true or false', where);
}

/** Lists of other types are not used: their names are noted. */
function flagsOf(attributes: Attributes, name: string): readonly boolean[] | undefined {
  const value = attributes.get(name);
  return typeof value === 'object' ? value : undefined;
}

/** The first that is a number: other writers may mean other things by these names. */
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
