/**
 * The RoCE QoS settings in SONiC's config_db.json: PORT, PORT_QOS_MAP, DSCP_TO_TC_MAP, DOT1P_TO_TC_MAP,
 * TC_TO_PRIORITY_GROUP_MAP, TC_TO_QUEUE_MAP, MAP_PFC_PRIORITY_TO_QUEUE, QUEUE, SCHEDULER, WRED_PROFILE, BUFFER_PG,
 * BUFFER_PROFILE, BUFFER_POOL, CABLE_LENGTH, DEFAULT_LOSSLESS_BUFFER_PARAMETER, PFC_WD. All other tables are ignored.
 *
 *   {"DEVICE_METADATA": ..., "PORT": ...}                    a switch, or one ASIC of a switch
 *   {"localhost": {...}, "asic0": {...}, "asic1": {...}}     a switch with several ASICs, in one file
 *
 * Sources: SONiC, sonic-yang-models/doc/Configuration.md, which has an example of each table; NVIDIA SONiC 4.0, "QoS and
 * Buffers", for the meaning of fields; doc/multi_asic of sonic-net/SONiC; SAI for the defaults of missing fields (docs/reference/sources.md).
 */
import { RoceError } from '../../errors.js';
import { distinctNotes } from '../../note-record.js';
import { qosNote, type QosNote } from '../notes.js';
import { readPortTable, type ReadPortTable, PORTS_MAX, readRoot, rejectPorts, SonicTables, textOf,
  wholeOf } from './tables.js';
import { readPort, type SwitchTables } from './read-port.js';
import { isDynamicModel } from './port-buffers.js';
import type { SonicConfig, SonicPort } from './sonic-config.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';

const RATIO_MAX = 65_535;

/**
 * Reads the QoS settings of a switch's ports from the text of a config_db.json, for one ASIC or all.
 *
 * @returns a configuration without ports, but with a finding, if the file has no QoS tables.
 * @throws RoceError `invalid-settings`, naming table, key and field, if the text is not a CONFIG_DB, or if a field is
 * out of range or refers to a missing entry.
 */
export function importSonicConfig(text: string): SonicConfig {
  const root = readRoot(text);
  if (!isSonicConfig(root)) rejectOther();
  const parts = rootsOf(root).map(([asic, one]) => ({ asic, ...readOne(new SonicTables(one)) }));
  const ports = namePorts(parts);
  if (ports.length > PORTS_MAX) rejectPorts(ports.length);
  return {
    name: parts.find(({ hostname }) => hostname !== undefined)?.hostname ?? 'switch',
    ports,
    findings: ports.length === 0 ? [findNoTables()] : [],
    notes: distinctNotes(parts.flatMap(({ notes }) => notes)),
  };
}

function rejectOther(): never {
  throw new RoceError('invalid-settings', {
    what: 'the configuration',
    problem: 'has no table of a CONFIG_DB',
    allowed: QOS_TABLES,
    where: 'CONFIG_DB',
  });
}

interface ReadPart {
  readonly hostname: string | undefined;
  readonly ports: readonly SonicPort[];
  readonly notes: readonly QosNote[];
}

function readOne(tables: SonicTables): ReadPart {
  const queues = readPortTable(tables, 'QUEUE');
  const groups = readPortTable(tables, 'BUFFER_PG');
  const names = portNames(tables, queues, groups);
  const metadata = tables.entry('DEVICE_METADATA', 'localhost');
  const shared: SwitchTables = {
    tables,
    queues: queues.entries,
    groups: groups.entries,
    isDynamic: isDynamicModel(tables),
    isOversubscribed: isOversubscribed(tables),
  };
  return {
    hostname: metadata && textOf(metadata, 'hostname'),
    ports: names.map((name) => readPort(shared, name)),
    notes: [...queues.notes, ...groups.notes, ...names.length === 0 ? [] : explainMissing(tables)],
  };
}

function portNames(tables: SonicTables, queues: ReadPortTable, groups: ReadPortTable): readonly string[] {
  const withMaps = tables.entries('PORT_QOS_MAP').map(([key]) => key).filter((key) => key !== 'global')
    .flatMap((key) => key.split(','));
  const local = new Set([...withMaps, ...tables.entries('PORT').map(([key]) => key)]);
  // A VOQ chassis also lists the queues of ports on other line cards.
  const withQueues = [...queues.entries.keys()].filter((name) => !queues.isVoq || local.has(name));
  return [...new Set([...withMaps, ...withQueues, ...groups.entries.keys()])].filter((name) => name !== 'CPU');
}

/** Ports of all ASICs; if several ASICs have a port of the same name, the ASIC's name is prepended. */
function namePorts(parts: readonly (ReadPart & { readonly asic: string })[]): readonly SonicPort[] {
  const counts = new Map<string, number>();
  for (const { ports } of parts) for (const { name } of ports) counts.set(name, (counts.get(name) ?? 0) + 1);
  return parts.flatMap(({ asic, ports }) =>
    ports.map((port) => ((counts.get(port.name) ?? 0) > 1 ? { ...port, name: `${asic}|${port.name}` } : port))
  );
}

/** Whether headroom is oversubscribed, which creates a shared headroom pool. */
function isOversubscribed(tables: SonicTables): boolean {
  return tables.entries('DEFAULT_LOSSLESS_BUFFER_PARAMETER').some(([, entry]) =>
    (wholeOf(entry, 'over_subscribe_ratio', 0, RATIO_MAX) ?? 0) > 0
  );
}

function findNoTables(): SonicFinding {
  return findSonic('qos-tables-missing', { tables: QOS_TABLES });
}

function explainMissing(tables: SonicTables): QosNote[] {
  return QOS_TABLES.filter((table) => tables.entries(table).length === 0)
    .map((table) => qosNote('table-missing', { table }));
}

/** Tables that bind QoS settings to ports; without any of them, a switch treats all packets the same. */
const QOS_TABLES = ['PORT_QOS_MAP', 'QUEUE', 'BUFFER_PG'] as const;

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
function rootsOf(root: Json): readonly (readonly [name: string, root: Json])[] {
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
