/**
 * Recognises the JSON of a CONFIG_DB, and splits it into one configuration per ASIC.
 *
 *   {"DEVICE_METADATA": ..., "PORT": ...}                    a switch, or one ASIC of a switch
 *   {"localhost": {...}, "asic0": {...}, "asic1": {...}}     a switch with several ASICs, in one file
 *
 * Source: SONiC, sonic-yang-models/doc/Configuration.md; doc/multi_asic of sonic-net/SONiC.
 */

/** Tables that bind QoS settings to ports; without any of them, a switch treats all packets the same. */
export const QOS_TABLES = ['PORT_QOS_MAP', 'QUEUE', 'BUFFER_PG'] as const;

/** A CONFIG_DB is recognised by any of these tables. */
const KNOWN_TABLES = [
  ...QOS_TABLES,
  'DEVICE_METADATA',
  'PORT',
  'PORTCHANNEL',
  'INTERFACE',
  'LOOPBACK_INTERFACE',
  'MGMT_INTERFACE',
  'VLAN',
  'DEVICE_NEIGHBOR',
  'BGP_NEIGHBOR',
  'FEATURE',
  'CABLE_LENGTH',
  'DSCP_TO_TC_MAP',
  'DOT1P_TO_TC_MAP',
  'TC_TO_QUEUE_MAP',
  'TC_TO_PRIORITY_GROUP_MAP',
  'MAP_PFC_PRIORITY_TO_QUEUE',
  'SCHEDULER',
  'WRED_PROFILE',
  'BUFFER_POOL',
  'BUFFER_PROFILE',
  'PFC_WD',
];
const NAMESPACE_PATTERN = /^(?:localhost|asic\d{1,3})$/;

type Json = Readonly<Record<string, unknown>>;

/** Whether the JSON is a CONFIG_DB, with or without QoS tables. */
export function isSonicConfig(value: unknown): boolean {
  if (!isObject(value)) return false;
  return isOneConfig(value) || isSeveral(value);
}

/** The configurations in the JSON, each with its name; the name of a single one is empty. */
export function rootsOf(root: Json): readonly (readonly [name: string, root: Json])[] {
  if (!isSeveral(root)) return [['', root]];
  return Object.entries(root).flatMap(([name, one]) => (isObject(one) ? [[name, one] as const] : []));
}

function isOneConfig(value: Json): boolean {
  return KNOWN_TABLES.some((table) => Object.hasOwn(value, table));
}

function isSeveral(value: Json): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => NAMESPACE_PATTERN.test(name)) &&
    Object.values(value).some((one) => isObject(one) && isOneConfig(one));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
