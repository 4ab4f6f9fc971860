/** Emulated hosts for programs that provide frames and times. */
import { checkRecord, wholeIn } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { requireCallback, requireFrame } from '../ports/checks.js';
import { hostsOfChoice, type HostsChoice } from './choice.js';
import { EmulatedHosts, type HostCounters } from './emulated-hosts.js';

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
