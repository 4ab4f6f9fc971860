/**
 * The role switch: emulates one switch of a scenario between ports. It polls continuously while frames are in flight,
 * and sleeps otherwise.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_NS } from '../../units.js';
import { requireCallback, requireClock, requirePorts, requireSignal } from '../ports/checks.js';
import { LAST_PS, startLiveClock, type LiveClock, type FramePort, makeFrameBatch,
  type FrameBatch } from '../ports/frame-port.js';
import { openPortWaiter, type PortWaiter } from '../ports/linux/port-waiter.js';
import { EmulatedSwitch } from './emulated-switch.js';
import { settingsOfChoice, type SwitchChoice, type SwitchArrival } from './emulation.js';
import { NONE, type SwitchRoom } from './frame-pool.js';
import type { SwitchSettings } from './settings.js';
import { countersOf, type SwitchCounters } from './switch-counters.js';

/** Options of a switch. */
export interface SwitchRoleOptions extends SwitchChoice {
  /** The scenario that contains the emulated switch. */
  readonly scenario: ScenarioSpec;
  /** The clock that the ports were opened with. Default: a new one; frames then get the time when they are read. */
  readonly clock?: LiveClock | undefined;
  /** Ends the role. */
  readonly signal?: AbortSignal | undefined;
  /** Called every half second with the results so far. */
  readonly onView?: ((result: SwitchResult) => void) | undefined;
  /** Called for each arriving frame, for records (`recordedArrival`). */
  readonly onArrival?: ((arrival: SwitchArrival) => void) | undefined;
}

/** The result of a switch. */
export interface SwitchResult extends SwitchCounters {
  /** Frames rejected by ports. */
  readonly rejected: number;
  /** Frames read after the switch had passed their time; they count as arriving when they were read. */
  readonly late: number;
  /** Maximum lateness of departures, picoseconds. */
  readonly maxLagPs: number;
  /** Mean lateness of departures, picoseconds. */
  readonly meanLagPs: number;
}

/** Counters of a driver, in addition to the switch's. */
interface DriverCounters {
  /** Frames whose arrival time was in the switch's past, and was replaced by now. */
  late: number;
  /** Frames sent by ports. */
  sent: number;
  /** Frames rejected by ports. */
  rejected: number;
  /** Lateness of departures, maximum and total, picoseconds. */
  maxLagPs: number;
  sumLagPs: number;
}

const VIEW_PS = 5e11;
const IDLE_MS = 250;
/** Resolution of the wheel: a frame is late by less than this plus the time between two polls. */
const TICK_PS = 100e6;
const TICKS = 4096;

/**
 * Forwards frames between ports like a switch of a scenario, until the signal, or for 2.5 h, when the clock's range
 * ends.
 *
 * @param ports one for each of the switch's ports, in order; they stay open.
 * @throws RoceError `invalid-argument` for invalid or too few ports; for scenario and options as `emulateSwitch`.
 * @example
 * const clock = startLiveClock();
 * const ports = [await openPacketPort('veth0', { clock }), await openPacketPort('veth2', { clock })];
 * const { interfaces, drops } = await runSwitch(ports, { scenario, clock, signal });
 */
export async function runSwitch(ports: readonly FramePort[], options: SwitchRoleOptions): Promise<SwitchResult> {
  checkOptions(options);
  const { settings, room } = settingsOfChoice(options.scenario, options);
  requirePorts(ports, settings.ports.map(({ name }) => name));
  const { clock = startLiveClock(), onArrival } = options;
  const beganNs = clock.nowNs();
  const driver = new SwitchDriver(settings, ports, clock.originNs + BigInt(beganNs), room, onArrival);
  const waiter = await openPortWaiter(ports);
  try {
    await forward(driver, waiter, options, () => (clock.nowNs() - beganNs) * PS_PER_NS);
    return resultOf(driver);
  } finally {
    waiter.close();
  }
}

function checkOptions(options: SwitchRoleOptions): void {
  checkRecord(options, 'options');
  const { clock, signal, onView, onArrival } = options;
  if (clock !== undefined) requireClock(clock);
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
  requireCallback(onArrival, 'options.onArrival');
}

async function forward(driver: SwitchDriver, waiter: PortWaiter, { signal, onView }: SwitchRoleOptions,
  nowPs: () => number): Promise<void> {
  let viewPs = VIEW_PS;
  for (let timePs = nowPs(); signal?.aborted !== true && timePs < LAST_PS; timePs = nowPs()) {
    const frames = driver.poll(timePs);
    if (onView !== undefined && timePs >= viewPs) {
      viewPs = timePs + VIEW_PS;
      onView(resultOf(driver));
    }
    const isBusy = frames + driver.travelling + driver.switch.queued > 0;
    // Lets timers, signals and sockets run, even if frames keep arriving.
    if (isBusy) await new Promise((resolve) => setImmediate(resolve));
    else await waiter.wait(IDLE_MS);
  }
}

function resultOf({ switch: emulated, counters }: SwitchDriver): SwitchResult {
  const { rejected, late, maxLagPs, sumLagPs, sent } = counters;
  return { ...countersOf(emulated), rejected, late, maxLagPs, meanLagPs: sumLagPs / Math.max(1, sent + rejected) };
}

/**
 * Connects an emulated switch to ports and wall-clock time: feeds it arrivals, and sends its departures.
 *
 * Each `poll` processes arrivals at the times given by the ports (a time in the switch's past is replaced by now and
 * counted as `late`), and sends due frames from the timing wheel. Memory is bounded: frames wait in the switch's pool,
 * and frames that a port rejects are dropped and counted as `rejected`. `lag` is how late frames were sent, at most and
 * on average.
 */
export class SwitchDriver {
  readonly switch: EmulatedSwitch;
  readonly counters: DriverCounters = { late: 0, sent: 0, rejected: 0, maxLagPs: 0, sumLagPs: 0 };
  readonly #ports: readonly FramePort[];
  readonly #onArrival: ((arrival: SwitchArrival) => void) | undefined;
  readonly #batch: FrameBatch = makeFrameBatch({ frames: 256, bytes: 2 ** 21 });
  readonly #wheel: TimingWheel;
  readonly #portOf: Uint16Array;
  /** Offset from each port's clock to the driver's, picoseconds. */
  readonly #shiftPs: readonly number[];
  #nowPs = 0;

  /**
   * @param ports in the order of the switch's ports. @param originNs origin of the times of `poll`, since the Unix
   * epoch.
   */
  constructor(settings: SwitchSettings, ports: readonly FramePort[], originNs: bigint, room: SwitchRoom = {},
    onArrival?: (arrival: SwitchArrival) => void) {
    this.#ports = ports;
    this.#onArrival = onArrival;
    this.switch = new EmulatedSwitch(settings, {
      leaves: (port, slot, arrivesPs) => {
        this.#portOf[slot] = port;
        this.#wheel.add(slot, arrivesPs);
      },
    }, room);
    this.#wheel = new TimingWheel(this.switch.pool.slots, TICK_PS, TICKS);
    this.#portOf = new Uint16Array(this.switch.pool.slots);
    this.#shiftPs = ports.map((port) => Number(port.originNs - originNs) * PS_PER_NS);
  }

  /** Frames on the emulated links. */
  get travelling(): number {
    return this.#wheel.count;
  }

  /** Handles all arrivals and due departures up to `timePs`. @returns number of frames received. */
  poll(timePs: number): number {
    this.#nowPs = timePs;
    let frames = 0;
    for (let port = 0; port < this.#ports.length; port += 1) frames += this.#receive(port);
    if (timePs > this.switch.nowPs) this.switch.advance(timePs);
    this.#wheel.advance(timePs, this.#send);
    for (const port of this.#ports) port.flush();
    return frames;
  }

  #receive(port: number): number {
    const batch = this.#batch;
    this.#ports[port].receive(batch);
    for (let index = 0; index < batch.count; index += 1) {
      const arrivalPs = Math.round(batch.timesNs[index] * PS_PER_NS + this.#shiftPs[port]);
      if (arrivalPs < this.switch.nowPs) this.counters.late += 1;
      const timePs = Math.max(this.switch.nowPs, Math.min(arrivalPs, this.#nowPs));
      const at = batch.offsets[index];
      const lenBytes = batch.lenBytes[index];
      const originalLenBytes = batch.originalLenBytes[index];
      this.#onArrival?.({ port, timePs, frame: batch.bytes.subarray(at, at + lenBytes), originalLenBytes });
      this.switch.receive(port, batch.bytes, at, lenBytes, originalLenBytes, timePs);
    }
    return batch.count;
  }

  readonly #send = (slot: number): void => {
    const { pool } = this.switch;
    const lagPs = this.#nowPs - this.#wheel.timePsOf(slot);
    this.counters.maxLagPs = Math.max(this.counters.maxLagPs, lagPs);
    this.counters.sumLagPs += lagPs;
    const taken = this.#ports[this.#portOf[slot]].send(pool.bytes, pool.offsetOf(slot), pool.lenBytes[slot]);
    if (taken) this.counters.sent += 1;
    else this.counters.rejected += 1;
    this.switch.release(slot);
  };
}

/**
 * A timing wheel (Varghese and Lauck, SOSP 1987, scheme 4) for the frames that an emulated switch sends: each waits in
 * the tick of its time. A frame leaves at the first call of `advance` after its tick has ended: never early, and late
 * by less than one tick plus the time between two calls.
 *
 * Times beyond the wheel's range wait in its last tick, where they are checked again.
 */
class TimingWheel {
  readonly tickPs: number;
  readonly #times: Float64Array;
  readonly #next: Int32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  #tick = 0;
  #count = 0;

  /** @param entries entries have numbers 0 to `entries` - 1; each is in the wheel at most once. */
  constructor(entries: number, tickPs: number, ticks: number) {
    this.tickPs = tickPs;
    this.#times = new Float64Array(entries);
    this.#next = new Int32Array(entries);
    this.#first = new Int32Array(ticks).fill(NONE);
    this.#last = new Int32Array(ticks).fill(NONE);
  }

  get count(): number {
    return this.#count;
  }

  timePsOf(entry: number): number {
    return this.#times[entry];
  }

  add(entry: number, timePs: number): void {
    this.#times[entry] = timePs;
    this.#count += 1;
    this.#put(entry, timePs);
  }

  /** Passes due entries to `due`, tick by tick, and within a tick in the order in which they were added. */
  advance(timePs: number, due: (entry: number) => void): void {
    const until = Math.floor(timePs / this.tickPs);
    // One revolution suffices, even if the last call was long ago.
    const from = Math.max(this.#tick, until - this.#first.length);
    for (let tick = from; tick < until; tick += 1) {
      this.#tick = tick + 1;
      this.#empty(tick % this.#first.length, timePs, due);
    }
  }

  #empty(place: number, timePs: number, due: (entry: number) => void): void {
    let entry = this.#first[place];
    this.#first[place] = NONE;
    this.#last[place] = NONE;
    while (entry !== NONE) {
      const next = this.#next[entry];
      if (this.#times[entry] > timePs) this.#put(entry, this.#times[entry]);
      else {
        this.#count -= 1;
        due(entry);
      }
      entry = next;
    }
  }

  #put(entry: number, timePs: number): void {
    const ticks = this.#first.length;
    const tick = Math.max(this.#tick, Math.min(Math.floor(timePs / this.tickPs), this.#tick + ticks - 1));
    const place = tick % ticks;
    if (this.#first[place] === NONE) this.#first[place] = entry;
    else this.#next[this.#last[place]] = entry;
    this.#last[place] = entry;
    this.#next[entry] = NONE;
  }
}
