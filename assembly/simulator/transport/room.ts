/** Limits on packets in flight for transports with a limit in addition to the window of congestion control. */
import { FLOW_IRN } from '../../../src/abi/sim-codes';
import { isWindowOpen } from '../../rp/window';
import { windowOf } from '../engine-feed';
import { bytesInFlight as bytesOfFlow, isInOldest } from '../connections/positions';
import { hasCapRoom } from './irn';
import { transportOf } from './memory';
import { bytesInFlight, hasReceiverRoom } from './tolerant';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Whether another packet of a flow of FLOW_IRN, FLOW_TOLERANT or FLOW_MRC may be in flight. */
export function hasTransportRoom(flow: SimFlow, sincePs: i64): bool {
  if (flow.flags & FLOW_IRN)
    return hasCapRoom(flow) && isWindowOpen(bytesOfFlow(flow), windowOf(flow, sincePs));
  const own = transportOf(flow.qp);
  return hasReceiverRoom(flow, own) && hasMessageRoom(flow, own) && hasWindowRoom(flow, own, windowOf(flow, sincePs));
}

/** MRC: whether the message of the next packet may be sent before more messages are acknowledged. */
@inline function hasMessageRoom(flow: SimFlow, own: FlowTransport): bool {
  return own.maxMessages == 0 || !(flow.flags & FLOW_CONNECTION) || isInOldest(flow, own.maxMessages);
}

/**
 * Whether the window of congestion control (0: none) allows another packet: either it exceeds the bytes in flight, or, with
 * `sendsWholePackets`, another full packet fits into it. With nothing in flight, a packet may always be sent.
 */
export function hasWindowRoom(flow: SimFlow, own: FlowTransport, windowBytes: i64): bool {
  const inFlightBytes = limitedBytes(flow, own);
  if (!own.sendsWholePackets || inFlightBytes <= 0) return isWindowOpen(inFlightBytes, windowBytes);
  return windowBytes == 0 || inFlightBytes + <i64>flow.mtuBytes <= windowBytes;
}

/** Bytes in flight that the window limits; nominal ones may be negative. */
@inline function limitedBytes(flow: SimFlow, own: FlowTransport): i64 {
  return own.countsReceived ? own.nominalInFlight : bytesInFlight(flow, own);
}

/** MRC: whether the window has less room than a packet, or is too small for the receiver to send a SACK unless requested. */
export function isWindowSmall(flow: SimFlow, own: FlowTransport, sincePs: i64): bool {
  const windowBytes = windowOf(flow, sincePs);
  if (windowBytes == 0) return false;
  return windowBytes < <i64>own.sackEveryBytes || windowBytes - limitedBytes(flow, own) < <i64>flow.mtuBytes;
}
