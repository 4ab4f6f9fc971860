/**
 * Maximum time that one end of an Ethernet link may take from the medium through PMD, PMA, PCS and MAC Control and
 * back, by speed.
 *
 * Source: IEEE 802.3, 31B.3.7, the limit on the reaction to a pause as measured at the medium, in quanta of 512 bit times. It is
 * the sum of the delays that the clauses of each speed allow MAC, PCS, PMA and PMD in both directions: at 400 Gb/s
 * 192 + 625 + 72 + 16 = 905, at 200 Gb/s 96 + 313 + 36 + 8 = 453 (116.4). The quanta are those of sonic-swss,
 * cfgmgr/buffer_headroom_mellanox.lua, which cites 31B.3.7 and takes 800 Gb/s as 400 Gb/s.
 */
import { checkField, wholeIn } from '../config/field-rules.js';
import { PS_PER_SECOND } from '../unit-sizes.js';

/** Speed in bits per second, and its limit in quanta; ascending. */
const PAUSE_QUANTA: readonly (readonly [rateBps: number, quanta: number])[] = [
  [1e8, 1],
  [1e9, 2],
  [10e9, 67],
  [25e9, 80],
  [40e9, 118],
  [50e9, 147],
  [100e9, 394],
  [200e9, 453],
  [400e9, 905],
  [800e9, 905],
];

const QUANTUM_BITS = 512;

/** The limit of one end of a link. */
export interface InterfaceDelay {
  /** Delay of both directions together, picoseconds. */
  readonly delayPs: number;
  /** The listed speed that the limit is for, bits per second: the nearest one at or below the rate. */
  readonly listedRateBps: number;
}

/**
 * The limit for a port: 2.017 us at 100 Gb/s, 1.158 us at 400 Gb/s. An unlisted speed has the limit of the nearest one
 * below it, or else of the slowest one.
 *
 * @param rateBps bits per second, a whole number.
 * @throws RoceError `invalid-config` for a rate out of range.
 */
export function interfaceDelay(rateBps: number): InterfaceDelay {
  checkField(rateBps, wholeIn(1, 1e13, 'bits per second'), 'interfaceDelay.rateBps');
  const [listedRateBps, quanta] = PAUSE_QUANTA.findLast(([listed]) => listed <= rateBps) ?? PAUSE_QUANTA[0];
  return { delayPs: Math.ceil((quanta * QUANTUM_BITS * PS_PER_SECOND) / listedRateBps), listedRateBps };
}
