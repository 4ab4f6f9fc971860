/**
 * Which fields of IOAM traces hold the input of HPCC++: timestamps, queues, bytes sent, line rates.
 *
 * Sources: RFC 9197, section 4.4.2, defines timestamps, queue depth and buffer occupancy, leaves their units to the domain, and
 * has no field for bytes sent or line rate; these come from namespace-specific data, an opaque snapshot, or a table of the
 * domain's ports. Open points and the reasons for our choices: docs/reference/sources.md, section HPCC++.
 */
import { checkFields, checkRecord, numberIn, oneOf, orValue, reject, wholeIn, type FieldRule,
  type FieldRules } from './field-rules.js';
import { RATE_MAX_BPS } from './algorithms/algorithm.js';
import { IoamTraceType } from '../wire/telemetry/ioam-trace.js';

/** Fractions of a second: the unit in picoseconds, and the first invalid value. */
export const TRACE_FRACTIONS = {
  ptp: { perUnitPs: 1000, end: 1e9 },
  ntp: { perUnitPs: 1e12 / 2 ** 32, end: 2 ** 32 },
  posix: { perUnitPs: 1e6, end: 1e6 },
} as const;

/** The trace-type bit of each field. */
export const TRACE_FIELD_BITS = {
  'namespace-data': IoamTraceType.BIT_NAMESPACE_DATA,
  'namespace-data-wide': IoamTraceType.BIT_NAMESPACE_DATA_WIDE,
  opaque: IoamTraceType.BIT_OPAQUE,
};

/** A number within a field of a node. */
export interface TraceNumber {
  /** Field: trace-type bit 5 (32 bits), bit 10 (64 bits), or the opaque snapshot (bit 22) with schema `opaqueSchemaId`. */
  readonly field: 'namespace-data' | 'namespace-data-wide' | 'opaque';
  /** First bit of the number; 0 = the most significant bit of the field. */
  readonly fromBit: number;
  /** Width, 1 to 48 bits. All ones: not available. */
  readonly bits: number;
  /** Unit of the number, bytes or bits per second. */
  readonly unit: number;
}

/** A port whose line rate is known. */
export interface KnownPort {
  /** Node identifier, 24 bits, or the low 32 bits of a wide one. */
  readonly nodeId: number;
  /** Egress interface; absent: all interfaces of the node that have no entry. */
  readonly egressInterface?: number;
  /** Line rate, bits per second. */
  readonly lineRateBps: number;
  /** Unit of this port's queue, bytes; absent: `queueUnitBytes`. */
  readonly queueUnitBytes?: number;
}

/** Meaning of the fields of IOAM traces in this network. */
export interface TelemetrySettings {
  /** Namespace of the traces to read; others are ignored. */
  readonly namespaceId: number | 'any';
  /** Unit of a timestamp's fraction: nanoseconds, 2^-32 s, microseconds (RFC 9197, section 5). */
  readonly timestampFormat: 'ptp' | 'ntp' | 'posix';
  /** Field that holds q: bit 6 or bit 11. */
  readonly queueField: 'queue-depth' | 'buffer-occupancy';
  /** Unit of the queue, bytes: 1 if nodes report bytes, the cell size if they report cells. */
  readonly queueUnitBytes: number;
  /** Counter of bytes sent; `none`: throughput is not reported. */
  readonly txBytes: TraceNumber | 'none';
  /** B, the line rate of the egress port; `table`: from `ports`. */
  readonly lineRate: TraceNumber | 'table';
  /** Schema of the opaque snapshots to read. */
  readonly opaqueSchemaId: number;
  /** Line rate of ports that are not in the table, bits per second; 0: their hops are ignored. */
  readonly defaultLineRateBps: number;
  /** Ports with known line rate, identified as in traces. */
  readonly ports: readonly KnownPort[];
  /** The Hop-by-Hop trace of an ACK: an echo of the forward path's trace (`echo`), or a trace of the ACK's path (`ignore`). */
  readonly ackTraces: 'ignore' | 'echo';
}

/** Defaults: the fields of RFC 9197 and Linux, and no known ports. */
export const DEFAULT_TELEMETRY: TelemetrySettings = Object.freeze({
  /** RFC 9197, section 4.3: the default namespace. */
  namespaceId: 0,
  /** RFC 9197, section 5.1 lists it first; switch clocks run PTP. */
  timestampFormat: 'ptp',
  /** The egress queue, which is HPCC's q. */
  queueField: 'queue-depth',
  /** Linux, the open implementation, reports bytes. */
  queueUnitBytes: 1,
  txBytes: 'none',
  lineRate: 'table',
  opaqueSchemaId: 0,
  defaultLineRateBps: 0,
  ports: Object.freeze([]),
  /** RFC 9197: nodes on the ACK's own path write into its trace. */
  ackTraces: 'ignore',
});

/** Maximum number of entries in the table of ports. */
const KNOWN_PORTS_MAX = 65_536;

const FIELD_BITS = { 'namespace-data': 32, 'namespace-data-wide': 64, opaque: 8 * 1020 } as const;
const TRACE_NUMBER_BITS_MAX = 48;
/** Largest unit of the byte counter: 2^48 - 1 times this stays below 2^53. */
const BYTES_UNIT_MAX = 32;
const QUEUE_UNIT_MAX = 65_536;
const NODE_MAX = 2 ** 32 - 1;
const LIST: FieldRule = {
  allowed: `a list of at most ${KNOWN_PORTS_MAX} ports`,
  accepts: (value) => Array.isArray(value) && value.length <= KNOWN_PORTS_MAX,
};

function wordOrNumber(word: string): FieldRule {
  return {
    allowed: `"${word}" or { field, fromBit, bits, unit }`,
    accepts: (value) => value === word || (typeof value === 'object' && value !== null),
  };
}

const RULES: FieldRules<TelemetrySettings> = {
  namespaceId: orValue('any', wholeIn(0, 0xffff)),
  timestampFormat: oneOf('ptp', 'ntp', 'posix'),
  queueField: oneOf('queue-depth', 'buffer-occupancy'),
  queueUnitBytes: wholeIn(1, QUEUE_UNIT_MAX, 'bytes'),
  txBytes: wordOrNumber('none'),
  lineRate: wordOrNumber('table'),
  opaqueSchemaId: wholeIn(0, 0xfffffe),
  defaultLineRateBps: orValue(0, numberIn(1000, RATE_MAX_BPS, 'bits per second')),
  ports: LIST,
  ackTraces: oneOf('ignore', 'echo'),
};

const NUMBER_RULES = (unitMax: number): FieldRules<TraceNumber> => ({
  field: oneOf('namespace-data', 'namespace-data-wide', 'opaque'),
  fromBit: wholeIn(0, FIELD_BITS.opaque - 1),
  bits: wholeIn(1, TRACE_NUMBER_BITS_MAX, 'bits'),
  unit: wholeIn(1, unitMax),
});

const PORT_RULES: FieldRules<Required<KnownPort>> = {
  nodeId: wholeIn(0, NODE_MAX),
  egressInterface: orValue(undefined, wholeIn(0, NODE_MAX - 1)),
  lineRateBps: numberIn(1000, RATE_MAX_BPS, 'bits per second'),
  queueUnitBytes: orValue(undefined, wholeIn(1, QUEUE_UNIT_MAX, 'bytes')),
};

/**
 * Fills in the defaults and checks the settings.
 *
 * @param options settings that differ from `DEFAULT_TELEMETRY`.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function telemetry(options: Partial<TelemetrySettings> = {}, name = 'telemetry'): TelemetrySettings {
  checkRecord(options, name);
  const settings = checkFields<TelemetrySettings>({ ...DEFAULT_TELEMETRY, ...options }, RULES, name);
  checkNumber(settings.txBytes, BYTES_UNIT_MAX, `${name}.txBytes`);
  checkNumber(settings.lineRate, RATE_MAX_BPS, `${name}.lineRate`);
  const ports = settings.ports.map((port, index) =>
    checkFields<KnownPort>(port, PORT_RULES, `${name}.ports[${index}]`)
  );
  return Object.freeze({ ...settings, ports: Object.freeze(sortedPorts(ports, name)) });
}

function checkNumber(place: TraceNumber | string, unitMax: number, name: string): void {
  if (typeof place === 'string') return;
  const { field, fromBit, bits } = checkFields<TraceNumber>(place, NUMBER_RULES(unitMax), name);
  const end = FIELD_BITS[field];
  if (fromBit + bits > end) {
    reject({ problem: `must end within the ${end} bits of ${field}`, got: { fromBit, bits }, where: `${name}.bits` });
  }
}

/** Sorts by node, then egress interface; the entry for all interfaces of a node comes last. */
function sortedPorts(ports: readonly KnownPort[], name: string): KnownPort[] {
  const egress = ({ egressInterface = NODE_MAX }: KnownPort): number => egressInterface;
  const sorted = [...ports].sort((a, b) => a.nodeId - b.nodeId || egress(a) - egress(b));
  sorted.forEach((port, index) => {
    const before = sorted[index - 1];
    if (before?.nodeId !== port.nodeId || egress(before) !== egress(port)) return;
    reject({ problem: 'must not list a port twice', got: { nodeId: port.nodeId }, where: `${name}.ports` });
  });
  return sorted;
}
