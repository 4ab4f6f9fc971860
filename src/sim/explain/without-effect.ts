/**
 * Settings of the scenario that changed nothing in this run: those known beforehand (the result's notes), and those that only
 * the run could show.
 */
import type { SimResult } from '../result.js';
import { asSettings } from '../scenario/setting-words.js';
import { type Explanation, answerOf, finding, reason } from './explanation.js';
import { effectWords, type Effect } from './sentences/network.js';
import { familyOf, notificationCount, switchNames, switchSettings } from './settings.js';

interface IdleSetting {
  readonly setting: string;
  /** The effect that did not occur. */
  readonly effect: Effect;
  readonly applies: boolean;
}

export function explainSettings(result: SimResult): Explanation {
  const idle = idleSettings(result).filter(({ applies }) => applies);
  const { notes, noteRecords } = result;
  const all = [
    ...notes.map((sentence, index) => finding('noted', { sentence, note: noteRecords?.[index] ?? null })),
    ...idle.map(({ setting, effect }) => finding('setting-unused', { setting, effect })),
  ];
  return {
    topic: 'settings',
    question: 'Which settings had no effect?',
    ...(all.length === 0 ?
      { code: 'all-settings-used', ...answerOf(finding('every-setting-used')) } :
      { code: 'settings-without-effect', ...answerOf(...all) }),
    because: [
      reason('notes', notes.length),
      ...idle.map(({ setting, effect }) => reason('setting-idle', effectWords(effect), { setting })),
    ],
    missing: [],
  };
}

function idleSettings(result: SimResult): IdleSetting[] {
  const hasFast = switchNames(result).some((node) => switchSettings(result.scenario, node).fastCnp);
  const mayHaveFast = hasFast || result.totals.fastCnps > 0;
  return [...ofSwitches(result, hasFast), ...ofHosts(result, mayHaveFast), ...ofTheRest(result)];
}

function ofSwitches({ scenario: { switches = {} }, totals }: SimResult, hasFast: boolean): IdleSetting[] {
  const isMarking = switches.ecn !== undefined && asSettings(switches.ecn)?.enabled !== false;
  return [
    { setting: 'switches.pfc', effect: 'pauses', applies: switches.pfc === true && totals.pauses === 0 },
    {
      setting: 'switches.headroomBytes',
      effect: 'pauses',
      applies: switches.headroomBytes !== undefined && totals.pauses === 0,
    },
    // Instead of a mark a switch may send a Fast CNP.
    {
      setting: 'switches.ecn',
      effect: 'marks',
      applies: isMarking && totals.marks + totals.fastCnps === 0,
    },
    { setting: 'switches.fastCnp', effect: 'fast-cnps', applies: hasFast && totals.fastCnps === 0 },
  ];
}

function ofHosts({ scenario: { hosts = {} }, totals }: SimResult, hasFast: boolean): IdleSetting[] {
  return [
    {
      setting: 'hosts.cnpIntervalUs',
      effect: 'cnps',
      applies: hosts.cnpIntervalUs !== undefined && totals.cnps === 0,
    },
    {
      setting: 'hosts.cnpDelayUs',
      effect: 'cnps',
      applies: (hosts.cnpDelayUs ?? 0) > 0 && totals.cnps === 0,
    },
    {
      setting: 'hosts.acceptFastCnp',
      effect: 'fast-cnps',
      applies: hosts.acceptFastCnp !== undefined && !hasFast,
    },
    {
      setting: 'hosts.retransmitTimeoutUs',
      effect: 'timeouts',
      applies: (hosts.retransmitTimeoutUs ?? 0) > 0 && totals.timeouts === 0,
    },
  ];
}

function ofTheRest(result: SimResult): IdleSetting[] {
  const { faults = [], algorithms = {} } = result.scenario;
  const isTuned = Object.values(algorithms).some(({ preset, parameters }) =>
    familyOf(preset) === 'dcqcn' && parameters !== undefined
  );
  return [
    {
      setting: 'faults',
      effect: 'losses',
      applies: faults.length > 0 && faults.every((fault) => 'between' in fault) && lostByFaults(result) === 0,
    },
    {
      setting: 'algorithms',
      effect: 'notifications',
      applies: isTuned && notificationCount(result) === 0,
    },
  ];
}

function lostByFaults({ totals: { drops } }: SimResult): number {
  return drops.linkDown + drops.loss + drops.corrupt + (drops.bitErrors ?? 0);
}
