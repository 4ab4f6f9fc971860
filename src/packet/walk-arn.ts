/**
 * Part of a dissection: an ARN message in a UDP datagram (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1), in the format
 * of `arnFormatDefaults`. The message has an end marker; bytes after it are a trailer.
 */
import { WHY_NONE } from '../abi/codes.js';
import { arnFormatDefaults, paraMask, unknownParaMask, ParaType } from '../wire/arn/arn-format.js';
import { ARN_PARA_TYPE, Arn } from '../wire/arn/arn.js';
import type { Dissection } from './dissection.js';
import { LAYER_ARN, LAYER_TRAILER } from './layer-kinds.js';

/** IP version, two addresses, protocol, two ports, padded to words of four bytes. */
const IPV4_FLOW_BYTES = 16;
const IPV6_FLOW_BYTES = 40;

/** Walks the bytes after the UDP header, up to `endOffset`. */
export function walkArn(d: Dissection, at: number, endOffset: number): void {
  const flowOffset = at + Arn.lenBytes;
  if (d.lacks(LAYER_ARN, at, flowOffset, endOffset, WHY_NONE)) return;
  const paraType = d.bytes[at + ARN_PARA_TYPE];
  const hasFlow = (paraType & paraMask(ParaType.FLOW, arnFormatDefaults.bitOrder)) !== 0;
  if (hasFlow && d.lacks(LAYER_ARN, at, flowOffset + 1, endOffset, WHY_NONE)) return;
  const flowBytes = hasFlow ? flowBytesOf(d.bytes[flowOffset]) : 0;
  const isUnknown = (paraType & unknownParaMask(arnFormatDefaults.bitOrder)) !== 0 || (hasFlow && flowBytes === 0);
  // If the length of its parameters is unknown, take all bytes of the message; its codec reports the error.
  if (isUnknown) {
    d.addRest(LAYER_ARN, at, endOffset);
    return;
  }
  const messageEnd = flowOffset + flowBytes + numberBytesOf(paraType);
  if (d.lacks(LAYER_ARN, at, messageEnd, endOffset, WHY_NONE)) return;
  d.add(LAYER_ARN, at, messageEnd - at);
  d.addRest(LAYER_TRAILER, messageEnd, endOffset);
}

/** Bytes of a five-tuple by IP version; 0 for any other number. */
function flowBytesOf(version: number): number {
  if (version === 4) return IPV4_FLOW_BYTES;
  return version === 6 ? IPV6_FLOW_BYTES : 0;
}

function numberBytesOf(paraType: number): number {
  return numberBytesIf(paraType, ParaType.PATH) + numberBytesIf(paraType, ParaType.PRIORITY) +
    numberBytesIf(paraType, ParaType.COMPRESSION_TIME);
}

function numberBytesIf(paraType: number, bit: number): number {
  return (paraType & paraMask(bit, arnFormatDefaults.bitOrder)) === 0 ? 0 : Arn.NUMBER_BYTES;
}
