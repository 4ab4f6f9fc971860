/** Writes where IOAM traces hold what HPCC++ needs, as the numbers that engine.wasm reads (assembly/wire/ioam-map.ts). */
import { REGION_TABLES, TELEMETRY_ADDRESS } from '../abi/layout.js';
import * as layout from '../abi/telemetry-layout.js';
import { TRACE_FIELD_BITS, TRACE_FRACTIONS, type TelemetrySettings, type TraceNumber } from '../config/telemetry.js';
import { IOAM_BIT_BUFFER_OCCUPANCY, IOAM_BIT_QUEUE_DEPTH } from '../wire/telemetry/ioam-trace-type.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** Bytes of the table of ports. */
export function portBytesNeeded(telemetry: TelemetrySettings | undefined): number {
  return (telemetry?.ports.length ?? 0) * layout.PORT_BYTES;
}

/** @param tableBytes bytes before the ports in the region of tables. */
export function writeTelemetry(views: MemoryViews, telemetry: TelemetrySettings | undefined, tableBytes: number): void {
  const set = (slot: number, value: number): void => {
    views.f64[(TELEMETRY_ADDRESS >>> 3) + slot] = value;
  };
  set(layout.TELEMETRY_ENABLED, Number(telemetry !== undefined));
  writePlace(set, layout.TELEMETRY_TX, telemetry?.txBytes);
  writePlace(set, layout.TELEMETRY_RATE, telemetry?.lineRate);
  if (telemetry === undefined) return;
  const { perUnitPs, end } = TRACE_FRACTIONS[telemetry.timestampFormat];
  set(layout.TELEMETRY_NAMESPACE,
    telemetry.namespaceId === 'any' ? layout.TELEMETRY_ANY_NAMESPACE : telemetry.namespaceId);
  set(layout.TELEMETRY_FRACTION_PS, perUnitPs);
  set(layout.TELEMETRY_FRACTION_END, end);
  set(layout.TELEMETRY_QUEUE_BIT,
    telemetry.queueField === 'queue-depth' ? IOAM_BIT_QUEUE_DEPTH : IOAM_BIT_BUFFER_OCCUPANCY);
  set(layout.TELEMETRY_QUEUE_UNIT, telemetry.queueUnitBytes);
  set(layout.TELEMETRY_SCHEMA, telemetry.opaqueSchemaId);
  set(layout.TELEMETRY_DEFAULT_RATE, telemetry.defaultLineRateBps);
  set(layout.TELEMETRY_ECHOES, Number(telemetry.ackTraces === 'echo'));
  writePorts(views, set, telemetry, tableBytes);
}

function writePlace(set: (slot: number, value: number) => void, first: number,
  place: TraceNumber | string | undefined): void {
  const isNumber = typeof place === 'object';
  set(first + layout.PLACE_BIT, isNumber ? TRACE_FIELD_BITS[place.field] : layout.TELEMETRY_NO_FIELD);
  if (!isNumber) return;
  set(first + layout.PLACE_FROM, place.fromBit);
  set(first + layout.PLACE_BITS, place.bits);
  set(first + layout.PLACE_UNIT, place.unit);
}

function writePorts(views: MemoryViews, set: (slot: number, value: number) => void, telemetry: TelemetrySettings,
  tableBytes: number): void {
  // A backend without tables reads the configuration itself.
  const tables = regionAddress(views, REGION_TABLES);
  if (tables === 0) return;
  const first = tables + tableBytes;
  set(layout.TELEMETRY_PORTS, first);
  set(layout.TELEMETRY_PORT_COUNT, telemetry.ports.length);
  telemetry.ports.forEach(({ nodeId, egressInterface = layout.PORT_ANY, lineRateBps, queueUnitBytes = 0 }, index) => {
    const at = first + index * layout.PORT_BYTES;
    views.u32[(at + layout.PORT_EGRESS) >>> 2] = egressInterface;
    views.u32[(at + layout.PORT_NODE) >>> 2] = nodeId;
    views.f64[(at + layout.PORT_LINE_RATE) >>> 3] = lineRateBps;
    views.f64[(at + layout.PORT_QUEUE_UNIT) >>> 3] = queueUnitBytes;
  });
}
