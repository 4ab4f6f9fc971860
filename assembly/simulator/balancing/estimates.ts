/**
 * CONGA's discounting rate estimator: an exponential average over tau of the bytes that a port sends.
 *
 *   X      += bytes of each packet that is assigned to the port
 *   X      := floor(7/8 X) every tau / 8 from time 0 on; ticks are applied when X is read
 *   level  min(7, floor(8 X / (C tau))), 3 bits; at a steady rate R, X is about R tau
 *
 * Source  M. Alizadeh et al., "CONGA: Distributed Congestion-Aware Load Balancing for Datacenters", SIGCOMM 2014, section 3.2; Q = 3 and
 *         tau = 160 us are its parameters (section 3.6); alpha = 1/8, and hence the tick of 20 us, are our choice.
 * Limits  bytes count when a packet is routed, even if it is dropped afterwards.
 */
import { nowPs } from '../event-queue';
import { indexOfPort, nodeAt, nodeCount, portAt } from '../network';
import { portsAt, tauPs } from './network';
import { SimPort } from '../../records/network';
import { ESTIMATE_BYTES, Estimate } from '../../records/balancing';

const TICKS_OF_TAU: f64 = 8;
const KEPT: f64 = 7 / 8;
const LEVELS: f64 = 8;
const LEVEL_MAX: f64 = 7;
const BITS_PS: f64 = 8e12;

@inline function estimateOf(port: SimPort): Estimate {
  return changetype<Estimate>(portsAt + <usize>indexOfPort(port) * ESTIMATE_BYTES);
}

/** Number of a port among its switch's uplinks. */
@inline export function uplinkOf(port: SimPort): u32 {
  return estimateOf(port).uplink;
}

/** Numbers the uplinks; all estimates are 0. */
export function beginEstimates(): void {
  for (let index: u32 = 0; index < nodeCount; index++) {
    const node = nodeAt(index);
    let uplink: u32 = 0;
    for (let number: u32 = 0; number < node.portCount; number++) {
      const port = portAt(node.firstPort + number);
      if (nodeAt(portAt(port.peer).node).isSwitch) estimateOf(port).uplink = uplink++;
    }
  }
}

function discount(own: Estimate): u32 {
  const ticks = <i64>Math.floor(<f64>nowPs * TICKS_OF_TAU / tauPs);
  let bytes = own.bytes;
  for (let done = own.ticks; done < ticks && bytes; done++) bytes = <u32>(KEPT * <f64>bytes);
  own.ticks = ticks;
  return bytes;
}

/** A packet is assigned to the port. */
export function noteSent(port: SimPort, lenBytes: u32): void {
  const own = estimateOf(port);
  own.bytes = discount(own) + lenBytes;
}

export function levelOf(port: SimPort): u32 {
  const own = estimateOf(port);
  const bytes = discount(own);
  own.bytes = bytes;
  return <u32>min<f64>(LEVEL_MAX, Math.floor(LEVELS * <f64>bytes / (port.rateBps * tauPs / BITS_PS)));
}
