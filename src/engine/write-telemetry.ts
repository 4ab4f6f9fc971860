/**
 * Writes where IOAM traces hold the data for HPCC++, as the numbers read by engine.wasm (assembly/wire/ioam-map.ts).
 */
import { REGION_TABLES, TELEMETRY_ADDRESS } from '../abi/layout.js';
import * as records from '../abi/records/telemetry.js';
import { TRACE_FIELD_BITS, TRACE_FRACTIONS, type TelemetrySettings, type TraceNumber } from '../config/telemetry.js';
import { IoamTraceType } from '../wire/telemetry/ioam-trace.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

const SLOTS = records.TELEMETRY.index;

/** Size of the port table in bytes. */
export function portBytesNeeded(telemetry: TelemetrySettings | undefined): number {
  return (telemetry?.ports.length ?? 0) * records.KNOWN_PORT.bytes;
}

/** @param tableBytes bytes before the ports in region REGION_TABLES. */
export function writeTelemetry(views: MemoryViews, telemetry: TelemetrySettings | undefined, tableBytes: number): void {
  const set = (slot: number, value: number): void => {
    views.f64[(TELEMETRY_ADDRESS >>> 3) + slot] = value;
  };
  set(SLOTS.enabled, Number(telemetry !== undefined));
  writePlace(set, SLOTS.tx, telemetry?.txBytes);
  writePlace(set, SLOTS.rate, telemetry?.lineRate);
  if (telemetry === undefined) return;
  const { perUnitPs, end } = TRACE_FRACTIONS[telemetry.timestampFormat];
  set(SLOTS.namespace, telemetry.namespaceId === 'any' ? records.TELEMETRY_ANY_NAMESPACE : telemetry.namespaceId);
  set(SLOTS.fractionPs, perUnitPs);
  set(SLOTS.fractionEnd, end);
  set(SLOTS.queueBit,
    telemetry.queueField === 'queue-depth' ? IoamTraceType.BIT_QUEUE_DEPTH : IoamTraceType.BIT_BUFFER_OCCUPANCY);
  set(SLOTS.queueUnitBytes, telemetry.queueUnitBytes);
  set(SLOTS.schema, telemetry.opaqueSchemaId);
  set(SLOTS.defaultRateBps, telemetry.defaultLineRateBps);
  set(SLOTS.echoes, Number(telemetry.ackTraces === 'echo'));
  writePorts(views, set, telemetry, tableBytes);
}

function writePlace(set: (slot: number, value: number) => void, first: number,
  place: TraceNumber | string | undefined): void {
  const isNumber = typeof place === 'object';
  set(first + records.PLACE_BIT, isNumber ? TRACE_FIELD_BITS[place.field] : records.TELEMETRY_NO_FIELD);
  if (!isNumber) return;
  set(first + records.PLACE_FROM, place.fromBit);
  set(first + records.PLACE_BITS, place.bits);
  set(first + records.PLACE_UNIT, place.unit);
}

function writePorts(views: MemoryViews, set: (slot: number, value: number) => void, telemetry: TelemetrySettings,
  tableBytes: number): void {
  // A backend without tables reads the configuration directly.
  const tables = regionAddress(views, REGION_TABLES);
  if (tables === 0) return;
  const first = tables + tableBytes;
  set(SLOTS.ports, first);
  set(SLOTS.portCount, telemetry.ports.length);
  telemetry.ports.forEach(({ nodeId, egressInterface = records.PORT_ANY, lineRateBps, queueUnitBytes = 0 }, index) => {
    const at = first + index * records.KNOWN_PORT.bytes;
    views.u32[(at + records.KNOWN_PORT.at.egress) >>> 2] = egressInterface;
    views.u32[(at + records.KNOWN_PORT.at.node) >>> 2] = nodeId;
    views.f64[(at + records.KNOWN_PORT.at.lineRateBps) >>> 3] = lineRateBps;
    views.f64[(at + records.KNOWN_PORT.at.queueUnitBytes) >>> 3] = queueUnitBytes;
  });
}
