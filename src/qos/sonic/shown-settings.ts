/** Settings of a port under SONiC's names, as `roce-cc settings` shows and compares them. */
import type { PortQos } from '../qos-map.js';
import type { PortMaps } from './port-maps.js';
import { showRuns } from './show-runs.js';
import type { SonicSetting, SonicWatchdog } from './sonic-config.js';

/** The watchdog of a port. */
export function watchdogSettings(watchdog: SonicWatchdog | null): SonicSetting[] {
  if (watchdog === null) return [{ name: 'PFC_WD', value: 'none' }];
  const { detectionMs, restorationMs, action } = watchdog;
  return [
    { name: 'PFC_WD detection_time', value: `${detectionMs} ms` },
    { name: 'PFC_WD restoration_time', value: restorationMs === null ? 'not given' : `${restorationMs} ms` },
    { name: 'PFC_WD action', value: action },
  ];
}

/** Settings of a port's maps and PFC. */
export function mapSettings({ sources }: PortMaps, qos: PortQos): SonicSetting[] {
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
