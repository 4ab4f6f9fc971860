/** Callers' options for emulated hosts, validated. */
import { flag, reject, wholeIn, type FieldRules } from '../../config/field-rules.js';
import { compileScenario, validateScenario, type ScenarioFiles, type ScenarioSpec } from '../../sim/index.js';
import { resolve } from '../ports/resolve.js';
import { hostsSettings, type HostsSettings } from './settings.js';

/** Hosts of a scenario to emulate, and settings that the scenario leaves open. */
export interface HostsChoice {
  /** Names of the hosts to emulate. Default: all hosts of the scenario. */
  readonly hosts?: readonly string[] | undefined;
  /** Flows continue until they are stopped, whatever their size. Default false. */
  readonly endless?: boolean | undefined;
  /** Number of packets in an RDMA WRITE, 1 to 2^20. Default 64. */
  readonly messagePackets?: number | undefined;
  /** An ACK is requested every N packets, N from 1 to 2^20. Default 1. */
  readonly ackEveryPackets?: number | undefined;
  /** Maximum number of unacknowledged packets of a QP, 1 to 2^22. Default 2^22. */
  readonly windowPackets?: number | undefined;
  /** Custom algorithms that the scenario refers to as presets. */
  readonly algorithms?: ScenarioFiles['algorithms'];
  /** Custom algorithms that the scenario refers to as files, by path. */
  readonly algorithmFiles?: ScenarioFiles['algorithmFiles'];
  /** If a host is called late, it catches up on at most this much time, picoseconds, up to 10^12. Default 10^9. */
  readonly catchUpPs?: number | undefined;
}

/** A validated choice. */
export interface ChosenHosts {
  readonly settings: HostsSettings;
  /** Names of the hosts without duplicates, in the given order. */
  readonly chosen: readonly string[];
}

interface Settings {
  readonly endless: boolean;
  readonly messagePackets: number;
  readonly ackEveryPackets: number;
  readonly windowPackets: number;
  readonly catchUpPs: number;
}

const DEFAULTS: Settings = {
  endless: false,
  messagePackets: 64,
  ackEveryPackets: 1,
  windowPackets: 2 ** 22,
  catchUpPs: 1e9,
};
const RULES: FieldRules<Settings> = {
  endless: flag(),
  messagePackets: wholeIn(1, 2 ** 20),
  ackEveryPackets: wholeIn(1, 2 ** 20),
  windowPackets: wholeIn(1, 2 ** 22),
  catchUpPs: wholeIn(0, 1e12, 'ps'),
};

/** Settings of the chosen hosts. @throws RoceError naming the problem. */
export function hostsOfChoice(scenario: ScenarioSpec,
  { hosts, algorithms, algorithmFiles, ...rest }: HostsChoice): ChosenHosts {
  const files = { ...(algorithms && { algorithms }), ...(algorithmFiles && { algorithmFiles }) };
  const settings = hostsSettings(compileScenario(validateScenario(scenario, files)).plan,
    resolve<Settings>(rest, DEFAULTS, RULES, 'options'));
  return { settings, chosen: chosenHosts(hosts, settings.hosts.map(({ name }) => name)) };
}

function chosenHosts(wanted: readonly string[] | undefined, all: readonly string[]): readonly string[] {
  if (wanted === undefined) return all;
  const given: unknown = wanted;
  if (!Array.isArray(given)) reject({ got: given, allowed: 'a list of names', where: 'options.hosts' });
  for (const [index, name] of wanted.entries()) {
    if (!all.includes(name)) reject({ got: name, allowed: all, where: `options.hosts[${index}]` });
  }
  return [...new Set(wanted)];
}
