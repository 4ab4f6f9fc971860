/**
 * Space for telemetry in simulated packets: the part of a packet's length beyond the headers that every packet has.
 *
 * In data it is written as an empty IOAM trace (RFC 9197, section 4.4.1), or as padding if an IPv6 option can't hold it, as a
 * `PacketRecord` does not have the switches' records. In ACKs it is padding in a Destination Options header, as no document
 * defines an echo of telemetry. The trace requests 32 bytes per switch, as HPCC needs: node, interfaces, timestamp, namespace
 * data (rate), queue depth and wide namespace data (bytes sent).
 */
import type { LayerSpec } from '../../packet/layers.js';
import { ExtensionHeader } from '../../wire/ip/ipv6.js';
import { Ipv6Option, type OptionField, OptionsHeader } from '../../wire/ip/ipv6-options.js';
import { Aeth } from '../../wire/roce/extended-headers.js';
import { Cnp } from '../../wire/roce/cnp.js';
import { FastCnpOption2, type IoamTrace } from '../../wire/roce/fast-cnp-option.js';
import { IoamTraceHeader } from '../../wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../wire/telemetry/ioam-option.js';
import { TRACE_IN_HEADER_BYTES, freeTrace } from '../../switching/hop-trace.js';
import { ROCE_BYTES } from '../compile/packet-sizes.js';
import type { Fidelity } from '../scenario/spec.js';
import type { PacketRecord } from '../result.js';

const WORD_BYTES = 4;
/**
 * Bytes around the trace in a Fast CNP's options header: 4 before the option, its type and length, 2, and the destination
 * address.
 */
const AROUND_FAST_CNP_TRACE_BYTES = 4 + Ipv6Option.lenBytes + 2 + 16;

/** Bytes of the options header in a data packet or ACK; 0 under `reference`, whose lengths differ. */
export function telemetrySpaceBytes(fidelity: Fidelity, { kind, lenBytes, payloadBytes }: PacketRecord): number {
  if (fidelity !== 'standard') return 0;
  const restBytes = kind === 'data' ? payloadBytes : Aeth.lenBytes;
  const spaceBytes = lenBytes - ROCE_BYTES - restBytes;
  return Math.max(0, Math.floor(spaceBytes / ExtensionHeader.UNIT_BYTES) * ExtensionHeader.UNIT_BYTES);
}

/** A Hop-by-Hop header of `spaceBytes`, a multiple of 8; empty for 0. */
export function telemetrySpace(spaceBytes: number): LayerSpec[] {
  if (spaceBytes === 0) return [];
  const traceBytes = spaceBytes - TRACE_IN_HEADER_BYTES;
  const fits = traceBytes >= IoamTraceHeader.lenBytes && traceBytes <= IoamOption.DATA_MAX_BYTES;
  return [{
    kind: 'hop-by-hop',
    value: { options: fits ? traceOption(traceBytes) : padding(spaceBytes - ExtensionHeader.lenBytes) },
  }];
}

/** A Destination Options header of `spaceBytes` with padding only, a multiple of 8; empty for 0. */
export function paddingSpace(spaceBytes: number): LayerSpec[] {
  return spaceBytes === 0 ?
    [] :
    [{ kind: 'destination-options', value: { options: padding(spaceBytes - ExtensionHeader.lenBytes) } }];
}

/** Trace of a Fast CNP with option 2 that fills the packet's length; undefined if the length is too short or too long. */
export function fastCnpTrace(lenBytes: number): IoamTrace | undefined {
  const traceBytes = lenBytes - ROCE_BYTES - Cnp.RESERVED_BYTES - AROUND_FAST_CNP_TRACE_BYTES;
  const wholeBytes = Math.floor(traceBytes / WORD_BYTES) * WORD_BYTES;
  if (wholeBytes < IoamTraceHeader.lenBytes || wholeBytes > FastCnpOption2.TRACE_MAX_BYTES) return undefined;
  return { ioamType: IoamOption.TYPE_PREALLOCATED_TRACE, data: freeTrace(wholeBytes) };
}

function traceOption(traceBytes: number): OptionField[] {
  const data = new Uint8Array(2 + traceBytes);
  data[1] = IoamOption.TYPE_PREALLOCATED_TRACE;
  data.set(freeTrace(traceBytes), 2);
  return OptionsHeader.layOut([{ type: IoamOption.MAY_CHANGE, data, align: { x: IoamOption.ALIGNMENT_BYTES, y: 0 } }]);
}

/** Padding by PadN options; a single remaining byte is a Pad1. */
function padding(bytes: number): OptionField[] {
  const fields: OptionField[] = [];
  for (let left = bytes; left > 0;) {
    const dataBytes = Math.min(Ipv6Option.DATA_MAX_BYTES, left - Ipv6Option.lenBytes);
    if (dataBytes < 0) return [...fields, { kind: 'pad1' }];
    fields.push({ kind: 'padn', data: new Uint8Array(dataBytes) });
    left -= Ipv6Option.lenBytes + dataBytes;
  }
  return fields;
}
