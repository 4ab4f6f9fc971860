/**
 * The watchdog of PFC storms of a port: PFC_WD, its entry GLOBAL, and pfcwd_sw_enable of PORT_QOS_MAP.
 *
 * pfcwd_sw_enable names the priorities that the software watchdog watches; files of releases before it have none, and
 * db_migrator.py fills in pfc_enable. orchagent rejects times out of range, and polls every 100 ms unless POLL_INTERVAL says
 * otherwise. Sources: sonic-swss, orchagent/pfcwdorch.cpp and orchdaemon.cpp; sonic-utilities, db_migrator.py, pfcwd/main.py;
 * sonic-pfcwd.yang.
 */
import type { PfcSettings } from '../qos-map.js';
import { prioritiesOf, rejectField, textOf, wholeOf, type SonicEntry, type SonicTables } from './tables.js';
import type { SonicWatchdog } from './sonic-config.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';

/** The watchdog of a port, and what is wrong with it. */
export interface PortWatchdog {
  /** null: there is none, or orchagent does not start it. */
  readonly watchdog: SonicWatchdog | null;
  readonly findings: readonly SonicFinding[];
}

const ACTIONS = ['drop', 'forward', 'alert'] as const;
const MS_MAX = 2 ** 32 - 1;
const POLL_DEFAULT_MS = 100;
/** Ranges of the times, milliseconds: PFC_WD_*_TIME_MIN and _MAX of pfcwdorch.cpp; POLL_INTERVAL of the YANG model. */
const RANGES = {
  detection_time: [100, 5000],
  restoration_time: [100, 60_000],
  POLL_INTERVAL: [100, 1000],
} as const;

type TimeField = keyof typeof RANGES;

/**
 * Reads PFC_WD of a port.
 * @param ofPort its entry of PORT_QOS_MAP.
 */
export function readPortWatchdog(tables: SonicTables, port: string, ofPort: SonicEntry,
  pfc: PfcSettings): PortWatchdog {
  const global = tables.entry('PFC_WD', 'GLOBAL');
  const shared = [...checkBigRedSwitch(global), ...global === undefined ? [] : checkRange(global, 'POLL_INTERVAL')];
  const entry = tables.entryOfPort('PFC_WD', port);
  if (entry === undefined) {
    return { watchdog: null, findings: pfc.honourPriorities.length === 0 ? [] : [...shared, findMissing()] };
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

function findMissing(): SonicFinding {
  return findSonic('watchdog-missing', {
    message: 'PFC is on without PFC_WD: a device that never stops sending pauses blocks this port permanently',
    got: 'no entry of PFC_WD',
    expected: 'a watchdog',
  });
}

/** null: detection_time is missing, without which orchagent starts no watchdog. */
function readEntry(entry: SonicEntry): SonicWatchdog | null {
  const detectionMs = wholeOf(entry, 'detection_time', 0, MS_MAX);
  const restorationMs = wholeOf(entry, 'restoration_time', 0, MS_MAX) ?? null;
  const action = ACTIONS.find((one) => one === (textOf(entry, 'action') ?? 'drop'));
  if (action === undefined) return rejectField(entry, 'action', ACTIONS);
  return detectionMs === undefined || detectionMs === 0 ? null : { detectionMs, restorationMs, action };
}

function checkTimes(entry: SonicEntry): SonicFinding[] {
  if (wholeOf(entry, 'detection_time', 0, MS_MAX) === undefined) {
    const message = 'PFC_WD has no detection_time, so orchagent starts no watchdog';
    return [findSonic('watchdog-rejected', { message, got: 'missing', expected: rangeText('detection_time') })];
  }
  return [...checkRange(entry, 'detection_time'), ...checkRange(entry, 'restoration_time')];
}

function checkRange(entry: SonicEntry, field: TimeField): SonicFinding[] {
  const [min, max] = RANGES[field];
  const value = wholeOf(entry, field, 0, MS_MAX);
  if (value === undefined || (value >= min && value <= max)) return [];
  return [findSonic('watchdog-rejected', {
    message: `${field} of PFC_WD is out of range`,
    got: `${value} ms`,
    expected: rangeText(field),
  })];
}

function rangeText(field: TimeField): string {
  const [min, max] = RANGES[field];
  return `${field} from ${min} to ${max} ms`;
}

/** A time shorter than the interval of polls cannot be kept. */
function checkPoll({ detectionMs, restorationMs }: SonicWatchdog, pollMs: number): SonicFinding[] {
  const times = [['detection_time', detectionMs], ['restoration_time', restorationMs]] as const;
  return times.flatMap(([field, value]) =>
    value === null || value >= pollMs ? [] : [findSonic('watchdog-slow-poll', {
      message: `PFC_WD polls more slowly than ${field}, which it cannot keep`,
      got: `POLL_INTERVAL ${pollMs} ms, ${field} ${value} ms`,
      expected: `POLL_INTERVAL of at most ${value} ms`,
    })]
  );
}

function checkAction({ action, restorationMs }: SonicWatchdog): SonicFinding[] {
  const found: SonicFinding[] = [];
  if (action === 'alert') {
    const message = 'PFC_WD logs a storm, and does not end it';
    found.push(findSonic('watchdog-alert-only', { message, got: 'action alert', expected: 'action drop or forward' }));
  }
  if (restorationMs === null) {
    const message = 'PFC_WD has no restoration_time, which pfcwd shows as infinite';
    found.push(findSonic('watchdog-without-restoration', { message, got: 'missing', expected: 'a restoration_time' }));
  }
  return found;
}

function checkWatched(ofPort: SonicEntry, pfcPriorities: readonly number[]): SonicFinding[] {
  if (!Object.hasOwn(ofPort.fields, 'pfcwd_sw_enable')) return [];
  const watched = prioritiesOf(ofPort, 'pfcwd_sw_enable');
  const missed = pfcPriorities.filter((priority) => !watched.includes(priority));
  if (missed.length === 0) return [];
  const [of, on] = [missed.join(','), watched.length === 0 ? 'none' : watched.join(',')];
  return [findSonic('watchdog-other-priority', {
    message: `pfc_enable has ${of}, which the watchdog does not watch: pfcwd_sw_enable has ${on}`,
    got: `pfcwd_sw_enable ${on}`,
    expected: `pfcwd_sw_enable ${pfcPriorities.join(',')}`,
  })];
}

function checkBigRedSwitch(global: SonicEntry | undefined): SonicFinding[] {
  if (global === undefined || textOf(global, 'BIG_RED_SWITCH') !== 'enable') return [];
  return [findSonic('big-red-switch', {
    message: 'BIG_RED_SWITCH drops all packets of the queues that PFC is on for',
    got: 'BIG_RED_SWITCH enable',
    expected: 'disable',
  })];
}
