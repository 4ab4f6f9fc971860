/** Emulated hosts for programs that provide frames and times, and the choice of hosts. */
import { checkRecord, wholeIn, flag, reject, type FieldRules, resolveOptions } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { compileScenario, validateScenario, type ScenarioFiles, type ScenarioSpec } from '../../sim/index.js';
import { requireCallback, requireFrame } from '../ports/checks.js';
import { EmulatedHosts, type HostCounters } from './emulated-hosts.js';
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
interface ChosenHosts {
  readonly settings: HostsSettings;
  /** Names of the hosts without duplicates, in the given order. */
  readonly chosen: readonly string[];
}

/** A frame that a host sends. */
export interface HostDeparture {
  /** Name of the host. */
  readonly host: string;
  /** When transmission of the frame starts, picoseconds. */
  readonly timePs: number;
  /** When the last bit of the frame is sent, picoseconds. */
  readonly sentPs: number;
  /** Frame without FCS; valid until the callback returns. */
  readonly frame: Uint8Array;
}

/** Options: the hosts to emulate, and settings that the scenario leaves open. */
export interface HostsEmulationOptions extends HostsChoice {
  /** Called for each frame that a host sends. */
  readonly onDeparture?: ((departure: HostDeparture) => void) | undefined;
}

/** A flow of emulated hosts. */
export interface EmulatedFlow {
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Current congestion control rate, bits per second. */
  readonly rateBps: number;
  /** Packets sent, including retransmissions. */
  readonly sentPackets: number;
  /** Number of packets acknowledged. */
  readonly acknowledgedPackets: number;
}

/** RC hosts as a state machine: congestion control, go-back-N, CNPs, PFC. */
export interface HostsEmulation extends Disposable {
  /** Names of the hosts emulated here. */
  readonly hosts: readonly string[];
  /** When the next action is due without input, picoseconds; Infinity if none is. */
  readonly nextEventPs: number;
  /** Flows whose sender is emulated here. */
  readonly flows: readonly EmulatedFlow[];
  /**
   * Handles the arrival of a frame at a host.
   *
   * @param host its name.
   * @param frame starting at the destination address, without FCS.
   * @param timePs arrival of its last bit, a whole number.
   * @throws RoceError `invalid-argument` for an unknown host, or an invalid frame or time.
   */
  receive(host: string, frame: Uint8Array, timePs: number): void;
  /**
   * Performs all actions due up to `timePs`, a whole number. @throws RoceError `invalid-argument` for an invalid time.
   */
  run(timePs: number): void;
  /** Stops new data; responses are still sent. */
  stop(): void;
  /** Returns the counters of a host. @throws RoceError `invalid-argument` for an unknown host. */
  counters(host: string): Readonly<HostCounters>;
  /** Frees the engine; no method may be called afterwards. */
  dispose(): void;
}

const TIME = wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps');

/**
 * Creates hosts of a scenario, and the flows between them.
 *
 * @throws RoceError `invalid-scenario` for a bad scenario; `unsupported` for features that cannot be emulated;
 * `invalid-config` for bad options.
 * @example
 * const hosts = emulateHosts(scenario, { onDeparture: ({ host, frame, sentPs }) => carry(host, frame, sentPs) });
 * while (hosts.nextEventPs < endPs) hosts.run(hosts.nextEventPs);
 */
export function emulateHosts(scenario: ScenarioSpec, options: HostsEmulationOptions = {}): HostsEmulation {
  checkRecord(options, 'options');
  const { onDeparture, ...choice } = options;
  requireCallback(onDeparture, 'options.onDeparture');
  const { settings, chosen } = hostsOfChoice(scenario, choice);
  const nodes = new Map(settings.hosts.map(({ name, node }) => [name, node]));
  const names = new Map(settings.hosts.map(({ name, node }) => [node, name]));
  const emulated = new EmulatedHosts(settings, chosen.map((name) => nodes.get(name) ?? -1),
    (node, frame, timePs, sentPs) => onDeparture?.({ host: names.get(node) ?? '', frame, timePs, sentPs }));
  return new Emulation(emulated, chosen, nodes, names);
}

class Emulation implements HostsEmulation {
  readonly hosts: readonly string[];
  readonly #emulated: EmulatedHosts;
  readonly #nodes: ReadonlyMap<string, number>;
  readonly #names: ReadonlyMap<number, string>;

  constructor(emulated: EmulatedHosts, hosts: readonly string[], nodes: ReadonlyMap<string, number>,
    names: ReadonlyMap<number, string>) {
    this.hosts = hosts;
    this.#emulated = emulated;
    this.#nodes = nodes;
    this.#names = names;
  }

  get nextEventPs(): number {
    return this.#emulated.nextEventPs();
  }

  get flows(): readonly EmulatedFlow[] {
    return this.#emulated.senders.map(({ flow, requester, rateBps }) => ({
      from: this.#names.get(flow.source) ?? '',
      to: this.#names.get(flow.destination) ?? '',
      rateBps: rateBps(),
      sentPackets: requester.sent,
      acknowledgedPackets: requester.acknowledged,
    }));
  }

  receive(host: string, frame: Uint8Array, timePs: number): void {
    const node = this.#nodeOf(host);
    requireFrame(frame, 0, (frame as Uint8Array | undefined)?.length ?? 0);
    requireTime(timePs);
    this.#emulated.receive(node, frame, timePs);
  }

  run(timePs: number): void {
    requireTime(timePs);
    this.#emulated.run(timePs);
  }

  stop(): void {
    this.#emulated.stop();
  }

  counters(host: string): Readonly<HostCounters> {
    return { ...this.#emulated.countersOf(this.#nodeOf(host)) };
  }

  dispose(): void {
    this.#emulated[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #nodeOf(host: string): number {
    const node = this.hosts.includes(host) ? this.#nodes.get(host) : undefined;
    if (node !== undefined) return node;
    throw new RoceError('invalid-argument', { what: 'the host', got: host, allowed: this.hosts, where: 'host' });
  }
}

function requireTime(got: unknown): void {
  if (TIME.accepts(got)) return;
  throw new RoceError('invalid-argument', { got, allowed: TIME.allowed, where: 'timePs' });
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
    resolveOptions<Settings>(rest, DEFAULTS, RULES, 'options'));
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
