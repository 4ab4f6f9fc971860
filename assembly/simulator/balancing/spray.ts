/**
 * Spray: each packet takes a way of its own, without a look at any queue.
 *
 *   random        way = ways[floor(u n)], u of the switch's generator
 *   round-robin   way = ways[turn]; turn = (turn + 1) mod n; a turn per switch and set of equal ways, from 0 on
 *
 * Source   A. Dixit et al., "On the Impact of Packet Spraying in Data Center Networks", INFOCOM 2013 (random); round-robin is the same
 *          with turns.
 * Limits   turns of different switches begin at the same place; real ones do not know each other's either.
 */
import { below, Balancer } from './network';

@inline export function wayAt(ways: usize, at: u32): u32 {
  return load<u32>(ways + (<usize>at << 2));
}

export function anyWay(own: Balancer, ways: usize, count: u32): u32 {
  return wayAt(ways, below(own, count));
}

/** `turns`: address of the place behind the way taken last. */
export function nextWay(turns: usize, ways: usize, count: u32): u32 {
  const turn = turnOf(turns, count);
  store<u32>(turns, turn + 1);
  return wayAt(ways, turn);
}

/** Whose turn it is; behind the last way, and where ways are fewer than before, the first. */
@inline export function turnOf(turns: usize, count: u32): u32 {
  const turn = load<u32>(turns);
  return turn < count ? turn : 0;
}
