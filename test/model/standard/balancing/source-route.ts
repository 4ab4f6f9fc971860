/**
 * A switch with static tables: the UDP source port is the number of the path that the sender chose, or contains a range
 * of bits for the switch. If the link to the next hop is down, the packet is dropped.
 */
import type { BitField } from '../../../../src/sim/features/balancing/plan.js';
import { DataBalancer } from '../../data-balancer.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Forwarder } from '../../parts.js';

/** The digit of a UDP source port that selects the next hop. */
export type DigitOf = (sourcePort: number) => number;

/** A range of bits as a digit. */
export function digitOfBits({ offset, width }: BitField): DigitOf {
  return (sourcePort) => Math.floor(sourcePort / 2 ** offset) % 2 ** width;
}

export class SourceRoute extends DataBalancer {
  readonly #digitOf: DigitOf;

  constructor(forwarder: Forwarder, digitOf: DigitOf) {
    super(forwarder);
    this.#digitOf = digitOf;
  }

  protected override choose(packet: Packet): Port | undefined {
    const planned = this.forwarder.nextHops(packet);
    if (planned.length === 0) return undefined;
    const own = planned[this.#digitOf(packet.tuple.sourcePort) % planned.length]!;
    return own.up ? own : undefined;
  }
}
