/**
 * The sentences of each finding on a single SONiC switch, by rule; the parameter type of each declares its figures.
 * Findings are created as data (sonic-rules.ts), and only this file words them.
 *
 * `place` is a table and key of config_db.json: `BUFFER_PROFILE|pg_lossless_100000_5m_profile`.
 */
import { number } from '../../error-text.js';
import type { FiguresOf } from '../../note-record.js';
import { BPS_PER_GBPS } from '../../unit-sizes.js';
import type { LintFacts } from '../lint-sentences.js';

/** A time of the watchdog, with its field name in PFC_WD. */
interface WatchdogTime {
  readonly field: 'detection_time' | 'restoration_time' | 'POLL_INTERVAL';
  /** Value of the field; null if it is missing. */
  readonly valueMs: number | null;
  readonly minMs: number;
  readonly maxMs: number;
}

interface Headroom {
  readonly place: string;
  readonly xoffBytes: number;
}

interface LinkHeadroom extends Headroom {
  readonly rateBps: number;
  readonly cableMetres: number;
  /** The cable as SONiC writes it: `300m`. */
  readonly cable: string;
  /** Headroom required by the limits of the standards. */
  readonly neededBytes: number;
}

const HEADROOM = {
  'headroom-below-cable': (figures: LinkHeadroom & {
    /** Data that the cable holds in both directions. */
    readonly cableBytes: number;
  }): LintFacts => ({
    message: `${heldWords(figures)} a cable of ${figures.cable} alone brings ${
      number(figures.cableBytes)
    } bytes after a pause was sent`,
    ...neededFacts(figures),
  }),
  'headroom-below-limit': (figures: LinkHeadroom): LintFacts => ({
    message: `${heldWords(figures)} and ${figures.cable} up to ${
      number(figures.neededBytes)
    } bytes may arrive after a pause was sent`,
    ...neededFacts(figures),
  }),
  'headroom-not-reserved': ({ place, xoffBytes, sizeBytes, pool }: Headroom & {
    readonly sizeBytes: number;
    /** Table and key of the pool. */
    readonly pool: string;
  }): LintFacts => ({
    message: `${place} has xoff ${number(xoffBytes)} bytes, but neither size nor a shared headroom pool holds them`,
    got: `size ${number(sizeBytes)} bytes, no xoff of ${pool}`,
    expected: `size of at least ${number(xoffBytes)} bytes, or a shared headroom pool`,
  }),
  'headroom-pool-too-small': ({ place, xoffBytes, pool, poolXoffBytes }: Headroom & {
    /** Table and key of the pool. */
    readonly pool: string;
    readonly poolXoffBytes: number;
  }): LintFacts => ({
    message: `the shared headroom pool of ${pool} is smaller than the headroom of one priority group`,
    got: `xoff ${number(poolXoffBytes)} bytes`,
    expected: `at least ${number(xoffBytes)} bytes, xoff of ${place}`,
  }),
};

const WATCHDOG = {
  'watchdog-missing': (): LintFacts => ({
    message: 'PFC is on without PFC_WD: a device that never stops sending pauses blocks this port permanently',
    got: 'no entry of PFC_WD',
    expected: 'a watchdog',
  }),
  'watchdog-other-priority': ({ pfcPriorities, watched }: {
    /** Priorities in pfc_enable. */
    readonly pfcPriorities: readonly number[];
    /** Priorities in pfcwd_sw_enable. */
    readonly watched: readonly number[];
  }): LintFacts => {
    const missed = pfcPriorities.filter((priority) => !watched.includes(priority));
    const on = watched.length === 0 ? 'none' : watched.join(',');
    return {
      message: `pfc_enable has ${missed.join(',')}, which the watchdog does not watch: pfcwd_sw_enable has ${on}`,
      got: `pfcwd_sw_enable ${on}`,
      expected: `pfcwd_sw_enable ${pfcPriorities.join(',')}`,
    };
  },
  /** The watchdog cannot keep a time shorter than its poll interval. */
  'watchdog-slow-poll': ({ field, valueMs, pollMs }: {
    readonly field: WatchdogTime['field'];
    readonly valueMs: number;
    readonly pollMs: number;
  }): LintFacts => ({
    message: `PFC_WD polls more slowly than ${field}, which it cannot keep`,
    got: `POLL_INTERVAL ${pollMs} ms, ${field} ${valueMs} ms`,
    expected: `POLL_INTERVAL of at most ${valueMs} ms`,
  }),
  'watchdog-rejected': ({ field, valueMs, minMs, maxMs }: WatchdogTime): LintFacts => ({
    message: valueMs === null ?
      `PFC_WD has no ${field}, so orchagent starts no watchdog` :
      `${field} of PFC_WD is out of range`,
    got: valueMs === null ? 'missing' : `${valueMs} ms`,
    expected: `${field} from ${minMs} to ${maxMs} ms`,
  }),
  'watchdog-alert-only': (): LintFacts => ({
    message: 'PFC_WD logs a storm, and does not end it',
    got: 'action alert',
    expected: 'action drop or forward',
  }),
  'watchdog-without-restoration': (): LintFacts => ({
    message: 'PFC_WD has no restoration_time, which pfcwd shows as infinite',
    got: 'missing',
    expected: 'a restoration_time',
  }),
  'big-red-switch': (): LintFacts => ({
    message: 'BIG_RED_SWITCH drops all packets of the queues that PFC is on for',
    got: 'BIG_RED_SWITCH enable',
    expected: 'disable',
  }),
};

const SENTENCES = {
  'qos-tables-missing': ({ tables }: { readonly tables: readonly string[] }): LintFacts => ({
    message: `config_db.json has no QoS tables (${
      tables.join(', ')
    }): all packets are in traffic class 0, without PFC and ECN`,
    got: 'no QoS tables',
    expected: tables.join(', '),
  }),
  ...HEADROOM,
  'pause-stops-other-queue': ({ priority, stoppedQueue, queue, pauseMap, queueMap }: {
    /** Priority, equal to SONiC's traffic class. */
    readonly priority: number;
    /** The queue stopped by a pause of the priority. */
    readonly stoppedQueue: number;
    /** The queue that the traffic class uses. */
    readonly queue: number;
    /** Table and key of MAP_PFC_PRIORITY_TO_QUEUE. */
    readonly pauseMap: string;
    /** Table and key of TC_TO_QUEUE_MAP; null if the port names none. */
    readonly queueMap: string | null;
  }): LintFacts => ({
    message: `${pauseMap} stops queue ${stoppedQueue} on a pause of priority ${priority}, but traffic class ` +
      `${priority} leaves by queue ${queue} (${queueMap ?? 'no tc_to_queue_map'})`,
    got: `priority ${priority} to queue ${stoppedQueue}`,
    expected: `priority ${priority} to queue ${queue}`,
  }),
  ...WATCHDOG,
};

type FiguresByRule = { [Rule in keyof typeof SENTENCES]: FiguresOf<(typeof SENTENCES)[Rule]> };

/** Figures of a rule's findings, with units in their names. */
export type SonicFigures<Rule extends keyof FiguresByRule> = FiguresByRule[Rule];

const BY_RULE: { readonly [Rule in keyof FiguresByRule]: (figures: FiguresByRule[Rule]) => LintFacts } = SENTENCES;

/** Returns the sentences of a rule for its figures. */
export function sonicFacts<Rule extends keyof FiguresByRule>(rule: Rule, figures: SonicFigures<Rule>): LintFacts {
  return BY_RULE[rule](figures);
}

function heldWords({ place, xoffBytes, rateBps }: LinkHeadroom): string {
  return `${place} xoff holds ${number(xoffBytes)} bytes, but at ${rateBps / BPS_PER_GBPS} Gb/s`;
}

function neededFacts({ xoffBytes, rateBps, cableMetres, neededBytes }: LinkHeadroom): Omit<LintFacts, 'message'> {
  const command = `roce-cc headroom --rate ${rateBps / BPS_PER_GBPS}G --cable ${cableMetres}`;
  return { got: `xoff ${number(xoffBytes)} bytes`, expected: `at least ${number(neededBytes)} bytes, as "${command}"` };
}
