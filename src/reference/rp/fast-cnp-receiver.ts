/**
 * Receiver of CNPs and Fast CNPs at the reaction point: checks sources, and drops duplicates.
 *
 * Role: decides whether a notification reaches the QP's algorithm. A Fast CNP is checked in this order, and the first
 * failed check determines the outcome:
 *
 *   1 reception enabled (default: off)          FAST_CNP_DISABLED
 *   2 source allowed by the access list         FAST_CNP_DENIED
 *   3 option well formed                        FAST_CNP_OPTION
 *   4 flow found: (endpoint, original destination, destination QPN)    FAST_CNP_UNKNOWN_FLOW
 *   5 time valid, and in order                  BAD_TIME, TIME_BACKWARDS
 *   6 no duplicate within the window            FAST_CNP_DUPLICATE
 *   then the reaction                           FAST_CNP_ACCEPTED
 *
 * State per QP: times of the last accepted CNP and Fast CNP. With window w > 0, at time t:
 *   a Fast CNP is a duplicate if t - last CNP < w or t - last Fast CNP < w;
 *   a CNP is a duplicate if t - last Fast CNP < w (CNP_DUPLICATE); a CNP is never a duplicate of another CNP;
 *   a Fast CNP with hops that the QP's algorithm reads (HPCC++) is never a duplicate of another Fast CNP: each has new data.
 * A late event under the policy `clamp` is compared at the time at which it would take effect.
 *
 * Citation: Fast CNP draft, sections 4 and 5. Known deviations: the draft has no rule for a Fast CNP and a CNP about
 * the same congestion; the window is this library's.
 */
import { OUTCOME_CNP_DUPLICATE, OUTCOME_CNP_HANDLED, OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_FAST_CNP_DENIED,
  OUTCOME_FAST_CNP_DISABLED, OUTCOME_FAST_CNP_DUPLICATE, OUTCOME_FAST_CNP_OPTION, OUTCOME_FAST_CNP_UNKNOWN_FLOW,
  OUTCOME_UNKNOWN_QP } from '../../abi/codes.js';
import type { FastCnpSettings } from '../../config/fast-cnp.js';
import type { HpccPpTelemetry } from '../algorithms/hpcc-pp/hops.js';
import { type AccessListModel, addressKey, type FlowTableModel } from '../address-tables.js';
import type { ReactionPoint } from './reaction-points.js';

/** Reception (off by default: draft, section 5), and w in whole picoseconds; 0 = no duplicates. */
export type FastCnpReceiverParameters = Pick<FastCnpSettings, 'enabled' | 'duplicateWindowPs'>;

/** Content of a Fast CNP. Addresses of 16 bytes. */
export interface FastCnp {
  readonly timePs: number;
  /** The local NIC that received it. */
  readonly endpoint: number;
  readonly source: Uint8Array;
  /** Whether its option is defined by the draft, and of the right length. */
  readonly optionWellFormed: boolean;
  /** Destination address of the congested data packet, from the option. */
  readonly originalDestination: Uint8Array;
  /** Destination QP of the congested data packet, from the BTH. */
  readonly destQpn: number;
  /** Reads the reported hops, for algorithms that use them; absent if there are none. */
  readonly readTelemetry?: () => HpccPpTelemetry | undefined;
}

export interface FastCnpVerdict {
  /** OUTCOME_* of `abi/codes.ts`. */
  readonly outcome: number;
  /** The QP that it concerns; undefined if it was rejected before the QP was found. */
  readonly qp: number | undefined;
  /** Origin: the flow's receiver if the source address is the original destination, otherwise the network. */
  readonly origin: 'receiver' | 'network' | undefined;
}

/** Times of a QP's last accepted notifications, picoseconds; -Infinity = never. */
export interface LastNotifications {
  cnpPs: number;
  fastCnpPs: number;
}

/** Checks notifications and passes accepted ones to the QP's reaction point. */
export class FastCnpReceiverModel {
  readonly #parameters: FastCnpReceiverParameters;
  readonly #accessList: AccessListModel;
  readonly #flows: FlowTableModel;
  readonly #reactionPoints: ReadonlyMap<number, ReactionPoint>;
  readonly #last = new Map<number, LastNotifications>();

  constructor(parameters: FastCnpReceiverParameters, accessList: AccessListModel, flows: FlowTableModel,
    reactionPoints: ReadonlyMap<number, ReactionPoint>) {
    this.#parameters = parameters;
    this.#accessList = accessList;
    this.#flows = flows;
    this.#reactionPoints = reactionPoints;
  }

  /** Handles an ordinary CNP. Returns OUTCOME_CNP_HANDLED, OUTCOME_CNP_DUPLICATE or a rejection. */
  cnp(timePs: number, qp: number): number {
    const reactionPoint = this.#reactionPoints.get(qp);
    if (reactionPoint === undefined) return OUTCOME_UNKNOWN_QP;
    const rejection = reactionPoint.cnpRejection(timePs);
    if (rejection !== undefined) return rejection;
    const effectivePs = Math.max(timePs, reactionPoint.state.lastEventPs);
    const last = this.#lastOf(qp);
    if (this.#isWithinWindow(effectivePs, last.fastCnpPs)) return OUTCOME_CNP_DUPLICATE;
    const outcome = reactionPoint.cnp(timePs);
    if (outcome === OUTCOME_CNP_HANDLED) last.cnpPs = effectivePs;
    return outcome;
  }

  /** Handles a Fast CNP. The outcome is OUTCOME_FAST_CNP_ACCEPTED or that of the first failed check. */
  fastCnp(packet: FastCnp): FastCnpVerdict {
    const rejection = this.#packetRejection(packet);
    if (rejection !== undefined) return { outcome: rejection, qp: undefined, origin: undefined };
    const origin = addressKey(packet.source) === addressKey(packet.originalDestination) ? 'receiver' : 'network';
    const qp = this.#flows.findByPeer(packet.endpoint, packet.originalDestination, packet.destQpn);
    const reactionPoint = qp === undefined ? undefined : this.#reactionPoints.get(qp);
    if (qp === undefined || reactionPoint === undefined) {
      return { outcome: OUTCOME_FAST_CNP_UNKNOWN_FLOW, qp: undefined, origin };
    }
    return { outcome: this.#react(packet, qp, reactionPoint), qp, origin };
  }

  /** Resets the state of a closed QP, whose number may be reused. */
  forget(qp: number): void {
    this.#last.delete(qp);
  }

  /** The last notifications of a QP. */
  lastNotifications(qp: number): Readonly<LastNotifications> {
    return { ...this.#lastOf(qp) };
  }

  /** Resumes from another receiver's state of a QP. */
  resume(qp: number, last: Readonly<LastNotifications>): void {
    this.#last.set(qp, { ...last });
  }

  /** The checks that need no flow. */
  #packetRejection(packet: FastCnp): number | undefined {
    if (!this.#parameters.enabled) return OUTCOME_FAST_CNP_DISABLED;
    if (!this.#accessList.allows(packet.source)) return OUTCOME_FAST_CNP_DENIED;
    if (!packet.optionWellFormed) return OUTCOME_FAST_CNP_OPTION;
    return undefined;
  }

  #react({ timePs, readTelemetry }: FastCnp, qp: number, reactionPoint: ReactionPoint): number {
    const rejection = reactionPoint.cnpRejection(timePs);
    if (rejection !== undefined) return rejection;
    const effectivePs = Math.max(timePs, reactionPoint.state.lastEventPs);
    const last = this.#lastOf(qp);
    const telemetry = reactionPoint.readsHops ? readTelemetry?.() : undefined;
    const hops = telemetry && telemetry.hops.length > 0 ? telemetry : undefined;
    const latestPs = hops ? last.cnpPs : Math.max(last.cnpPs, last.fastCnpPs);
    if (this.#isWithinWindow(effectivePs, latestPs)) return OUTCOME_FAST_CNP_DUPLICATE;
    const outcome = reactionPoint.cnp(timePs, 'fast-cnps', hops);
    if (outcome !== OUTCOME_CNP_HANDLED) return outcome;
    last.fastCnpPs = effectivePs;
    return OUTCOME_FAST_CNP_ACCEPTED;
  }

  #isWithinWindow(timePs: number, earlierPs: number): boolean {
    return timePs - earlierPs < this.#parameters.duplicateWindowPs;
  }

  #lastOf(qp: number): LastNotifications {
    const last = this.#last.get(qp) ?? { cnpPs: -Infinity, fastCnpPs: -Infinity };
    this.#last.set(qp, last);
    return last;
  }
}
