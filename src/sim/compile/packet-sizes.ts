/**
 * Bytes of each kind of packet.
 *
 *   standard   Ethernet 14 and FCS 4, IPv6 40, UDP 8, BTH 12, ICRC 4; ACK: AETH 4 more; CNP: 16 reserved bytes more.
 *              The RETH of an RDMA WRITE (16 bytes, first packet of a message only) is left out. Padding to words is
 *              left out too, and so is the AETH (4 bytes) of the first and last response of a READ. A READ request has
 *              its RETH. IPv6 throughout, as Fast CNPs exist in IPv6 alone.
 *   mrc        data: METH 4, TSETH 4, RETH 16 more; SACK: SETH 28 and state of congestion control 8 instead of the AETH; NACK: NETH
 *              20; endpoint request: ERTH 16, response: EETH 36. A trimmed packet is what its switch keeps, and FCS
 *   usids      source-routed data and probes: an outer IPv6 header, 40 more
 *   credit     a credit packet: Ethernet, IPv6, UDP and 16 bytes, the size of an Ultra Ethernet control packet (and of BTH and ICRC). Its pull
 *              target takes no bytes in data
 *   telemetry  a Hop-by-Hop Options header with a pre-allocated IOAM trace with space for the longest path's
 *              switches, in data and in ACKs, which return the data's trace: 8 bytes, and per switch 32 (node id,
 *              interfaces, timestamp 8, namespace data 4 for the rate, queue depth, namespace data 8 for the bytes
 *              sent); 7 switches per option.
 *   reference  docs/specs/reference.md, section 1: 48 bytes before the payload, plus the algorithm's telemetry: HPCC 42,
 *              TIMELY 8, PINT 2; ACK 46 plus telemetry, at least 60. No FCS, no wire overhead.
 */
import type { Algorithm } from '../../config/algorithms/algorithm.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { Udp } from '../../wire/ip/udp.js';
import { Ethernet } from '../../wire/link/ethernet.js';
import { MrcCcState, Seth, Eeth, Neth } from '../../wire/mrc/response-headers.js';
import { Erth, Meth, Peth, Tseth } from '../../wire/mrc/request-headers.js';
import { Aeth, Reth } from '../../wire/roce/extended-headers.js';
import { Bth } from '../../wire/roce/bth.js';
import { Cnp } from '../../wire/roce/cnp.js';
import { FastCnp } from '../../wire/roce/fast-cnp.js';
import { Icrc } from '../../wire/roce/icrc.js';
import { IoamTraceHeader } from '../../wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../wire/telemetry/ioam-option.js';
import { TRACED_HOP_BYTES, TRACED_HOPS_MAX, hopTraceHeader } from '../../switching/hop-trace.js';
import type { KernelFidelity } from '../scenario/setting-words.js';

/** Bytes of a flow's packets. */
export interface FlowSizes {
  /** Bytes around the payload of a data packet. */
  readonly headerBytes: number;
  /** Bytes of a whole ACK. */
  readonly ackBytes: number;
}

/** Ethernet's frame check sequence. */
export const FCS_BYTES = 4;
const ADDRESS_BYTES = 16;
const MAC_BYTES = 6;

/** Bytes of an Ethernet frame around its IP packet. */
export const ETHERNET_FRAME_BYTES = Ethernet.lenBytes + FCS_BYTES;

/** Bytes of a RoCEv2 packet around its payload and further headers. Captures omit the FCS. */
export const ROCE_BYTES = Ethernet.lenBytes + Ipv6.lenBytes + Udp.lenBytes + Bth.lenBytes + Icrc.lenBytes + FCS_BYTES;

export const STANDARD_CNP_BYTES = ROCE_BYTES + Cnp.RESERVED_BYTES;

/** Bytes of a READ request. It carries no telemetry, as nothing returns it. */
export const READ_REQUEST_BYTES = ROCE_BYTES + Reth.lenBytes;

const REFERENCE_DATA_BYTES = 48;
const REFERENCE_ACK_BYTES = 46;
/**
 * Includes the range that a NAK names: 4 bytes for the first byte, 2 for the length (docs/specs/reference-lossy.md, section 2).
 */
const LOSSY_ACK_BYTES = REFERENCE_ACK_BYTES + 6;
/** Minimum packet size. A CNP would have it, but none is ever sent. */
export const REFERENCE_LEAST_BYTES = 60;

/** METH, TSETH and RETH of each data packet. */
const MRC_DATA_BYTES = Meth.lenBytes + Tseth.lenBytes + Reth.lenBytes;
const MRC_SACK_BYTES = Seth.lenBytes + MrcCcState.lenBytes - Aeth.lenBytes;

export const NACK_BYTES = ROCE_BYTES + Neth.lenBytes;

/** Same as an ACK without AETH: in uet-htsim both have 64 bytes. */
export const CREDIT_BYTES = ROCE_BYTES;
/** Bytes of a probe. It carries no telemetry. */
export const PROBE_BYTES = ROCE_BYTES + Peth.lenBytes;

/** Endpoint requests and responses of MRC. */
export const ENDPOINT_REQUEST_BYTES = ROCE_BYTES + Erth.lenBytes;
export const ENDPOINT_RESPONSE_BYTES = ROCE_BYTES + Eeth.lenBytes;

/** What the outer header adds to a source-routed packet: no Segment Routing header. `usids` null: there is none. */
export function usidHeaderBytes(usids: object | null): number {
  return usids === null ? 0 : Ipv6.lenBytes;
}

/** Bytes of an MRC data packet's overhead that a trimmed packet need not keep: RETH, ICRC, FCS. */
export const MRC_UNNEEDED_BYTES = Reth.lenBytes + Icrc.lenBytes + FCS_BYTES;

/** Bytes around the payload in an MRC data packet's nominal size, which is UDP length + 40 and excludes telemetry. */
export const MRC_NOMINAL_HEADER_BYTES = ROCE_BYTES + MRC_DATA_BYTES - ETHERNET_FRAME_BYTES;

/** Converts packet sizes to those under transport `mrc`. */
export function mrcSizes({ headerBytes, ackBytes }: FlowSizes): FlowSizes {
  return { headerBytes: headerBytes + MRC_DATA_BYTES, ackBytes: ackBytes + MRC_SACK_BYTES };
}

/** The facts about an algorithm that determine what it adds to packets. */
export type PacketFacts = Pick<Algorithm<AlgorithmParameters>, 'telemetry' | 'referenceBytes'>;

/**
 * Sizes of the packets of flows under an algorithm.
 * @param switches number of switches on the longest path.
 */
export function flowSizes(fidelity: KernelFidelity, { telemetry, referenceBytes = 0 }: PacketFacts,
  switches: number): FlowSizes {
  if (fidelity === 'standard') {
    const traceBytes = telemetry ? traceHeaderBytes(switches) : 0;
    return { headerBytes: ROCE_BYTES + traceBytes, ackBytes: ROCE_BYTES + Aeth.lenBytes + traceBytes };
  }
  const ackBytes = fidelity === 'reference-lossy' ? LOSSY_ACK_BYTES : REFERENCE_ACK_BYTES;
  return {
    headerBytes: REFERENCE_DATA_BYTES + referenceBytes,
    ackBytes: Math.max(REFERENCE_LEAST_BYTES, ackBytes + referenceBytes),
  };
}

/** Bytes of a Fast CNP, measured by building one: 122 with option 1. */
export function fastCnpBytes(option: 1 | 2, switches: number): number {
  const address = new Uint8Array(ADDRESS_BYTES).fill(1);
  const mac = new Uint8Array(MAC_BYTES);
  const nodes = Math.min(switches, TRACED_HOPS_MAX);
  const trace = {
    ioamType: IoamOption.TYPE_PREALLOCATED_TRACE,
    data: new Uint8Array(IoamTraceHeader.lenBytes + nodes * TRACED_HOP_BYTES),
  };
  const fields = {
    source: address,
    destination: address,
    originalDestination: address,
    destQpn: 1,
    link: { destination: mac, source: mac },
  };
  return FastCnp.write(option === 1 ? fields : { ...fields, trace }).length + FCS_BYTES;
}

/** Bytes of the header that holds the trace. Each 7 further switches count as another header. */
function traceHeaderBytes(switches: number): number {
  let bytes = 0;
  for (let left = switches; left > 0; left -= TRACED_HOPS_MAX) {
    bytes += hopTraceHeader(Math.min(left, TRACED_HOPS_MAX)).length;
  }
  return bytes;
}
