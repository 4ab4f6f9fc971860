/**
 * The role switch: emulates one switch of a scenario between ports. It polls continuously while frames are in flight,
 * and sleeps otherwise.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_NS } from '../../unit-sizes.js';
import { LAST_PS, startLiveClock, type LiveClock, type FramePort } from '../ports/frame-port.js';
import { requireCallback, requireClock, requirePorts, requireSignal } from '../ports/checks.js';
import { openPortWaiter, type PortWaiter } from '../ports/linux/port-waiter.js';
import { settingsOfChoice, type SwitchChoice, type SwitchArrival } from './emulation.js';
import { countersOf, type SwitchCounters } from './switch-counters.js';
import { SwitchDriver } from './switch-driver.js';

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

const VIEW_PS = 5e11;
const IDLE_MS = 250;

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
