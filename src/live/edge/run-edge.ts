/** The role edge: connects a data centre to its WAN like a provider edge of a scenario. */
import { checkRecord } from '../../config/field-rules.js';
import { compileScenario, validateScenario, type ScenarioSpec } from '../../sim/index.js';
import { totalEcnTunnelCounters, type EcnTunnelTotals } from '../../tunnel/index.js';
import { PS_PER_NS } from '../../units.js';
import { LAST_PS, startLiveClock, makeFrameBatch, type FramePort } from '../ports/frame-port.js';
import { requireCallback, requirePorts, requireSignal } from '../ports/checks.js';
import { openPortWaiter, type PortWaiter } from '../ports/linux/port-waiter.js';
import { droppedBy, EDGE_DROP_REASONS, type EdgeDropReason, EmulatedEdge, type EdgeSide,
  edgeSettings } from './emulated-edge.js';

/** Options of an edge. */
export interface EdgeRoleOptions {
  /** A scenario whose WAN has provider edges. */
  readonly scenario: ScenarioSpec;
  /** Name of the edge. */
  readonly node: string;
  /** Ends the role. */
  readonly signal?: AbortSignal | undefined;
  /** Called every half second with the results so far. */
  readonly onView?: ((result: EdgeResult) => void) | undefined;
}

/** Counters of a side: `in` = `forwarded` + `ended` + `dropped`. */
export interface EdgeInterfaceCounters {
  /** Side of the edge: `inside` faces the data centre, `outside` the WAN. */
  readonly name: EdgeSide;
  /** Frames received. */
  readonly in: number;
  /** Received frames that the other side forwarded. */
  readonly forwarded: number;
  /** Received frames for the edge itself: pause frames, ARNs. */
  readonly ended: number;
  /** Received frames that were dropped. */
  readonly dropped: number;
  /** Frames sent on this side: those that the other side forwarded, minus `rejected`. */
  readonly out: number;
  /** Frames that the port of this side rejected. */
  readonly rejected: number;
}

/** The result of an edge. */
export interface EdgeResult {
  /** The inside interface, then the outside one. */
  readonly interfaces: readonly EdgeInterfaceCounters[];
  /** Frames dropped, by reason. */
  readonly drops: Readonly<Record<EdgeDropReason, number>>;
  /** Frames received, minus those forwarded, ended and dropped; 0 if all are accounted for. */
  readonly unaccounted: number;
  /** Fast CNPs of WAN routers that END.CON decapsulated. */
  readonly unwrapped: number;
  /** ECN fields of packets that were decapsulated here (RFC 6040). */
  readonly ecn: EcnTunnelTotals;
}

const VIEW_PS = 5e11;
const IDLE_MS = 250;
const SIDES: readonly EdgeSide[] = ['inside', 'outside'];

/**
 * Runs an edge, which encapsulates packets from the data centre and decapsulates those from the WAN, until the signal
 * or for 2.5 h.
 *
 * @param ports inside, then outside; they stay open.
 * @throws RoceError `invalid-argument` unless there are two ports, and for an unknown edge; `invalid-scenario` for the scenario;
 * `unsupported` for one without provider edges.
 * @example
 * const { drops } = await runEdge([await openPacketPort('veth0'), await openPacketPort('veth2')], { scenario, node: 'pe0', signal });
 */
export async function runEdge(ports: readonly FramePort[], options: EdgeRoleOptions): Promise<EdgeResult> {
  checkRecord(options, 'options');
  const { scenario, node, signal, onView } = options;
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
  const settings = edgeSettings(compileScenario(validateScenario(scenario)).plan, node);
  requirePorts(ports, SIDES);
  const driver = new EdgeDriver(ports, (sink) => new EmulatedEdge(settings, sink));
  const waiter = await openPortWaiter(ports);
  try {
    await serve(driver, waiter, signal, onView);
    return driver.result();
  } finally {
    waiter.close();
  }
}

class EdgeDriver {
  readonly #ports: readonly FramePort[];
  readonly #edge: EmulatedEdge;
  readonly #batch = makeFrameBatch({ frames: 256, bytes: 2 ** 21 });
  /** Frames sent, by side. */
  readonly #out = [0, 0];
  readonly #rejected = [0, 0];

  constructor(ports: readonly FramePort[], make: (sink: (side: EdgeSide, frame: Uint8Array) => void) => EmulatedEdge) {
    this.#ports = ports;
    this.#edge = make((side, frame) => {
      const at = SIDES.indexOf(side);
      if (ports[at].send(frame, 0, frame.length)) this.#out[at] += 1;
      else this.#rejected[at] += 1;
    });
  }

  /** @returns number of frames received. */
  poll(): number {
    let frames = 0;
    for (const [at, port] of this.#ports.entries()) {
      const batch = this.#batch;
      port.receive(batch);
      for (let index = 0; index < batch.count; index += 1) {
        const from = batch.offsets[index];
        const frame = batch.bytes.subarray(from, from + batch.lenBytes[index]);
        this.#edge.receive(SIDES[at], frame, batch.originalLenBytes[index]);
      }
      frames += batch.count;
    }
    for (const port of this.#ports) port.flush();
    return frames;
  }

  result(): EdgeResult {
    const { counters, ecn, endConCounters } = this.#edge;
    const interfaces = SIDES.map((name, at): EdgeInterfaceCounters => {
      const { in: came, forwarded, ended } = counters[name];
      const out = this.#out[at];
      return {
        name,
        in: came,
        forwarded,
        ended,
        dropped: droppedBy(counters[name]),
        out,
        rejected: this.#rejected[at],
      };
    });
    const drops = Object.fromEntries(
      EDGE_DROP_REASONS.map((reason) => [reason, counters.inside.dropped[reason] + counters.outside.dropped[reason]]),
    ) as Record<EdgeDropReason, number>;
    return {
      interfaces,
      drops,
      unaccounted: interfaces.reduce((all, one) => all + one.in - one.forwarded - one.ended - one.dropped, 0),
      unwrapped: endConCounters.forwarded,
      ecn: totalEcnTunnelCounters(ecn),
    };
  }
}

async function serve(driver: EdgeDriver, waiter: PortWaiter, signal: AbortSignal | undefined,
  onView: ((result: EdgeResult) => void) | undefined): Promise<void> {
  const clock = startLiveClock();
  const beganNs = clock.nowNs();
  const nowPs = (): number => (clock.nowNs() - beganNs) * PS_PER_NS;
  let viewPs = VIEW_PS;
  for (let timePs = nowPs(); signal?.aborted !== true && timePs < LAST_PS; timePs = nowPs()) {
    const frames = driver.poll();
    if (onView !== undefined && timePs >= viewPs) {
      viewPs = timePs + VIEW_PS;
      onView(driver.result());
    }
    // Lets timers, signals and sockets run, even if frames keep arriving.
    if (frames > 0) await new Promise((resolve) => setImmediate(resolve));
    else await waiter.wait(IDLE_MS);
  }
}
