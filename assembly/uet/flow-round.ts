/** One class of a host's output queue: a list per flow, in the order of flow ids, and the position where the next search begins. */
import { UET_FLOW_LIST_BYTES, UetFlowList, UetFlowRound, UetPacket } from '../records/uet-network';
import { giveBlock, takeBlock } from './memory';

const FIRST_CAPACITY: u32 = 4;
const LIST_BITS: u32 = ctz(UET_FLOW_LIST_BYTES);

@inline function listAt(round: UetFlowRound, place: u32): UetFlowList {
  return changetype<UetFlowList>(<usize>round.listsAt + (<usize>place << LIST_BITS));
}

export function pushRound(round: UetFlowRound, packet: UetPacket): void {
  const address = <u32>changetype<usize>(packet);
  const list = listOf(round, packet.flowRank);
  packet.next = 0;
  if (list.tail) changetype<UetPacket>(<usize>list.tail).next = address;
  else list.head = address;
  list.tail = address;
  round.packets++;
}

/** Removes the next packet; returns 0 if there is none. */
export function shiftRound(round: UetFlowRound): usize {
  if (!round.packets) return 0;
  let place = round.place;
  while (true) {
    if (place == round.lists) place = 0;
    const list = listAt(round, place);
    place++;
    if (!list.head) continue;
    const packet = changetype<UetPacket>(<usize>list.head);
    list.head = packet.next;
    if (!packet.next) list.tail = 0;
    round.packets--;
    round.place = place;
    return changetype<usize>(packet);
  }
}

/** The flow's list, inserted if new; the next search still begins at the same list. */
function listOf(round: UetFlowRound, rank: u32): UetFlowList {
  let low: u32 = 0;
  let high = round.lists;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (listAt(round, middle).rank < rank) low = middle + 1;
    else high = middle;
  }
  if (low == round.lists || listAt(round, low).rank != rank) insert(round, low, rank);
  return listAt(round, low);
}

function insert(round: UetFlowRound, place: u32, rank: u32): void {
  if (round.lists == round.capacity) grow(round);
  const at = <usize>round.listsAt + (<usize>place << LIST_BITS);
  memory.copy(at + UET_FLOW_LIST_BYTES, at, <usize>(round.lists - place) << LIST_BITS);
  const list = listAt(round, place);
  list.rank = rank;
  list.head = 0;
  list.tail = 0;
  round.lists++;
  if (place <= round.place) round.place++;
}

function grow(round: UetFlowRound): void {
  const capacity = round.capacity ? round.capacity << 1 : FIRST_CAPACITY;
  const bits = ctz(capacity) + LIST_BITS;
  const at = takeBlock(bits);
  memory.copy(at, round.listsAt, <usize>round.lists << LIST_BITS);
  if (round.capacity) giveBlock(round.listsAt, bits - 1);
  round.listsAt = <u32>at;
  round.capacity = capacity;
}
