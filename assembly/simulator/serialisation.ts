/**
 * Serialisation time of a packet at a port.
 *
 *   exact   ceil(8e12 (length + overhead) / rate) picoseconds
 *   ns3     whole nanoseconds as the reference simulator rounds them (algorithms/rate-numbers.ts)
 *
 * Tables by length cover the first rates of a network, so that a transmission costs one load.
 */
import { txTimeNs } from '../algorithms/rate-numbers';
import { ns3Time, portAt, portCount, TX_LENGTHS, TX_TABLES, txTables, wireOverheadBytes } from './network';
import { SimPort } from '../records/network';

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;
const PS_PER_NS: i64 = 1000;

/** Picoseconds for a packet of this length at a rate. */
export function timeAtRate(lenBytes: u32, rateBps: f64): i64 {
  if (ns3Time) return <i64>txTimeNs(lenBytes, rateBps) * PS_PER_NS;
  return <i64>ceil<f64>((<f64>lenBytes * PS_BITS_PER_BYTE_SECOND) / rateBps);
}

/** Picoseconds for a packet of this length, plus preamble and gap, at a port. */
@inline export function serialisation(port: SimPort, lenBytes: u32): i64 {
  const table = <usize>port.txTable;
  if (table && lenBytes < TX_LENGTHS) return load<i64>(table + (<usize>lenBytes << 3));
  return timeAtRate(lenBytes + wireOverheadBytes, port.rateBps);
}

/** Fills the tables: one per rate, the first TX_TABLES of them. */
export function fillTables(): void {
  let used: u32 = 0;
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    const found = placeOfRate(port.rateBps, used);
    if (found < TX_TABLES && found == used) fillTable(used++, port.rateBps);
    port.txTable = found < TX_TABLES ? <u32>tableAt(found) : 0;
  }
}

/** Finds or adds the table of a rate. Each table stores its rate at length 0, which no packet has. */
function placeOfRate(rateBps: f64, used: u32): u32 {
  let at: u32 = 0;
  while (at < used && load<f64>(tableAt(at)) != rateBps) at++;
  return at;
}

function fillTable(at: u32, rateBps: f64): void {
  store<f64>(tableAt(at), rateBps);
  for (let length: u32 = 1; length < TX_LENGTHS; length++) {
    store<i64>(tableAt(at) + (<usize>length << 3), timeAtRate(length + wireOverheadBytes, rateBps));
  }
}

@inline function tableAt(at: u32): usize {
  return txTables + (<usize>at * TX_LENGTHS << 3);
}
