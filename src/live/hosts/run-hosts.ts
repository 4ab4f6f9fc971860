/**
 * The role hosts: RC hosts of a scenario at ports. They send the scenario's flows, paced by their reaction points, and
 * respond to received data, also as notification points.
 *
 * The run ends when every flow with an end here is complete and nothing was received for a second: a peer that missed
 * the last ACK retransmits within that time.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { ScenarioSpec } from '../../sim/index.js';
import { PS_PER_MS, PS_PER_NS } from '../../unit-sizes.js';
import { LAST_PS, startLiveClock, type LiveClock } from '../live-clock.js';
import { requireCallback, requireClock, requirePorts, requireSignal } from '../ports/checks.js';
import type { FramePort } from '../ports/frame-port.js';
import { openPortWaiter, type PortWaiter } from '../ports/linux/port-waiter.js';
import { hostsOfChoice, type HostsChoice } from './emulation.js';
import { HostsDriver, type HostFrame } from './hosts-driver.js';
import { HostsMeter, type HostsResult } from './hosts-meter.js';

/** Options of the hosts. */
export interface HostsRoleOptions extends HostsChoice {
  /** Scenario with the hosts and flows. */
  readonly scenario: ScenarioSpec;
  /** The clock that the ports were opened with. Default: a new one. */
  readonly clock?: LiveClock | undefined;
  /** Ends the role. */
  readonly signal?: AbortSignal | undefined;
  /** Called every half second with the results so far. */
  readonly onView?: ((result: HostsResult) => void) | undefined;
  /** Called for each frame received or sent by a host, for records. */
  readonly onFrame?: ((frame: HostFrame) => void) | undefined;
}

const VIEW_PS = 5e11;
const QUIET_PS = 1e12;
const IDLE_MS = 250;

/**
 * Runs hosts until their flows are complete, until the signal, or for 2.5 h, when the clock's range ends.
 *
 * @param ports one for each of `options.hosts`, in the same order; several hosts may share one; they stay open.
 * @throws RoceError `invalid-argument` unless there is a port for each host; for scenario and options as
 * `emulateHosts`.
 * @example
 * const { sending } = await runHosts([await openPacketPort('veth1')], { scenario, hosts: ['h0'], signal });
 */
export async function runHosts(ports: readonly FramePort[], options: HostsRoleOptions): Promise<HostsResult> {
  checkRecord(options, 'options');
  const { scenario, clock: given, signal, onView, onFrame, ...choice } = options;
  if (given !== undefined) requireClock(given);
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
  requireCallback(onFrame, 'options.onFrame');
  const { settings, chosen } = hostsOfChoice(scenario, choice);
  requirePorts(ports, chosen);
  const clock = given ?? startLiveClock();
  const beganNs = clock.nowNs();
  const nodes = new Map(settings.hosts.map(({ name, node }) => [name, node]));
  const driver = new HostsDriver(settings, chosen.map((name, at) => ({ node: nodes.get(name) ?? -1, port: ports[at] })),
    onFrame);
  const meter = new HostsMeter(driver);
  let waiter: PortWaiter | undefined;
  try {
    waiter = await openPortWaiter([...new Set(ports)]);
    await serve(driver, meter, waiter, { signal, onView, nowPs: () => (clock.nowNs() - beganNs) * PS_PER_NS });
    return meter.result();
  } finally {
    waiter?.close();
    driver[Symbol.dispose]();
  }
}

interface Serving extends Pick<HostsRoleOptions, 'signal' | 'onView'> {
  readonly nowPs: () => number;
}

async function serve(driver: HostsDriver, meter: HostsMeter, waiter: PortWaiter,
  { signal, onView, nowPs }: Serving): Promise<void> {
  let [viewPs, lastFramePs] = [VIEW_PS, 0];
  for (let timePs = nowPs(); signal?.aborted !== true && timePs < LAST_PS; timePs = nowPs()) {
    const frames = driver.poll(timePs);
    if (frames > 0) lastFramePs = timePs;
    if (meter.look(timePs) && timePs - lastFramePs > QUIET_PS) return;
    if (onView !== undefined && timePs >= viewPs) {
      viewPs = timePs + VIEW_PS;
      onView(meter.result());
    }
    const idleMs = Math.min(IDLE_MS, Math.floor((driver.hosts.nextEventPs() - timePs) / PS_PER_MS));
    // Lets timers, signals and sockets run, even if frames keep arriving.
    if (frames > 0 || idleMs < 1) await new Promise((resolve) => setImmediate(resolve));
    else await waiter.wait(idleMs);
  }
}
