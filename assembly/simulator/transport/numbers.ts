/** Packet numbers of a flow, from 0. */
import { SimFlow } from '../../records/network';

/** Number of packets that the first `byte` bytes of a flow take. */
@inline export function packetsIn(flow: SimFlow, byte: i64): i64 {
  return (byte + <i64>flow.mtuBytes - 1) / <i64>flow.mtuBytes;
}

@inline export function payloadOf(flow: SimFlow, number: i64): i64 {
  const mtuBytes = <i64>flow.mtuBytes;
  return min<i64>(mtuBytes, flow.size - number * mtuBytes);
}
