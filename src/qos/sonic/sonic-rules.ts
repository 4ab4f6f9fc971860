/**
 * Rules for a single SONiC switch: headroom, shared headroom pool and watchdog, with SONiC's names, the source of each,
 * and the sentences of its findings. The parameter type of a sentence declares the figures of a finding.
 */
import { number } from '../../error-text.js';
import type { FiguresOf } from '../../note-record.js';
import { BPS_PER_GBPS } from '../../units.js';
import type { LintSeverity } from '../lint-rules.js';
import type { LintFacts } from '../lint-sentences.js';

interface SonicRuleText {
  /** Severity of the rule's findings. */
  readonly severity: LintSeverity;
  /** Tables and fields that determine it. */
  readonly setting: string;
  /** How to fix a finding of this rule. */
  readonly advice: string;
  /** Where the facts are documented. */
  readonly source: string;
}

/** A time of the watchdog, with its field name in PFC_WD. */
interface WatchdogTime {
  readonly field: 'detection_time' | 'restoration_time' | 'POLL_INTERVAL';
  /** Value of the field; null if it is missing. */
  readonly valueMs: number | null;
  readonly minMs: number;
  readonly maxMs: number;
}

interface Headroom {
  /** Table and key of config_db.json: `BUFFER_PROFILE|pg_lossless_100000_5m_profile`. */
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

const YANG_WATCHDOG = 'sonic-buildimage, sonic-pfcwd.yang';
const ORCH_WATCHDOG = 'sonic-swss, orchagent/pfcwdorch.cpp';

const RULES = {
  'qos-tables-missing': {
    severity: 'error',
    setting: 'PORT_QOS_MAP, QUEUE, BUFFER_PG',
    advice:
      'Write the QoS tables with "config qos reload", or lint the file that has them (one per ASIC on some platforms).',
    source: 'sonic-utilities, config/main.py, config qos reload',
  },
  'headroom-below-cable': {
    severity: 'error',
    setting: 'BUFFER_PROFILE xoff, CABLE_LENGTH, PORT speed',
    advice: 'Raise xoff and what holds it (size, or xoff of BUFFER_POOL), or correct CABLE_LENGTH: the group drops.',
    source: 'IEEE 802.1Q, annex O; sonic-net/SONiC #480',
  },
  'headroom-below-limit': {
    severity: 'warning',
    setting: 'BUFFER_PROFILE xoff, CABLE_LENGTH, PORT speed',
    advice: 'Raise xoff, or check with the data sheets of both ends that they are faster than the standards demand.',
    source: 'IEEE 802.1Q, annex O and 36.1.3.3; IEEE 802.3, 31B.3.7',
  },
  'headroom-not-reserved': {
    severity: 'warning',
    setting: 'BUFFER_PROFILE size, BUFFER_POOL xoff',
    advice: 'Without a shared headroom pool set size to xon + xoff; otherwise set xoff of BUFFER_POOL.',
    source: 'sonic-swss, cfgmgr/buffer_headroom_mellanox.lua',
  },
  'headroom-pool-too-small': {
    severity: 'warning',
    setting: 'BUFFER_POOL xoff',
    advice: 'Raise xoff of BUFFER_POOL: all priority groups share it, and it does not hold the headroom of one.',
    source: 'sonic-swss #368',
  },
  'pause-stops-other-queue': {
    severity: 'warning',
    setting: 'MAP_PFC_PRIORITY_TO_QUEUE, TC_TO_QUEUE_MAP',
    advice: 'Map each priority of pfc_enable to the queue of its traffic class.',
    source: 'sonic-buildimage, sonic-yang-models/doc/Configuration.md',
  },
  'watchdog-missing': {
    severity: 'warning',
    setting: 'PFC_WD',
    advice: 'Start it with "pfcwd start", or "pfcwd start_default".',
    source: 'sonic-utilities, pfcwd/main.py',
  },
  'watchdog-other-priority': {
    severity: 'warning',
    setting: 'PORT_QOS_MAP pfcwd_sw_enable, pfc_enable',
    advice: 'Let pfcwd_sw_enable have the priorities of pfc_enable.',
    source: 'sonic-swss #2171; edge-core/sonic-buildimage #697',
  },
  'watchdog-slow-poll': {
    severity: 'warning',
    setting: 'PFC_WD POLL_INTERVAL, detection_time, restoration_time',
    advice: 'Set POLL_INTERVAL of PFC_WD|GLOBAL to at most detection_time and restoration_time ("pfcwd interval").',
    source: YANG_WATCHDOG,
  },
  'watchdog-rejected': {
    severity: 'warning',
    setting: 'PFC_WD detection_time, restoration_time, POLL_INTERVAL',
    advice: 'Set times in the range: orchagent rejects the others, and the watchdog does not start.',
    source: `${ORCH_WATCHDOG}; ${YANG_WATCHDOG}`,
  },
  'watchdog-alert-only': {
    severity: 'info',
    setting: 'PFC_WD action',
    advice: 'Use drop or forward where a storm has to end: alert only logs it.',
    source: ORCH_WATCHDOG,
  },
  'watchdog-without-restoration': {
    severity: 'info',
    setting: 'PFC_WD restoration_time',
    advice: 'Set restoration_time; "pfcwd start" writes twice detection_time.',
    source: 'sonic-utilities, pfcwd/main.py',
  },
  'big-red-switch': {
    severity: 'error',
    setting: 'PFC_WD BIG_RED_SWITCH',
    advice: 'Disable it with "pfcwd big_red_switch disable" when the incident is over.',
    source: ORCH_WATCHDOG,
  },
} as const satisfies Record<string, SonicRuleText>;

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

/** Id of a rule for a SONiC switch. */
export type SonicRule = keyof typeof RULES;

/** All rules, in the order of the report. */
export const SONIC_RULES: Readonly<Record<SonicRule, SonicRuleText>> = Object.freeze(RULES);

/** A finding of a rule. */
export interface SonicFindingOf<Rule extends SonicRule> extends SonicRuleText, LintFacts {
  /** The violated rule. */
  readonly rule: Rule;
  /** The figures that the sentences are made from, by name, with units. */
  readonly figures: SonicFigures<Rule>;
}

/** A finding at a port of a SONiC switch. */
export type SonicFinding = { [Rule in SonicRule]: SonicFindingOf<Rule> }[SonicRule];

/** Makes a finding; its severity and advice come from the rule. */
export function findSonic<Rule extends SonicRule>(rule: Rule, figures: SonicFigures<Rule>): SonicFindingOf<Rule> {
  return { rule, ...SONIC_RULES[rule], figures, ...BY_RULE[rule](figures) };
}

function heldWords({ place, xoffBytes, rateBps }: LinkHeadroom): string {
  return `${place} xoff holds ${number(xoffBytes)} bytes, but at ${rateBps / BPS_PER_GBPS} Gb/s`;
}

function neededFacts({ xoffBytes, rateBps, cableMetres, neededBytes }: LinkHeadroom): Omit<LintFacts, 'message'> {
  const command = `roce-cc headroom --rate ${rateBps / BPS_PER_GBPS}G --cable ${cableMetres}`;
  return { got: `xoff ${number(xoffBytes)} bytes`, expected: `at least ${number(neededBytes)} bytes, as "${command}"` };
}
