/**
 * Settings that the scenario gives and that changed nothing in this run: those known beforehand (the result's
 * notes), and those that only the run could show.
 */
import type { SimResult } from '../result.js';
import { asSettings } from '../scenario/as-settings.js';
import { reason, type Explanation, type Reason } from './explanation.js';
import { familyOf, notificationCount, switchNames, switchSettings } from './settings.js';
import { findingsOf } from './text.js';

interface IdleSetting {
  readonly setting: string;
  /** What didn't happen. */
  readonly words: string;
  readonly applies: boolean;
}

export function explainSettings(result: SimResult): Explanation {
  const idle = idleSettings(result).filter(({ applies }) => applies);
  const said = idle.map(({ setting, words }) => `Setting ${setting} changed nothing: ${words}.`);
  const because: Reason[] = idle.map(({ setting, words }) => (reason(setting, words, '')));
  const all = [...result.notes, ...said];
  return {
    topic: 'settings',
    question: 'Which settings had no effect?',
    ...(all.length === 0 ?
      {
        code: 'all-settings-used',
        ...findingsOf('None: every mechanism that the scenario enables was exercised.'),
      } :
      { code: 'settings-without-effect', ...findingsOf(...all) }),
    because: [reason('notes', result.notes.length, 'notes'), ...because],
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
    { setting: 'switches.pfc', words: '0 pauses were sent', applies: switches.pfc === true && totals.pauses === 0 },
    {
      setting: 'switches.headroomBytes',
      words: '0 pauses were sent',
      applies: switches.headroomBytes !== undefined && totals.pauses === 0,
    },
    // Instead of a mark a switch may send a Fast CNP.
    {
      setting: 'switches.ecn',
      words: '0 packets were marked',
      applies: isMarking && totals.marks + totals.fastCnps === 0,
    },
    { setting: 'switches.fastCnp', words: '0 Fast CNPs were sent', applies: hasFast && totals.fastCnps === 0 },
  ];
}

function ofHosts({ scenario: { hosts = {} }, totals }: SimResult, hasFast: boolean): IdleSetting[] {
  return [
    {
      setting: 'hosts.cnpIntervalUs',
      words: '0 CNPs were sent',
      applies: hosts.cnpIntervalUs !== undefined && totals.cnps === 0,
    },
    {
      setting: 'hosts.cnpDelayUs',
      words: '0 CNPs were sent',
      applies: (hosts.cnpDelayUs ?? 0) > 0 && totals.cnps === 0,
    },
    {
      setting: 'hosts.acceptFastCnp',
      words: '0 Fast CNPs were sent',
      applies: hosts.acceptFastCnp !== undefined && !hasFast,
    },
    {
      setting: 'hosts.retransmitTimeoutUs',
      words: '0 timeouts expired',
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
      words: '0 packets were lost by them',
      applies: faults.length > 0 && faults.every((fault) => 'between' in fault) && lostByFaults(result) === 0,
    },
    {
      setting: 'algorithms',
      words: '0 notifications reached a sender, so no parameter of DCQCN was used',
      applies: isTuned && notificationCount(result) === 0,
    },
  ];
}

function lostByFaults({ totals: { drops } }: SimResult): number {
  return drops.linkDown + drops.loss + drops.corrupt + (drops.bitErrors ?? 0);
}
