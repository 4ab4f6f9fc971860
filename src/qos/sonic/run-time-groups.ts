/**
 * Priority groups that buffermgrd makes when the switch runs (sonic-net/sonic-swss, cfgmgr/buffermgr.cpp): one for each priority of
 * `pfc_enable`, from PORT speed and CABLE_LENGTH, with a profile `pg_lossless_SPEED_CABLE_profile`. Under the dynamic buffer
 * model (DEVICE_METADATA `buffer_model` `dynamic`) its thresholds are computed too.
 */
import { rejectField, textOf, wholeOf, type SonicEntry, type SonicTables } from './tables.js';

/** Longest cable: that of an interconnect. */
const METRES_MAX = 2_000_000;
const DEFAULT_MTU_BYTES = 9100;
const MTU_MAX_BYTES = 65_535;

/** What buffermgrd reads of a port. */
export interface PortCable {
  /** Length of the cable, metres; null: not in the file. */
  readonly metres: number | null;
  /** The longest frame, bytes. */
  readonly mtuBytes: number;
  /** The profile that buffermgrd makes; null: it makes none. */
  readonly runTimeProfile: string | null;
}

/** Reads CABLE_LENGTH, and speed and MTU of a port. */
export function readPortCable(tables: SonicTables, port: string): PortCable {
  const ofPort = tables.entry('PORT', port);
  const speed = ofPort && textOrNumber(ofPort, 'speed');
  const cable = cableOf(tables, port);
  const isDynamic = isDynamicModel(tables);
  const isMade = speed !== undefined && cable !== null && cable.metres > 0;
  return {
    metres: cable?.metres ?? null,
    mtuBytes: (ofPort && wholeOf(ofPort, 'mtu', 1, MTU_MAX_BYTES)) ?? DEFAULT_MTU_BYTES,
    runTimeProfile: isMade ?
      `pg_lossless_${speed}_${cable.text}_profile` :
      isDynamic ?
      'the dynamic buffer model' :
      null,
  };
}

function isDynamicModel(tables: SonicTables): boolean {
  const metadata = tables.entry('DEVICE_METADATA', 'localhost');
  return metadata !== undefined && textOf(metadata, 'buffer_model') === 'dynamic';
}

/** `300m`; the table has one entry, mostly called AZURE, with a field per port. */
function cableOf(tables: SonicTables, port: string): { metres: number; text: string } | null {
  const entry = tables.entries('CABLE_LENGTH').map(([, found]) => found).find(({ fields }) =>
    Object.hasOwn(fields, port)
  );
  const text = entry && textOf(entry, port);
  if (entry === undefined || text === undefined) return null;
  const match = /^(\d{1,7})m$/.exec(text.trim());
  const metres = Number(match?.[1] ?? NaN);
  if (metres <= METRES_MAX) return { metres, text: text.trim() };
  return rejectCable(entry, port);
}

function rejectCable(entry: SonicEntry, port: string): never {
  return rejectField(entry, port, 'metres from 0m to 2000000m, such as 300m');
}

function textOrNumber(entry: SonicEntry, field: string): string | undefined {
  const value = wholeOf(entry, field, 1, Number.MAX_SAFE_INTEGER);
  return value === undefined ? undefined : String(value);
}
