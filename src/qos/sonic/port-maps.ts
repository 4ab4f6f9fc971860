/**
 * The maps of a port: PORT_QOS_MAP and the entries that it refers to.
 *
 *   DSCP --DSCP_TO_TC_MAP--> traffic class --TC_TO_PRIORITY_GROUP_MAP--> priority group   (ingress)
 *   PCP --DOT1P_TO_TC_MAP-->               --TC_TO_QUEUE_MAP-----------> queue            (egress)
 *   priority of a pause received --MAP_PFC_PRIORITY_TO_QUEUE-----------> queue that stops
 *
 * SONiC's traffic class is the priority in `QosMap`, and its queue is the traffic class there. A missing map sends
 * everything to 0 (SAI, saiport.h: "Default no map, i.e. all packets to queue 0").
 */
import { qosNote, type QosNote } from '../notes.js';
import { DSCP_COUNT, PRIORITY_COUNT, type PfcSettings, type QosMap } from '../qos-map.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';
import { prioritiesOf, textOf, wholeOf, type SonicEntry, type SonicTables } from './tables.js';

/** The maps of a port. */
export interface PortMaps {
  /** The port's entry in PORT_QOS_MAP. */
  readonly entry: SonicEntry;
  readonly maps: QosMap;
  readonly pfc: PfcSettings;
  /** The queue stopped by a pause of each priority; null if the port has no such map. */
  readonly pauseToQueue: readonly number[] | null;
  /** The entry that each map comes from, by field of PORT_QOS_MAP. */
  readonly sources: Readonly<Record<MapField, string | null>>;
  readonly notes: readonly QosNote[];
  readonly findings: readonly SonicFinding[];
}

const MAP_TABLES = {
  dscp_to_tc_map: 'DSCP_TO_TC_MAP',
  dot1p_to_tc_map: 'DOT1P_TO_TC_MAP',
  tc_to_pg_map: 'TC_TO_PRIORITY_GROUP_MAP',
  tc_to_queue_map: 'TC_TO_QUEUE_MAP',
  pfc_to_queue_map: 'MAP_PFC_PRIORITY_TO_QUEUE',
} as const;

/** A field of PORT_QOS_MAP that names a map. */
export type MapField = keyof typeof MAP_TABLES;

const PRIORITIES = Array.from({ length: PRIORITY_COUNT }, (_, index) => index);

/** Reads the PORT_QOS_MAP entry of a port. */
export function readPortMaps(tables: SonicTables, port: string): PortMaps {
  const entry = tables.entryOfPort('PORT_QOS_MAP', port) ?? { place: `PORT_QOS_MAP|${port}`, fields: {} };
  const entries = referredMaps(tables, entry);
  const notes: QosNote[] = [];
  const read = (field: MapField, count: number): number[] => readMap(entries[field], count, notes);
  const trustsDscp = entries.dscp_to_tc_map !== undefined || entries.dot1p_to_tc_map === undefined;
  if (entries.dscp_to_tc_map !== undefined && entries.dot1p_to_tc_map !== undefined) {
    notes.push(qosNote('dscp-before-pcp'));
  }
  const maps: QosMap = {
    trust: trustsDscp ? 'dscp' : 'pcp',
    defaultPriority: 0,
    dscpToPriority: read('dscp_to_tc_map', DSCP_COUNT),
    pcpToPriority: read('dot1p_to_tc_map', PRIORITY_COUNT),
    priorityToGroup: read('tc_to_pg_map', PRIORITY_COUNT),
    priorityToTrafficClass: read('tc_to_queue_map', PRIORITY_COUNT),
  };
  notes.push(...explainMissing(entries));
  const pfc = readPfc(tables, entry, port);
  const pauseToQueue = entries.pfc_to_queue_map === undefined ?
    null :
    readMap(entries.pfc_to_queue_map, PRIORITY_COUNT, []);
  return {
    entry,
    maps,
    pfc,
    pauseToQueue,
    sources: sourcesOf(entries),
    notes,
    findings: checkPauseQueues(pfc, maps, pauseToQueue, entries),
  };
}

type MapEntries = Readonly<Record<MapField, SonicEntry | undefined>>;

/** The entry `global` has the DSCP map for ports without one. */
function referredMaps(tables: SonicTables, entry: SonicEntry): MapEntries {
  const referred = (field: MapField): SonicEntry | undefined => tables.referred(entry, field, MAP_TABLES[field]);
  const global = tables.entry('PORT_QOS_MAP', 'global');
  return {
    dscp_to_tc_map: referred('dscp_to_tc_map') ??
      (global && tables.referred(global, 'dscp_to_tc_map', MAP_TABLES.dscp_to_tc_map)),
    dot1p_to_tc_map: referred('dot1p_to_tc_map'),
    tc_to_pg_map: referred('tc_to_pg_map'),
    tc_to_queue_map: referred('tc_to_queue_map'),
    pfc_to_queue_map: referred('pfc_to_queue_map'),
  };
}

function sourcesOf(entries: MapEntries): Readonly<Record<MapField, string | null>> {
  return {
    dscp_to_tc_map: entries.dscp_to_tc_map?.place ?? null,
    dot1p_to_tc_map: entries.dot1p_to_tc_map?.place ?? null,
    tc_to_pg_map: entries.tc_to_pg_map?.place ?? null,
    tc_to_queue_map: entries.tc_to_queue_map?.place ?? null,
    pfc_to_queue_map: entries.pfc_to_queue_map?.place ?? null,
  };
}

function readMap(entry: SonicEntry | undefined, count: number, notes: QosNote[]): number[] {
  const map = new Array<number>(count).fill(0);
  if (entry === undefined) return map;
  const missing: number[] = [];
  for (let index = 0; index < count; index++) {
    const value = wholeOf(entry, String(index), 0, PRIORITY_COUNT - 1);
    if (value === undefined) missing.push(index);
    else map[index] = value;
  }
  if (missing.length > 0) notes.push(qosNote('map-incomplete', { place: entry.place, missing }));
  return map;
}

function explainMissing(entries: MapEntries): QosNote[] {
  const isUnclassified = entries.dscp_to_tc_map === undefined && entries.dot1p_to_tc_map === undefined;
  return [
    ...(isUnclassified ? [qosNote('no-map-to-traffic-classes')] : []),
    ...(entries.tc_to_pg_map === undefined ? [qosNote('no-map-to-priority-groups')] : []),
    ...(entries.tc_to_queue_map === undefined ? [qosNote('no-map-to-queues')] : []),
  ];
}

/** Asymmetric PFC: the port honours pauses of all priorities, but sends only those of pfc_enable. */
function readPfc(tables: SonicTables, entry: SonicEntry, port: string): PfcSettings {
  const sendPriorities = prioritiesOf(entry, 'pfc_enable');
  const ofPort = tables.entry('PORT', port);
  const isAsymmetric = ofPort !== undefined && textOf(ofPort, 'pfc_asym') === 'on';
  return { sendPriorities, honourPriorities: isAsymmetric ? PRIORITIES : sendPriorities };
}

/** A pause must stop the queue that the priority's traffic class uses. */
function checkPauseQueues(pfc: PfcSettings, maps: QosMap, pauseToQueue: readonly number[] | null,
  entries: MapEntries): SonicFinding[] {
  if (pauseToQueue === null) return [];
  const { pfc_to_queue_map: pauseMap, tc_to_queue_map: queueMap } = entries;
  return pfc.sendPriorities.filter((priority) => pauseToQueue[priority] !== maps.priorityToTrafficClass[priority])
    .map((priority) =>
      findSonic('pause-stops-other-queue', {
        priority,
        stoppedQueue: pauseToQueue[priority],
        queue: maps.priorityToTrafficClass[priority],
        pauseMap: pauseMap?.place ?? '',
        queueMap: queueMap?.place ?? null,
      })
    );
}
