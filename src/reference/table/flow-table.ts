/**
 * Flow table: finds the QP that a packet refers to.
 *
 * Role: two indexes over the same flows. An ordinary CNP names the local QP that it slows down; a Fast CNP copies the
 * destination of the congested data packet instead, which is the peer's address and the peer's QPN.
 *
 *   (endpoint, local QPN)               -> QP     ordinary CNPs, data, acknowledgements
 *   (endpoint, peer address, peer QPN)  -> QP     Fast CNPs
 *
 * An endpoint is a local NIC, so that one table serves a whole simulated network. Both keys are unique.
 * Citation: RoCEv2 Annex A17, section A17.9 (CNP); Fast CNP draft, section 4.
 */
import { RoceError } from '../../errors.js';
import { addressKey } from './address-key.js';

export interface Flow {
  readonly qp: number;
  readonly endpoint: number;
  /** QPN of the local QP, 24 bits. */
  readonly localQpn: number;
  /** Address of the peer, 16 bytes, IPv4 as IPv4-mapped. */
  readonly peerAddress: Uint8Array;
  /** QPN of the peer's QP, 24 bits. */
  readonly peerQpn: number;
}

/** The two indexes, as Maps. */
export class FlowTableModel {
  readonly #byQp = new Map<number, Flow>();
  readonly #byLocal = new Map<string, number>();
  readonly #byPeer = new Map<string, number>();

  get size(): number {
    return this.#byQp.size;
  }

  /** Adds a flow. Throws `duplicate-qp`, without any change, if its QP or one of its keys is taken. */
  add(flow: Flow): void {
    const local = localKey(flow.endpoint, flow.localQpn);
    const peer = peerKey(flow.endpoint, flow.peerAddress, flow.peerQpn);
    requireFree(this.#byQp, flow.qp, 'qp');
    requireFree(this.#byLocal, local, '(endpoint, local QPN)');
    requireFree(this.#byPeer, peer, '(endpoint, peer address, peer QPN)');
    this.#byQp.set(flow.qp, flow);
    this.#byLocal.set(local, flow.qp);
    this.#byPeer.set(peer, flow.qp);
  }

  /** Removes a QP's flow; returns false if there was none. */
  remove(qp: number): boolean {
    const flow = this.#byQp.get(qp);
    if (flow === undefined) return false;
    this.#byQp.delete(qp);
    this.#byLocal.delete(localKey(flow.endpoint, flow.localQpn));
    this.#byPeer.delete(peerKey(flow.endpoint, flow.peerAddress, flow.peerQpn));
    return true;
  }

  /** The flow of a QP. */
  flowOf(qp: number): Flow | undefined {
    return this.#byQp.get(qp);
  }

  findByLocal(endpoint: number, localQpn: number): number | undefined {
    return this.#byLocal.get(localKey(endpoint, localQpn));
  }

  findByPeer(endpoint: number, peerAddress: Uint8Array, peerQpn: number): number | undefined {
    return this.#byPeer.get(peerKey(endpoint, peerAddress, peerQpn));
  }
}

function localKey(endpoint: number, localQpn: number): string {
  return `${endpoint}/${localQpn}`;
}

function peerKey(endpoint: number, peerAddress: Uint8Array, peerQpn: number): string {
  return `${endpoint}/${addressKey(peerAddress)}/${peerQpn}`;
}

function requireFree<Key>(index: ReadonlyMap<Key, unknown>, key: Key, where: string): void {
  if (!index.has(key)) return;
  throw new RoceError('duplicate-qp', { what: where, where, problem: 'is in the table already', got: key });
}
