/**
 * Links with bit errors: a frame with a wrong check sequence is dropped on arrival, at a switch or a host.
 *
 *   probability   1 - (1 - b)^(8 length) (1 - f)      b per bit, f per frame; length with FCS, without preamble
 *
 * Source     IEEE 802.3, 4.2.4.1.2: frames with an invalid FCS are discarded by the MAC; independent errors of bits.
 * Deviation  pause frames are exempt, as from other link faults: a lost resume would pause a port forever, whereas real devices
 *            repeat these frames.
 */
import { nextRandom } from '../../cp/random';
import { draws } from '../marking';
import { HazardPort } from '../../records/hazards';

const BITS_PER_BYTE: u32 = 8;

/** Whether a frame of this length that left by this port is corrupted. Draws a random number only if it may be. */
export function isReceivedWrong(own: HazardPort, lenBytes: u32): bool {
  if (own.bitErrors == 0 && own.frameErrors == 0) return false;
  const right = power(1 - own.bitErrors, lenBytes * BITS_PER_BYTE) * (1 - own.frameErrors);
  return nextRandom(draws()) < 1 - right;
}

/** base^exponent by squaring, so that the same multiplications give the same bits everywhere. */
function power(base: f64, exponent: u32): f64 {
  let result: f64 = 1;
  let square = base;
  for (let left = exponent; left > 0; left >>>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  return result;
}
