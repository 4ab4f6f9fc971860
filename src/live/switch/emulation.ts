/**
 * An emulated switch for programs that provide frames and times: simulators, tests, and replays of the arrivals that a
 * `live switch` recorded.
 */
import type { CaptureFrame, FrameToWrite } from '../../capture/index.js';
import { checkRecord, wholeIn, checkFields, numberIn, reject, type FieldRules } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { compileScenario, validateScenario, type ScenarioSpec } from '../../sim/index.js';
import { PS_PER_SECOND } from '../../units.js';
import { parseIpAddress } from '../../wire/ip/ip-address.js';
import { requireCallback, requireFrame } from '../ports/checks.js';
import { EmulatedSwitch } from './emulated-switch.js';
import type { SwitchRoom } from './frame-pool.js';
import { switchSettings, type Reordering, type SwitchSettings } from './settings.js';
import { type SwitchDropReason, countersOf, type SwitchCounters } from './switch-counters.js';

/** A frame that arrived at a switch. */
export interface SwitchArrival {
  /** Port of arrival, from 0. */
  readonly port: number;
  /** When the switch read the frame, picoseconds since the switch's clock started. */
  readonly timePs: number;
  /** The frame; valid until the callback returns. */
  readonly frame: Uint8Array;
  /** Its length on the wire, bytes; larger than that of `frame` if the capture truncated it. */
  readonly originalLenBytes: number;
}

/** A frame sent by the switch. */
export interface SwitchDeparture {
  /** Egress port, from 0. */
  readonly port: number;
  /** When the frame's last bit reaches the far end of the link, picoseconds. */
  readonly timePs: number;
  /** Frame without FCS; valid until the callback returns. */
  readonly frame: Uint8Array;
}

/** A frame that was marked. */
export interface SwitchMark {
  /** Egress port, from 0. */
  readonly port: number;
  /** Time of the event, picoseconds. */
  readonly timePs: number;
}

/** A frame that was dropped. */
export interface SwitchDrop extends SwitchMark {
  /** Why it was dropped. */
  readonly reason: SwitchDropReason;
}

/** Options of an emulated switch, with callbacks for its reports. */
export interface SwitchEmulationOptions extends SwitchChoice {
  /** Called for each departing frame. */
  readonly onDeparture?: ((departure: SwitchDeparture) => void) | undefined;
  /** Called for each CE mark. */
  readonly onMark?: ((mark: SwitchMark) => void) | undefined;
  /** Called for each drop; the port is the port of arrival if the buffer or pool was full. */
  readonly onDrop?: ((drop: SwitchDrop) => void) | undefined;
}

/** A switch as a state machine: times come with frames, and the same arrivals give the same departures. */
export interface SwitchEmulation {
  /** The switch's name in the scenario. */
  readonly name: string;
  /** Names of the ports, such as `s0:h3`, in order. */
  readonly ports: readonly string[];
  /** The time up to which all events have been processed, picoseconds. */
  readonly nowPs: number;
  /** When the next event happens without input, picoseconds; Infinity if none will. */
  readonly nextEventPs: number;
  /**
   * Receives a frame.
   *
   * @param port of arrival, from 0.
   * @param frame starting at the destination address, without FCS.
   * @param timePs arrival of its last bit, a whole number, not before `nowPs`.
   * @param originalLenBytes larger than the frame's length if the capture truncated it; such a frame is dropped.
   * @throws RoceError `invalid-argument` for an unknown port, an invalid frame, or a time in the past.
   */
  receive(port: number, frame: Uint8Array, timePs: number, originalLenBytes?: number): void;
  /** Processes all events before `timePs`. @throws RoceError `invalid-argument` for a time in the past. */
  advance(timePs: number): void;
  /** Processes all remaining events, until no frame is left. */
  drain(): void;
  /** Returns the current counters. */
  counters(): SwitchCounters;
}

const ARRIVAL: FieldRules<SwitchArrival> = {
  port: wholeIn(0, 65_535),
  timePs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
  frame: { allowed: 'a Uint8Array', accepts: (value) => value instanceof Uint8Array },
  originalLenBytes: wholeIn(0, 2 ** 32 - 1, 'bytes'),
};

const TIME = wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps');

/**
 * Creates a switch of a scenario, with its rates, buffer, thresholds, marks, Fast CNPs, PFC and losses.
 *
 * @throws RoceError `invalid-scenario` for a bad scenario; `unsupported` for features that cannot be emulated;
 * `invalid-argument` or `invalid-config` for bad options.
 * @example
 * const emulated = emulateSwitch(scenario, { onDeparture: ({ port, timePs, frame }) => deliver(port, timePs, frame) });
 * emulated.receive(0, frame, 1_000_000);
 * emulated.drain();
 */
export function emulateSwitch(scenario: ScenarioSpec, options: SwitchEmulationOptions = {}): SwitchEmulation {
  checkRecord(options, 'options');
  const { onDeparture, onMark, onDrop } = options;
  requireCallback(onDeparture, 'options.onDeparture');
  requireCallback(onMark, 'options.onMark');
  requireCallback(onDrop, 'options.onDrop');
  const { settings, room } = settingsOfChoice(scenario, options);
  const emulated = new EmulatedSwitch(settings, {
    leaves: (port, slot, timePs) => {
      const { pool } = emulated;
      const at = pool.offsetOf(slot);
      onDeparture?.({ port, timePs, frame: pool.bytes.subarray(at, at + pool.lenBytes[slot]) });
      emulated.release(slot);
    },
    marked: (timePs, port) => onMark?.({ port, timePs }),
    dropped: (timePs, port, reason) => onDrop?.({ port, timePs, reason }),
  }, room);
  return new Emulation(emulated);
}

/**
 * Converts an arrival to a frame for `writeCapture`, with one interface per port; its bytes are copied.
 *
 * @throws RoceError `invalid-config` for an invalid arrival.
 */
export function recordedArrival(arrival: SwitchArrival): FrameToWrite {
  const { port, timePs, frame, originalLenBytes } = checkFields<SwitchArrival>(arrival, ARRIVAL, 'arrival');
  const epochSeconds = Math.floor(timePs / PS_PER_SECOND);
  return {
    bytes: frame.slice(),
    originalBytes: originalLenBytes,
    interfaceId: port,
    epochSeconds,
    picoseconds: timePs - epochSeconds * PS_PER_SECOND,
  };
}

/**
 * Runs recorded arrivals through a switch of a scenario. With the same scenario and options as in the recorded run,
 * departures, marks and drops are the same.
 *
 * @param arrivals such as those of `readCaptureFile`: the interface is the port, and the time since 1970 is that of the
 * switch's clock.
 * @returns the counters after all frames have left.
 * @throws RoceError as `emulateSwitch`; `invalid-argument` for frames without a time, or out of order.
 */
export async function replayArrivals(arrivals: Iterable<CaptureFrame> | AsyncIterable<CaptureFrame>,
  scenario: ScenarioSpec, options: SwitchEmulationOptions = {}): Promise<SwitchCounters> {
  requireFrames(arrivals);
  checkRecord(options, 'options');
  const emulated = emulateSwitch(scenario, options);
  for await (const arrival of arrivals) {
    checkRecord(arrival, 'arrivals');
    const { bytes, interfaceId, hasTime, epochSeconds, picoseconds, originalBytes } = arrival;
    if (!hasTime) {
      throw new RoceError('invalid-argument', {
        what: 'the time of an arrival',
        got: undefined,
        allowed: 'a time since the record began',
        where: 'arrivals',
      });
    }
    emulated.receive(interfaceId, bytes, epochSeconds * PS_PER_SECOND + picoseconds, originalBytes);
  }
  emulated.drain();
  return emulated.counters();
}

class Emulation implements SwitchEmulation {
  readonly #switch: EmulatedSwitch;

  constructor(emulated: EmulatedSwitch) {
    this.#switch = emulated;
  }

  get name(): string {
    return this.#switch.settings.name;
  }

  get ports(): readonly string[] {
    return this.#switch.settings.ports.map(({ name }) => name);
  }

  get nowPs(): number {
    return this.#switch.nowPs;
  }

  get nextEventPs(): number {
    return this.#switch.nextEventPs;
  }

  receive(port: number, frame: Uint8Array, timePs: number, originalLenBytes?: number): void {
    const count = this.#switch.counters.length;
    requireNumber(port, wholeIn(0, count - 1), 'port');
    requireFrame(frame, 0, (frame as Uint8Array | undefined)?.length ?? 0);
    requireNumber(timePs, TIME, 'timePs');
    const wireBytes = originalLenBytes ?? frame.length;
    requireNumber(wireBytes, wholeIn(frame.length, 2 ** 32 - 1, 'bytes'), 'originalLenBytes');
    this.#switch.receive(port, frame, 0, frame.length, wireBytes, timePs);
  }

  advance(timePs: number): void {
    requireNumber(timePs, TIME, 'timePs');
    this.#switch.advance(timePs);
  }

  drain(): void {
    const emulated = this.#switch;
    while (emulated.queued > 0 && emulated.nextEventPs < Infinity) emulated.advanceThrough(emulated.nextEventPs);
  }

  counters(): SwitchCounters {
    return countersOf(this.#switch);
  }
}

function requireNumber(got: unknown, { allowed, accepts }: ReturnType<typeof wholeIn>, where: string): void {
  if (!accepts(got)) throw new RoceError('invalid-argument', { got, allowed, where });
}

/** The switch of a scenario to emulate, and settings that the scenario leaves open. */
export interface SwitchChoice {
  /** Name of the switch in the scenario; may be omitted if there is only one. */
  readonly node?: string | undefined;
  /** Delays a share of frames, so that others overtake them. Default: none. */
  readonly reordering?: Reordering | undefined;
  /** IP addresses of hosts, by their name in the scenario. Default: those in captures of simulated networks. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
  /** Capacity of the switch's frame memory. */
  readonly room?: SwitchRoom | undefined;
}

/** Settings and memory of the chosen switch. @throws RoceError naming the problem. */
export function settingsOfChoice(scenario: ScenarioSpec,
  choice: SwitchChoice): { readonly settings: SwitchSettings; readonly room: SwitchRoom } {
  const { node, reordering, addresses = {}, room = {} } = choice;
  checkRecord(room, 'options.room');
  if (reordering !== undefined) {
    const rules = { share: numberIn(0, 1), delayPs: wholeIn(0, 1e15, 'ps') };
    checkFields<Reordering>(reordering, rules, 'options.reordering');
  }
  const { plan } = compileScenario(validateScenario(scenario));
  const hosts = plan.nodes.filter(({ kind }) => kind === 'host').map(({ name }) => name);
  const known = new Map<string, Uint8Array>();
  for (const [name, address] of Object.entries(checkRecord(addresses, 'options.addresses'))) {
    if (!hosts.includes(name)) reject({ what: 'the host', got: name, allowed: hosts, where: 'options.addresses' });
    known.set(name, mapped(parseIpAddress(address as string, `options.addresses.${name}`)));
  }
  const settings = switchSettings(plan, {
    ...(node !== undefined && { node }),
    ...(reordering !== undefined && { reordering }),
    addresses: known,
  });
  return { settings, room };
}

/** Converts an address to 16 bytes; IPv4 to ::ffff:0:0/96. */
function mapped(address: Uint8Array): Uint8Array {
  if (address.length === 16) return address;
  return Uint8Array.from([...new Uint8Array(10), 0xff, 0xff, ...address]);
}

function requireFrames(got: unknown): void {
  const isObject = typeof got === 'object' && got !== null;
  if (isObject && !ArrayBuffer.isView(got) && (Symbol.iterator in got || Symbol.asyncIterator in got)) return;
  throw new RoceError('invalid-argument', { got, allowed: 'frames of a capture', where: 'arrivals' });
}
