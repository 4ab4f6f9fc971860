/** Data packets with an IOAM trace in a Hop-by-Hop header: with each field of a node alone, and with all fields. */
import { OptionsHeader } from '../../../src/wire/ip/ipv6-options.js';
import type { IoamNode } from '../../../src/wire/telemetry/ioam-node.js';
import { IoamTraceType } from '../../../src/wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../../src/wire/telemetry/ioam-option.js';
import { IoamTraceData, type IoamTraceDataFields } from '../../../src/wire/telemetry/ioam-trace-data.js';
import { ETHERNET, type Stack, ipv6For, numberFor, bytesOf, roceFor, udpFor, wideNumberFor } from './roce-stacks.js';

/** The fields that a node records for each bit of the trace type; bits 12 to 21 have no fields. */
const FIELDS: readonly ((seed: number) => IoamNode)[] = [
  (seed) => ({ hopLimit: numberFor(seed, 'hopLimit', 8), nodeId: numberFor(seed, 'nodeId', 24) }),
  (seed) => ({ ingressInterface: numberFor(seed, 'in', 16), egressInterface: numberFor(seed, 'out', 16) }),
  (seed) => ({ timestampSeconds: numberFor(seed, 'seconds', 32) }),
  (seed) => ({ timestampFraction: numberFor(seed, 'fraction', 32) }),
  (seed) => ({ transitDelay: numberFor(seed, 'delay', 32) }),
  (seed) => ({ namespaceData: numberFor(seed, 'data', 32) }),
  (seed) => ({ queueDepth: numberFor(seed, 'queue', 32) }),
  (seed) => ({ checksumComplement: numberFor(seed, 'complement', 32) }),
  (seed) => ({ hopLimitWide: numberFor(seed, 'hopLimitWide', 8), nodeIdWide: wideNumberFor(seed, 'nodeIdWide') >> 8n }),
  (seed) => ({
    ingressInterfaceWide: numberFor(seed, 'wide in', 32),
    egressInterfaceWide: numberFor(seed, 'wide out', 32),
  }),
  (seed) => ({ namespaceDataWide: wideNumberFor(seed, 'wide data') }),
  (seed) => ({ bufferOccupancy: numberFor(seed, 'buffer', 32) }),
];
const DEFINED_BITS = FIELDS.map((_, bit) => bit);
const UNDEFINED_BITS = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21];

/** A trace in which `nodeCount` nodes recorded the fields of these bits. */
function traceOf(bits: readonly number[], nodeCount: number, remainingLenWords: number): IoamTraceDataFields {
  const traceType = IoamTraceType.of(...bits);
  const nodes = Array.from({ length: nodeCount }, (_, hop) => nodeOf(traceType, hop));
  return {
    kind: 'pre-allocated',
    header: { traceType, namespaceId: 0x8000 + bits[0]!, flags: 0, remainingLenWords },
    nodes,
  };
}

function nodeOf(traceType: number, hop: number): IoamNode {
  const fields = FIELDS.filter((_, bit) => IoamTraceType.has(traceType, bit)).map((make) => make(hop + 1));
  const opaque = IoamTraceType.has(traceType, IoamTraceType.BIT_OPAQUE) &&
    { opaque: { schemaId: 0xabc000 + hop, data: bytesOf(4 * hop) } };
  return Object.assign({}, ...fields, opaque) as IoamNode;
}

function withFlags(trace: IoamTraceDataFields, flags: number): IoamTraceDataFields {
  return { ...trace, header: { ...trace.header, flags } };
}

const TRACES: readonly IoamTraceDataFields[] = [
  ...[...DEFINED_BITS, ...UNDEFINED_BITS, IoamTraceType.BIT_OPAQUE].map((bit) => traceOf([bit], 3, 5)),
  ...DEFINED_BITS.slice(1).map((bit) => traceOf([bit - 1, bit], 2, 4)),
  traceOf(DEFINED_BITS, 3, 0),
  traceOf([...DEFINED_BITS, IoamTraceType.BIT_OPAQUE], 2, 20),
  traceOf([...DEFINED_BITS, ...UNDEFINED_BITS, IoamTraceType.BIT_OPAQUE], 2, 0),
  traceOf([0, 2, 3, 6], 0, 16),
  ...[1, 2, 4, 8, 15].map((flags) => withFlags(traceOf([0, 6], 2, 3), flags)),
  { ...traceOf([0], 1, 2), freeSpace: bytesOf(8) },
];

/** Pre-allocated traces, and one in an option that does not change en route. */
export const IOAM_STACKS: readonly Stack[] = [
  ...TRACES.map((trace, index) => carrying(trace, IoamOption.MAY_CHANGE, index)),
  carrying(traceOf([0, 6], 2, 3), IoamOption.UNCHANGING, 99),
];

function carrying(trace: IoamTraceDataFields, type: number, seed: number): Stack {
  const data = Uint8Array.of(0, IoamOption.TYPE_PREALLOCATED_TRACE, ...IoamTraceData.write(trace));
  const options = OptionsHeader.layOut([{ type, data, align: { x: 4, y: 0 } }]);
  return [ETHERNET, ipv6For(seed), { kind: 'hop-by-hop', value: { options } }, udpFor(seed), ...roceFor(0x0a, seed)];
}
