/**
 * The role notification point: responds to CE-marked data with CNPs on the port where the data arrived. The engine
 * coalesces them (assembly/np; Annex A17.9.3, and the settings in src/config/notification-point.ts).
 *
 *   port ─► engine, frames and times ─► CNP due ─► CNP with a valid ICRC ─► port
 *
 * The receivers of the listed flows are here: marked data to their QPs causes CNPs, everything else is counted. The
 * link header is copied from the marked frame, including VLAN tags, with its addresses swapped. Data is not
 * acknowledged.
 *
 * Known deviation: the engine's clock restarts every 2^52 ps (75 min), so one CNP per QP may be sent early.
 */
import { OUTCOME_CNP_DUE } from '../abi/codes.js';
import { dcqcnSigcomm15 } from '../config/algorithms/dcqcn/preset-sigcomm15.js';
import type { EngineOptions } from '../config/engine-config.js';
import { checkRecord, reject } from '../config/field-rules.js';
import type { CnpAction } from '../engine/actions.js';
import { createEngine } from '../engine/create.js';
import type { Engine } from '../engine/engine.js';
import type { Stats } from '../engine/stats.js';
import type { Flow } from '../replay/index.js';
import { gbps, PS_PER_NS } from '../units.js';
import { Cnp } from '../wire/roce/cnp.js';
import { requireCallback, requirePort, requireSignal } from './ports/checks.js';
import { makeFrameBatch, type FrameBatch, type FramePort } from './ports/frame-port.js';

/** Options of a notification point. */
export interface NotificationPointRoleOptions {
  /** The connections, see `parseFlows`: marked data to their receivers causes CNPs. */
  readonly flows: readonly Flow[];
  /** Engine options; `notificationPoint` determines when CNPs are due. ICRCs are checked by default. */
  readonly engine?: Pick<EngineOptions, 'notificationPoint' | 'parser' | 'backend'> | undefined;
  /** Ends the role. */
  readonly signal?: AbortSignal | undefined;
  /** Called every half second with the counters so far. */
  readonly onView?: ((counters: NotificationPointCounters) => void) | undefined;
}

/** Counters of a notification point: frames = marked + other; marked = CNPs due + suppressed. */
export interface NotificationPointCounters {
  /** Number of frames received. */
  readonly frames: number;
  /** CE-marked data frames of listed flows. */
  readonly markedFrames: number;
  /** Number of CNPs that were due. */
  readonly cnpsDue: number;
  /** Marked frames that caused no CNP, because the minimum time between CNPs had not passed. */
  readonly marksSuppressed: number;
  /** Number of CNPs that the port accepted. */
  readonly cnpsSent: number;
  /** Number of CNPs that did not fit in the port's queue. */
  readonly cnpsRejected: number;
  /** Number of frames other than marked data of listed flows. */
  readonly otherFrames: number;
}

/** The engine returns to its initial state when its clock reaches this time, well before the clock ends at 2^53 ps. */
const EPOCH_PS = 2 ** 52;
const VIEW_MS = 500;
const IDLE_MS = 250;
const MAC_BYTES = 6;
/** Reaction points are not used here, but every QP needs parameters that include a line rate. */
const LINE_RATE_BPS = gbps(100);

/**
 * Runs the role until the signal.
 *
 * @param port the port to use; it stays open.
 * @throws RoceError for bad flows or options.
 * @example
 * const port = await openPacketPort('veth1');
 * const { cnpsSent } = await runNotificationPoint(port, { flows, signal });
 */
export async function runNotificationPoint(port: FramePort,
  options: NotificationPointRoleOptions): Promise<NotificationPointCounters> {
  requirePort(port);
  checkOptions(options);
  const { flows, engine: settings, signal, onView } = options;
  const addresses = [...new Set(flows.map(({ peerAddress }) => peerAddress))];
  const engine = await createEngine({
    lateEvents: 'clamp',
    ...settings,
    parser: { icrc: 'check', ...settings?.parser },
    parameterSets: { live: dcqcnSigcomm15({ lineRateBps: LINE_RATE_BPS }) },
    capacity: { qps: Math.max(1, flows.length), endpoints: addresses.length + 1, addresses: addresses.length + 1 },
  });
  try {
    const point = new NotificationPoint(engine, port, flows, addresses);
    await response(port, point, signal, onView);
    return point.counters();
  } finally {
    engine.dispose();
  }
}

function checkOptions(options: NotificationPointRoleOptions): void {
  checkRecord(options, 'options');
  const { flows, engine, signal, onView } = options;
  if (!Array.isArray(flows)) reject({ got: flows, allowed: 'a list of flows', where: 'options.flows' });
  for (const [index, flow] of flows.entries()) checkRecord(flow, `options.flows[${index}]`);
  if (engine !== undefined) checkRecord(engine, 'options.engine');
  if (engine?.parser !== undefined) checkRecord(engine.parser, 'options.engine.parser');
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
}

async function response(port: FramePort, point: NotificationPoint, signal: AbortSignal | undefined,
  onView: NotificationPointRoleOptions['onView']): Promise<void> {
  const batch = makeFrameBatch();
  let nextViewMs = performance.now() + VIEW_MS;
  for (;;) {
    const isLast = signal?.aborted === true;
    const count = port.receive(batch);
    point.apply(batch);
    if (count === 0 && isLast) return;
    if (count === 0) await port.wait(IDLE_MS);
    // Lets timers and signals run, even if frames keep arriving.
    else await new Promise((resolve) => setImmediate(resolve));
    if (onView === undefined || performance.now() < nextViewMs) continue;
    nextViewMs = performance.now() + VIEW_MS;
    onView(point.counters());
  }
}

class NotificationPoint {
  readonly #engine: Engine;
  readonly #port: FramePort;
  /** Address of the receiver, by the engine's QP number. */
  readonly #receivers: string[] = [];
  readonly #initial: Uint8Array;
  #epochPs: number | undefined;
  #before = { markedFrames: 0, cnpsDue: 0, marksSuppressed: 0 };
  #frames = 0;
  #cnpsSent = 0;
  #cnpsRejected = 0;

  constructor(engine: Engine, port: FramePort, flows: readonly Flow[], addresses: readonly string[]) {
    this.#engine = engine;
    this.#port = port;
    const endpoints = new Map(addresses.map((address) => [address, engine.addEndpoint([address])]));
    for (const { peerAddress, peerQpn, senderAddress, senderQpn } of flows) {
      const endpoint = endpoints.get(peerAddress) ?? 0;
      const qp = engine.openQp({ endpoint, localQpn: peerQpn, peerAddress: senderAddress, peerQpn: senderQpn });
      this.#receivers[qp] = peerAddress;
    }
    this.#initial = engine.snapshot();
  }

  apply(batch: FrameBatch): void {
    const { packets } = this.#engine;
    for (let index = 0; index < batch.count; index++) {
      const lenBytes = Math.min(batch.lenBytes[index], packets.byteCapacity);
      if (!packets.hasRoom(lenBytes)) this.#applyPackets();
      const timePs = this.#timePs(batch.timesNs[index]);
      const from = batch.offsets[index];
      packets.add(timePs, batch.bytes.subarray(from, from + lenBytes),
        Math.max(lenBytes, batch.originalLenBytes[index]));
    }
    this.#frames += batch.count;
    this.#applyPackets();
    this.#port.flush();
  }

  counters(): NotificationPointCounters {
    const { markedFrames, cnpsDue, marksSuppressed } = this.#sums(this.#engine.stats());
    return {
      frames: this.#frames,
      markedFrames,
      cnpsDue,
      marksSuppressed,
      cnpsSent: this.#cnpsSent,
      cnpsRejected: this.#cnpsRejected,
      otherFrames: this.#frames - markedFrames,
    };
  }

  #sums(stats: Stats): { markedFrames: number; cnpsDue: number; marksSuppressed: number } {
    const { markedFrames, cnpsDue, marksSuppressed } = this.#before;
    return {
      markedFrames: markedFrames + stats.np_ecn_marked_roce_packets,
      cnpsDue: cnpsDue + stats.np_cnp_sent,
      marksSuppressed: marksSuppressed + stats.np_cnp_suppressed,
    };
  }

  /** Time on the engine's clock, which starts with the first frame and restarts before its range ends. */
  #timePs(timeNs: number): number {
    const sinceOriginPs = timeNs * PS_PER_NS;
    this.#epochPs ??= sinceOriginPs;
    if (sinceOriginPs - this.#epochPs >= EPOCH_PS) {
      this.#applyPackets();
      this.#before = this.#sums(this.#engine.stats());
      this.#engine.restore(this.#initial);
      this.#epochPs = sinceOriginPs;
    }
    // Frames of several queues may be slightly out of order.
    return Math.max(0, Math.round(sinceOriginPs - this.#epochPs));
  }

  #applyPackets(): void {
    const { packets, actions } = this.#engine;
    const count = packets.length;
    if (count === 0) return;
    this.#engine.applyPackets();
    let action = 0;
    for (let index = 0; index < count; index++) {
      if (packets.outcomeCode(index) !== OUTCOME_CNP_DUE) continue;
      // Actions come in the order of the frames that caused them.
      while (action < actions.length && actions.get(action).kind !== 'cnp') action++;
      const due = actions.get(action++);
      if (due.kind === 'cnp') this.#send(due, packets.frame(index), packets.report(index).ipOffset);
    }
  }

  #send(action: CnpAction, marked: Uint8Array, linkBytes: number): void {
    const packet = Cnp.write(this.#engine.cnpFields(action, this.#receivers[action.qp]));
    const frame = new Uint8Array(linkBytes + packet.length);
    frame.set(marked.subarray(0, linkBytes));
    frame.copyWithin(0, MAC_BYTES, 2 * MAC_BYTES);
    frame.set(marked.subarray(0, MAC_BYTES), MAC_BYTES);
    frame.set(packet, linkBytes);
    if (this.#port.send(frame, 0, frame.length)) this.#cnpsSent++;
    else this.#cnpsRejected++;
  }
}
