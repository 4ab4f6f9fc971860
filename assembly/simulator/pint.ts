/**
 * HPCC-PINT at a switch: the utilisation of a port, encoded in one number per packet.
 *
 * u      = dt q / (B T^2) + s / (B T) + u (T - dt) / T     dt = min(time since the last departure, T), s = size of that packet,
 *                                                         q = bytes waiting, B bytes per second
 * power  = max(power, encode(u)),   encode(u) = log_base(max(1, ceil(512 u))), rounded at random so that the value is unbiased;
 *          limited to the largest power, except in the reference, whose packets store its lowest bits
 *
 * Source    Ben Basat et al., PINT, SIGCOMM 2020, section 4.3; behaviour of the ns-3 reference simulator.
 * Deviation u is a double here; the reference uses fixed-point logarithms with random rounding, which give other numbers with the
 *           same mean.
 */
import { nextRandom } from '../cp/random';
import { nowPs } from './event-queue';
import { draws } from './marking';
import { reference, rule } from './network';
import { RULE_PINT_BASE, RULE_PINT_MAX, RULE_PINT_RTT_PS } from '../records/sim-run';
import { SimPacket, SimPort } from '../records/network';

const PS_PER_SECOND: f64 = 1e12;
const SCALE: f64 = 512;

/** Updates the number of a data packet that leaves by this port. */
export function updatePint(port: SimPort, packet: SimPacket): void {
  const rttSeconds = rule(RULE_PINT_RTT_PS) / PS_PER_SECOND;
  if (rttSeconds == 0) return;
  const bytesPerSecond = port.rateBps / 8;
  const since = <f64>(nowPs - port.pintLastPs) / PS_PER_SECOND;
  const dt = since < rttSeconds ? since : rttSeconds;
  const queued = (dt * <f64>port.queueBytes) / (bytesPerSecond * rttSeconds * rttSeconds);
  const sent = <f64>port.pintLastBytes / (bytesPerSecond * rttSeconds);
  port.pintU = queued + sent + (port.pintU * (rttSeconds - dt)) / rttSeconds;
  const power = encode(port.pintU);
  if (power > packet.power) packet.power = kept(power);
}

/** Records the departure of a packet of any kind. */
@inline export function rememberDeparture(port: SimPort, lenBytes: u32): void {
  port.pintLastPs = nowPs;
  port.pintLastBytes = lenBytes;
}

/** The power as stored in a packet. */
@inline function kept(power: u32): u32 {
  const largest = <u32>rule(RULE_PINT_MAX);
  return reference ? power & largest : min<u32>(power, largest);
}

function encode(u: f64): u32 {
  const scaled = ceil<f64>(u * SCALE);
  const n = scaled > 1 ? scaled : 1;
  const base = rule(RULE_PINT_BASE);
  let low: u32 = 0;
  let below: f64 = 1;
  while (below * base <= n) {
    below *= base;
    low++;
  }
  const above = below * base;
  const up = nextRandom(draws()) * (above - below) < n - below;
  return up ? low + 1 : low;
}
