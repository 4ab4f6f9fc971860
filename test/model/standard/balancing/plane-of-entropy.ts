/** With several planes the UDP source port selects the plane; open planes share the packets of closed ones. */
import type { EntropyStatesPlan } from '../../../../src/sim/features/balancing/plan.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { EgressChooser, NextHops } from './egress-chooser.js';
import { digitOfBits, type DigitOf } from './source-route.js';

/** The part of a UDP source port that selects the plane. */
export function planeDigit(states: EntropyStatesPlan | undefined): DigitOf {
  return states?.planeBits === undefined ? (sourcePort) => sourcePort : digitOfBits(states.planeBits);
}

export class PlaneOfEntropy implements EgressChooser {
  readonly #digitOf: DigitOf;

  constructor(digitOf: DigitOf) {
    this.#digitOf = digitOf;
  }

  choose({ tuple: { sourcePort } }: Packet, { all, open }: NextHops): Port {
    const own = all[this.#digitOf(sourcePort) % all.length]!;
    return open.includes(own) ? own : open[Math.floor(sourcePort / all.length) % open.length]!;
  }
}
