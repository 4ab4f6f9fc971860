/**
 * The PFC storm watchdog of a port: PFC_WD, its entry GLOBAL, and pfcwd_sw_enable of PORT_QOS_MAP.
 *
 * pfcwd_sw_enable names the priorities that the software watchdog watches. Older releases do not have it;
 * db_migrator.py then sets it to pfc_enable. orchagent rejects times out of range, and polls every 100 ms unless
 * POLL_INTERVAL is set. Sources: sonic-swss, orchagent/pfcwdorch.cpp and orchdaemon.cpp; sonic-utilities,
 * db_migrator.py, pfcwd/main.py; sonic-pfcwd.yang.
 */
import type { PfcSettings } from '../qos-map.js';
import { prioritiesOf, rejectField, textOf, wholeOf, type SonicEntry, type SonicTables } from './tables.js';
import type { SonicWatchdog } from './sonic-config.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';

/** The watchdog of a port, and findings about it. */
export interface PortWatchdog {
  /** Null if there is none, or if orchagent does not start it. */
  readonly watchdog: SonicWatchdog | null;
  readonly findings: readonly SonicFinding[];
}

const ACTIONS = ['drop', 'forward', 'alert'] as const;
const MS_MAX = 2 ** 32 - 1;
const POLL_DEFAULT_MS = 100;
/**
 * Ranges of the times, milliseconds: PFC_WD_*_TIME_MIN and _MAX of pfcwdorch.cpp; POLL_INTERVAL from the YANG model.
 */
const RANGES = {
  detection_time: [100, 5000],
  restoration_time: [100, 60_000],
  POLL_INTERVAL: [100, 1000],
} as const;

type TimeField = keyof typeof RANGES;

/**
 * Reads the PFC_WD entry of a port.
 * @param ofPort the port's entry in PORT_QOS_MAP.
 */
export function readPortWatchdog(tables: SonicTables, port: string, ofPort: SonicEntry,
  pfc: PfcSettings): PortWatchdog {
  const global = tables.entry('PFC_WD', 'GLOBAL');
  const shared = [...checkBigRedSwitch(global), ...global === undefined ? [] : checkRange(global, 'POLL_INTERVAL')];
  const entry = tables.entryOfPort('PFC_WD', port);
  if (entry === undefined) {
    return {
      watchdog: null,
      findings: pfc.honourPriorities.length === 0 ? [] : [...shared, findSonic('watchdog-missing', {})],
    };
  }
  const watchdog = readEntry(entry);
  const pollMs = (global && wholeOf(global, 'POLL_INTERVAL', 0, MS_MAX)) ?? POLL_DEFAULT_MS;
  const findings = watchdog === null ? checkTimes(entry) : [
    ...checkTimes(entry),
    ...checkPoll(watchdog, pollMs),
    ...checkAction(watchdog),
    ...checkWatched(ofPort, pfc.sendPriorities),
  ];
  return { watchdog, findings: [...shared, ...findings] };
}

/** Null if detection_time is missing, without which orchagent starts no watchdog. */
function readEntry(entry: SonicEntry): SonicWatchdog | null {
  const detectionMs = wholeOf(entry, 'detection_time', 0, MS_MAX);
  const restorationMs = wholeOf(entry, 'restoration_time', 0, MS_MAX) ?? null;
  const action = ACTIONS.find((one) => one === (textOf(entry, 'action') ?? 'drop'));
  if (action === undefined) return rejectField(entry, 'action', ACTIONS);
  return detectionMs === undefined || detectionMs === 0 ? null : { detectionMs, restorationMs, action };
}

function checkTimes(entry: SonicEntry): SonicFinding[] {
  if (wholeOf(entry, 'detection_time', 0, MS_MAX) === undefined) {
    return [findRejected('detection_time', null)];
  }
  return [...checkRange(entry, 'detection_time'), ...checkRange(entry, 'restoration_time')];
}

function checkRange(entry: SonicEntry, field: TimeField): SonicFinding[] {
  const [min, max] = RANGES[field];
  const value = wholeOf(entry, field, 0, MS_MAX);
  if (value === undefined || (value >= min && value <= max)) return [];
  return [findRejected(field, value)];
}

function findRejected(field: TimeField, valueMs: number | null): SonicFinding {
  const [minMs, maxMs] = RANGES[field];
  return findSonic('watchdog-rejected', { field, valueMs, minMs, maxMs });
}

function checkPoll({ detectionMs, restorationMs }: SonicWatchdog, pollMs: number): SonicFinding[] {
  const times = [['detection_time', detectionMs], ['restoration_time', restorationMs]] as const;
  return times.flatMap(([field, value]) =>
    value === null || value >= pollMs ? [] : [findSonic('watchdog-slow-poll', { field, valueMs: value, pollMs })]
  );
}

function checkAction({ action, restorationMs }: SonicWatchdog): SonicFinding[] {
  const found: SonicFinding[] = [];
  if (action === 'alert') found.push(findSonic('watchdog-alert-only', {}));
  if (restorationMs === null) found.push(findSonic('watchdog-without-restoration', {}));
  return found;
}

function checkWatched(ofPort: SonicEntry, pfcPriorities: readonly number[]): SonicFinding[] {
  if (!Object.hasOwn(ofPort.fields, 'pfcwd_sw_enable')) return [];
  const watched = prioritiesOf(ofPort, 'pfcwd_sw_enable');
  const areAllWatched = pfcPriorities.every((priority) => watched.includes(priority));
  return areAllWatched ? [] : [findSonic('watchdog-other-priority', { pfcPriorities, watched })];
}

function checkBigRedSwitch(global: SonicEntry | undefined): SonicFinding[] {
  if (global === undefined || textOf(global, 'BIG_RED_SWITCH') !== 'enable') return [];
  return [findSonic('big-red-switch', {})];
}
