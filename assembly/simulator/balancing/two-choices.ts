/**
 * Power of two choices: of two random egress ports the one with fewer waiting bytes.
 *
 *   a, b = two draws from 0..n-1;  egress = queue(b) < queue(a) ? b : a
 *
 * Source   M. Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", IEEE TPDS 12(10), 2001.
 */
import { portAt } from '../network';
import { below } from './network';
import { egressAt } from './spray';
import { Balancer } from '../../records/balancing';

export function lighterOfTwo(own: Balancer, nextHops: usize, count: u32): u32 {
  const first = egressAt(nextHops, below(own, count));
  const second = egressAt(nextHops, below(own, count));
  return portAt(second).queueBytes < portAt(first).queueBytes ? second : first;
}
