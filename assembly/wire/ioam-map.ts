/**
 * Which fields of an IOAM trace hold HPCC++'s input: settings that the host writes as numbers, and a table of known ports.
 *
 * RFC 9197 defines neither bytes sent nor line rates, and leaves units to the domain (docs/reference/sources.md, section HPCC++).
 */
import { TELEMETRY_ADDRESS } from '../../src/abi/layout';
import { KNOWN_PORT_BYTES, PLACE_BIT, PLACE_BITS, PLACE_FROM, PLACE_UNIT, PORT_ANY, TELEMETRY_DEFAULT_RATE_BPS,
  TELEMETRY_ECHOES, TELEMETRY_ENABLED, TELEMETRY_FRACTION_END, TELEMETRY_FRACTION_PS, TELEMETRY_NAMESPACE,
  TELEMETRY_NO_FIELD, TELEMETRY_PORTS, TELEMETRY_PORT_COUNT, TELEMETRY_QUEUE_BIT, TELEMETRY_QUEUE_UNIT_BYTES,
  TELEMETRY_SCHEMA, TELEMETRY_TX } from '../records/telemetry';

export let readsTraces: bool = false;
/** Whether the trace in an ACK is an echo of the forward path's trace. */
export let echoesTraces: bool = false;
/** The namespace of the traces to read, or TELEMETRY_ANY_NAMESPACE. */
export let namespaceId: i32 = 0;
export let fractionPs: f64 = 0;
export let fractionEnd: f64 = 0;
export let queueBit: u32 = 0;
export let queueUnitBytes: f64 = 0;
export let schemaId: u32 = 0;
export let defaultRateBps: f64 = 0;
/** Bytes after which counters of bytes sent wrap. */
export let txSpanBytes: f64 = 0;

let ports: usize = 0;
let portCount: u32 = 0;

@inline function slot(index: u32): f64 {
  return load<f64>(<usize>TELEMETRY_ADDRESS + (<usize>index << 3));
}

/** A number within a field: `TELEMETRY_TX` or `TELEMETRY_RATE`. */
@inline export function placeBit(place: u32): i32 {
  return <i32>slot(place + PLACE_BIT);
}

@inline export function placeFrom(place: u32): u32 {
  return <u32>slot(place + PLACE_FROM);
}

@inline export function placeBits(place: u32): u32 {
  return <u32>slot(place + PLACE_BITS);
}

@inline export function placeUnit(place: u32): f64 {
  return slot(place + PLACE_UNIT);
}

/** Copies the host's settings to globals. */
export function configureTelemetry(): void {
  readsTraces = slot(TELEMETRY_ENABLED) != 0;
  echoesTraces = slot(TELEMETRY_ECHOES) != 0;
  namespaceId = <i32>slot(TELEMETRY_NAMESPACE);
  fractionPs = slot(TELEMETRY_FRACTION_PS);
  fractionEnd = slot(TELEMETRY_FRACTION_END);
  queueBit = <u32>slot(TELEMETRY_QUEUE_BIT);
  queueUnitBytes = slot(TELEMETRY_QUEUE_UNIT_BYTES);
  schemaId = <u32>slot(TELEMETRY_SCHEMA);
  defaultRateBps = slot(TELEMETRY_DEFAULT_RATE_BPS);
  ports = <usize>slot(TELEMETRY_PORTS);
  portCount = <u32>slot(TELEMETRY_PORT_COUNT);
  const counts = placeBit(TELEMETRY_TX) != TELEMETRY_NO_FIELD;
  txSpanBytes = counts ? <f64>((<u64>1) << placeBits(TELEMETRY_TX)) * placeUnit(TELEMETRY_TX) : 0;
}

/** The entry of a port, or else that of all ports of its node, or else 0. */
export function portEntry(node: u32, port: u32): usize {
  const entry = findPort((<u64>node << 32) | <u64>port);
  return entry ? entry : findPort((<u64>node << 32) | <u64>(<u32>PORT_ANY));
}

/** Binary search: entries are in ascending order of node, then port. */
function findPort(key: u64): usize {
  let low: u32 = 0;
  let high = portCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<u64>(ports + <usize>middle * KNOWN_PORT_BYTES) < key) low = middle + 1;
    else high = middle;
  }
  const entry = ports + <usize>low * KNOWN_PORT_BYTES;
  return low < portCount && load<u64>(entry) == key ? entry : 0;
}
