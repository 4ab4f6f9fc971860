/**
 * Adaptive routing by queue class: each packet takes a random egress port of those whose queues are in the lowest class.
 *
 *   class   number of thresholds that the queue has reached: waiting bytes of all classes, without the packet in transmission, are
 *           compared with threshold x rate / 100 Gb/s
 *   age     the class is recomputed when a packet examines the port and the class is older than the limit; it is 0 at time 0
 *   egress  best[floor(u n)], u of the switch's generator; no number is drawn if only one port is in the lowest class
 *
 * Source   Adaptive routing of uet-htsim, the simulator of the Ultra Ethernet Consortium: levels 0 to 3, 100 ns. Vendors' dynamic load
 *          balancing likewise assigns ports to a few quality bands (Juniper, "Customize Egress Port Link Quality Metrics for DLB").
 * Limits   vendors' bands also count recently sent bytes, and are averaged; here only the queue decides.
 */
import { nowPs } from '../event-queue';
import { portAt } from '../network';
import { balancing, below, classesAt, refreshPs, thresholdCount } from './network';
import { egressAt } from './spray';
import { BALANCING_THRESHOLDS, Balancer, QUEUE_CLASS_BYTES, QueueClass } from '../../records/balancing';

const REFERENCE_RATE_BPS: f64 = 100e9;

export function adaptiveEgress(own: Balancer, nextHops: usize, count: u32): u32 {
  let lowest = u32.MAX_VALUE;
  let ties: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const queueClass = classOfPort(egressAt(nextHops, at));
    ties = queueClass < lowest ? 1 : ties + <u32>(queueClass == lowest);
    lowest = min<u32>(lowest, queueClass);
  }
  let left = ties == 1 ? 0 : below(own, ties);
  let at: u32 = 0;
  while (storedClass(egressAt(nextHops, at)) != lowest || left-- > 0) at++;
  return egressAt(nextHops, at);
}

@inline function entryOf(port: u32): QueueClass {
  return changetype<QueueClass>(classesAt + <usize>port * QUEUE_CLASS_BYTES);
}

@inline function storedClass(port: u32): u32 {
  return entryOf(port).cls;
}

function classOfPort(index: u32): u32 {
  const entry = entryOf(index);
  if (nowPs - entry.atPs <= refreshPs) return entry.cls;
  const port = portAt(index);
  const scale = port.rateBps / REFERENCE_RATE_BPS;
  let queueClass: u32 = 0;
  while (queueClass < thresholdCount && <f64>port.queueBytes >= thresholdAt(queueClass) * scale) queueClass++;
  entry.atPs = nowPs;
  entry.cls = queueClass;
  return queueClass;
}

@inline function thresholdAt(index: u32): f64 {
  return load<f64>(balancing + (<usize>index << 3), BALANCING_THRESHOLDS);
}
