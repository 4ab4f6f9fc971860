/** Combines the tables of a SONiC switch for one port, and shows its settings under SONiC's names. */
import { distinctNotes } from '../../note-record.js';
import { BPS_PER_MBPS } from '../../units.js';
import { qosNote, type QosNote, showRuns } from '../notes.js';
import type { PortQos } from '../qos-map.js';
import { missingGroupOf, readPortBuffers, cableLengthOf, cableOfProfile, type CableLength, checkLinkHeadroom,
  checkReserve, type ProfileHeadroom } from './port-buffers.js';
import { type PortEntries, wholeOf, type SonicTables } from './tables.js';
import { readPortMaps, type PortMaps } from './port-maps.js';
import { readPortQueues } from './port-queues.js';
import { readPortWatchdog } from './port-watchdog.js';
import type { SonicPort, SonicSetting, SonicWatchdog } from './sonic-config.js';
import type { SonicFinding } from './sonic-rules.js';

/** The tables of a switch, and settings common to all of its ports. */
export interface SwitchTables {
  readonly tables: SonicTables;
  readonly queues: PortEntries;
  readonly groups: PortEntries;
  /** Whether the file uses the dynamic buffer model. */
  readonly isDynamic: boolean;
  /** Whether over_subscribe_ratio creates a shared headroom pool. */
  readonly isOversubscribed: boolean;
}

const SPEED_MAX_MBPS = 10_000_000;
const NO_PAUSE = Object.freeze({ send: false, honour: false });

/** Reads the settings of one port. */
export function readPort(shared: SwitchTables, name: string): SonicPort {
  const { tables, isDynamic } = shared;
  const ofPort = tables.entry('PORT', name);
  const speedMbps = ofPort && wholeOf(ofPort, 'speed', 1, SPEED_MAX_MBPS);
  const rateBps = speedMbps === undefined ? null : speedMbps * BPS_PER_MBPS;
  const cable = cableLengthOf(tables, name);
  const maps = readPortMaps(tables, name);
  const queues = readPortQueues(tables, shared.queues.get(name));
  const missing = missingGroupOf({ isDynamic, speedMbps, cable, pfcPriorities: maps.pfc.sendPriorities });
  const buffers = readPortBuffers(tables, shared.groups.get(name), missing);
  const { watchdog, findings: ofWatchdog } = readPortWatchdog(tables, name, maps.entry, maps.pfc);
  const headroom = checkHeadrooms(buffers.headrooms, rateBps, cable, shared.isOversubscribed);
  const { groups } = buffers;
  const { trafficClasses } = queues;
  const qos: PortQos = { ...maps.maps, pfc: maps.pfc, globalPause: NO_PAUSE, groups, trafficClasses };
  return {
    name,
    rateBps,
    qos,
    watchdog,
    notStated: buffers.notStated,
    settings: [
      ...(speedMbps === undefined ? [] : [{ name: 'PORT speed', value: `${speedMbps} Mb/s` }]),
      ...(cable === null ? [] : [{ name: 'CABLE_LENGTH', value: cable.text }]),
      ...mapSettings(maps, qos),
      ...buffers.settings,
      ...queues.settings,
      ...watchdogSettings(watchdog),
    ],
    notes: [...maps.notes, ...queues.notes, ...buffers.notes, ...headroom.notes],
    findings: [...maps.findings, ...headroom.findings, ...ofWatchdog],
    reasons: [...queues.reasons, ...buffers.reasons],
  };
}

interface CheckedHeadrooms {
  readonly findings: readonly SonicFinding[];
  readonly notes: readonly QosNote[];
}

function checkHeadrooms(headrooms: readonly ProfileHeadroom[], rateBps: number | null, cable: CableLength | null,
  isOversubscribed: boolean): CheckedHeadrooms {
  const checked = headrooms.map((headroom) => checkLink(headroom, rateBps, cable));
  return {
    findings: [
      ...checked.flatMap(({ findings }) => findings),
      ...headrooms.flatMap((headroom) => checkReserve(headroom, isOversubscribed)),
    ],
    notes: distinctNotes(checked.flatMap(({ notes }) => notes)),
  };
}

/** If CABLE_LENGTH is missing, the cable length comes from the profile's name. */
function checkLink(headroom: ProfileHeadroom, rateBps: number | null, given: CableLength | null): CheckedHeadrooms {
  const cable = given ?? cableOfProfile(headroom.place.slice(headroom.place.indexOf('|') + 1));
  if (rateBps === null || cable === null) {
    const lacking = rateBps === null ? 'speed' : 'length';
    return { findings: [], notes: [qosNote('headroom-not-compared', { lacking, place: headroom.place })] };
  }
  const note = qosNote('cable-of-profile', { cable: cable.text, place: headroom.place });
  return { findings: checkLinkHeadroom(headroom, { rateBps, cable }), notes: given === null ? [note] : [] };
}

/** The watchdog of a port. */
function watchdogSettings(watchdog: SonicWatchdog | null): SonicSetting[] {
  if (watchdog === null) return [{ name: 'PFC_WD', value: 'none' }];
  const { detectionMs, restorationMs, action } = watchdog;
  return [
    { name: 'PFC_WD detection_time', value: `${detectionMs} ms` },
    { name: 'PFC_WD restoration_time', value: restorationMs === null ? 'not given' : `${restorationMs} ms` },
    { name: 'PFC_WD action', value: action },
  ];
}

/** Settings of a port's maps and PFC. */
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

/** Formats the non-zero entries of a map: `DSCP 24-31 to 3; 48 to 6`. */
function showMap(map: readonly number[], what: string): string {
  if (map.every((target, from) => target === from)) return `each ${what} to itself`;
  const targets = [...new Set(map)].sort((a, b) => a - b).filter((target) => target !== 0);
  const parts = targets.map((target) =>
    `${showRuns(map.flatMap((to, from) => (to === target ? from : [])))} to ${target}`
  );
  return parts.length === 0 ? 'all to 0' : `${what} ${parts.join('; ')}; others to 0`;
}
