/**
 * The RoCE QoS settings in SONiC's config_db.json: PORT, PORT_QOS_MAP, DSCP_TO_TC_MAP, DOT1P_TO_TC_MAP,
 * TC_TO_PRIORITY_GROUP_MAP, TC_TO_QUEUE_MAP, MAP_PFC_PRIORITY_TO_QUEUE, QUEUE, SCHEDULER, WRED_PROFILE, BUFFER_PG,
 * BUFFER_PROFILE, BUFFER_POOL, PFC_WD. All other tables are ignored.
 *
 * Sources: SONiC, sonic-yang-models/doc/Configuration.md, which has an example of each table; NVIDIA SONiC 4.0, "QoS and
 * Buffers", for the meaning of fields; SAI for the defaults of missing fields (docs/sources.md).
 */
import { RoceError } from '../../errors.js';
import type { PortQos } from '../qos-map.js';
import { readPortBuffers } from './port-buffers.js';
import { readPortMaps, showRuns, type PortMaps } from './port-maps.js';
import { readPortQueues } from './port-queues.js';
import type { SonicConfig, SonicPort, SonicSetting, SonicWatchdog } from './sonic-config.js';
import { PORTS_MAX, readTables, rejectField, rejectPorts, textOf, wholeOf, type SonicEntry,
  type SonicTables } from './tables.js';

const BPS_PER_MBPS = 1e6;
const SPEED_MAX_MBPS = 10_000_000;
const WATCHDOG_MAX_MS = 3_600_000;
const NO_PAUSE = Object.freeze({ send: false, honour: false });
/** A file without these has nothing to read. */
const QOS_TABLES = ['PORT_QOS_MAP', 'QUEUE', 'BUFFER_PG'] as const;

/**
 * Reads the QoS settings of a switch's ports from the text of a config_db.json.
 *
 * @throws RoceError `invalid-settings`, naming table, key and field, if the text is not such JSON, has none of the tables, or
 *   has a field that is out of range or refers to a missing entry.
 */
export function importSonicConfig(text: string): SonicConfig {
  const tables = readTables(text);
  const queues = tables.byPort('QUEUE');
  const groups = tables.byPort('BUFFER_PG');
  const names = portNames(tables, [...queues.keys(), ...groups.keys()]);
  const metadata = tables.entry('DEVICE_METADATA', 'localhost');
  return {
    name: (metadata && textOf(metadata, 'hostname')) ?? 'switch',
    ports: names.map((name) => readPort(tables, name, queues.get(name), groups.get(name))),
  };
}

/** Whether the JSON has any of the tables that `importSonicConfig` reads. */
export function isSonicConfig(value: unknown): boolean {
  return typeof value === 'object' && value !== null && QOS_TABLES.some((table) => Object.hasOwn(value, table));
}

function portNames(tables: SonicTables, named: readonly string[]): readonly string[] {
  const withMaps = tables.entries('PORT_QOS_MAP').map(([key]) => key).filter((key) => key !== 'global');
  const names = [...new Set([...withMaps.flatMap((key) => key.split(',')), ...named])].filter((name) => name !== 'CPU');
  if (names.length > PORTS_MAX) rejectPorts(names.length);
  if (names.length > 0) return names;
  const allowed = `ports in ${QOS_TABLES.join(', ')}`;
  throw new RoceError('invalid-settings', {
    what: 'the configuration',
    problem: 'has none',
    allowed,
    where: 'CONFIG_DB',
  });
}

function readPort(tables: SonicTables, name: string, queueEntries: ReadonlyMap<number, SonicEntry> | undefined,
  groupEntries: ReadonlyMap<number, SonicEntry> | undefined): SonicPort {
  const maps = readPortMaps(tables, name);
  const queues = readPortQueues(tables, queueEntries);
  const buffers = readPortBuffers(tables, groupEntries);
  const watchdog = readWatchdog(tables.entry('PFC_WD', name));
  const ofPort = tables.entry('PORT', name);
  const speedMbps = ofPort && wholeOf(ofPort, 'speed', 1, SPEED_MAX_MBPS);
  const qos: PortQos = {
    ...maps.maps,
    pfc: maps.pfc,
    globalPause: NO_PAUSE,
    groups: buffers.groups,
    trafficClasses: queues.trafficClasses,
  };
  return {
    name,
    rateBps: speedMbps === undefined ? null : speedMbps * BPS_PER_MBPS,
    qos,
    watchdog,
    notTold: buffers.notTold,
    settings: [
      ...(speedMbps === undefined ? [] : [{ name: 'PORT speed', value: `${speedMbps} Mb/s` }]),
      ...mapSettings(maps, qos),
      ...buffers.settings,
      ...queues.settings,
      ...watchdogSettings(watchdog),
    ],
    notes: [...maps.notes, ...queues.notes, ...buffers.notes],
    warnings: [...maps.warnings, ...warnOfWatchdog(qos, watchdog)],
  };
}

function readWatchdog(entry: SonicEntry | undefined): SonicWatchdog | null {
  if (entry === undefined) return null;
  const detectionMs = wholeOf(entry, 'detection_time', 1, WATCHDOG_MAX_MS);
  if (detectionMs === undefined) rejectField(entry, 'detection_time', 'a number of milliseconds');
  const action = textOf(entry, 'action') ?? 'drop';
  const restorationMs = wholeOf(entry, 'restoration_time', 0, WATCHDOG_MAX_MS) ?? null;
  if (action === 'drop' || action === 'forward' || action === 'alert') return { detectionMs, restorationMs, action };
  return rejectField(entry, 'action', ['drop', 'forward', 'alert']);
}

function warnOfWatchdog({ pfc }: PortQos, watchdog: SonicWatchdog | null): string[] {
  if (watchdog !== null || pfc.honourPriorities.length === 0) return [];
  return ['PFC is on without PFC_WD: a device that never stops sending pauses blocks this port permanently.'];
}

function watchdogSettings(watchdog: SonicWatchdog | null): SonicSetting[] {
  if (watchdog === null) return [{ name: 'PFC_WD', value: 'none' }];
  const { detectionMs, restorationMs, action } = watchdog;
  return [
    { name: 'PFC_WD detection_time', value: `${detectionMs} ms` },
    { name: 'PFC_WD restoration_time', value: restorationMs === null ? 'not given' : `${restorationMs} ms` },
    { name: 'PFC_WD action', value: action },
  ];
}

function mapSettings({ sources }: PortMaps, qos: PortQos): SonicSetting[] {
  const ofMap = (source: string | null, map: readonly number[], what: string): SonicSetting[] =>
    source === null ? [] : [{ name: source, value: showMap(map, what) }];
  return [
    { name: 'PORT_QOS_MAP pfc_enable', value: qos.pfc.sendPriorities.join(',') || 'none' },
    ...ofMap(sources.dscp_to_tc_map, qos.dscpToPriority, 'DSCP'),
    ...ofMap(sources.dot1p_to_tc_map, qos.pcpToPriority, 'PCP'),
    ...ofMap(sources.tc_to_pg_map, qos.priorityToGroup, 'TC'),
    ...ofMap(sources.tc_to_queue_map, qos.priorityToTrafficClass, 'TC'),
  ];
}

/** `DSCP 24-31 to 3; 48 to 6`: a map's non-zero entries. */
function showMap(map: readonly number[], what: string): string {
  if (map.every((target, from) => target === from)) return `each ${what} to itself`;
  const targets = [...new Set(map)].sort((a, b) => a - b).filter((target) => target !== 0);
  const parts = targets.map((target) =>
    `${showRuns(map.flatMap((to, from) => (to === target ? from : [])))} to ${target}`
  );
  return parts.length === 0 ? 'all to 0' : `${what} ${parts.join('; ')}; others to 0`;
}
