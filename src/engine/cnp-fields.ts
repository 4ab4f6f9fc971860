/** Converts a CNP action to the fields that `Cnp.write` of roce-cc/wire needs. */
import type { CnpSettings } from '../config/notification-point.js';
import type { CnpFields } from '../wire/roce/cnp.js';
import type { CnpAction } from './actions.js';

/** Addresses and QPNs of an open QP. */
export interface QpFlow {
  /** Index of the local endpoint. */
  readonly endpoint: number;
  /** Queue pair number at this end, 24 bits. */
  readonly localQpn: number;
  /** Address of the peer, 16 bytes; IPv4 as IPv4-mapped. */
  readonly peerAddress: Uint8Array;
  /** Queue pair number at the other end, 24 bits. */
  readonly peerQpn: number;
}

const ECN_CODES = { 'not-ect': 0, ect1: 1, ect0: 2 } as const;

/**
 * Fields of the CNP that an action requests (Annex A17, figure 6): to the peer, for the peer's QP.
 *
 * @param source address of the local endpoint, 16 bytes; the endpoint may have several.
 */
export function cnpFieldsOf(action: CnpAction, flow: QpFlow, settings: CnpSettings, source: Uint8Array): CnpFields {
  return {
    source,
    destination: flow.peerAddress,
    destQpn: flow.peerQpn,
    pKey: settings.pKey === 'of-marked-packet' ? action.pKey : settings.pKey,
    dscp: settings.dscp,
    ecn: ECN_CODES[settings.ecn],
    becn: settings.becn,
  };
}
