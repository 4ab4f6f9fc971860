// The twin of event-loop.cpp in JavaScript: the same events in the same order, and the same hash.
//
//   node examples/native/event-loop.mjs

import { createEngineSync, dcqcnSigcomm15, gbps } from 'roce-cc';

const SENDERS = 16;
const PACKET_BYTES = 1082;
const LINK_BPS = gbps(100);
const END_PS = 2e9;
const DELAY_PS = 1e6;
const MARK_FROM_BYTES = 20e3;

const create = () =>
  createEngineSync({
    parameterSets: { default: dcqcnSigcomm15({ lineRateBps: LINK_BPS }) },
    capacity: { qps: SENDERS },
    hashSeed: 1,
  });
const senders = create();
const receiver = create();
const txPs = Math.ceil((PACKET_BYTES * 8e12) / LINK_BPS);

let order = 0;
let packets = 0;
let freePs = 0;
/** A heap by (time, order). */
const heap = [];

function isBefore(a, b) {
  return a.timePs < b.timePs || (a.timePs === b.timePs && a.order < b.order);
}

function schedule(timePs, kind, sender, marked = false) {
  const event = { timePs, order: order++, kind, sender, marked };
  let at = heap.push(event) - 1;
  for (let parent = (at - 1) >> 1; at > 0 && isBefore(event, heap[parent]); parent = (at - 1) >> 1) {
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = event;
}

function next() {
  const [first] = heap;
  const last = heap.pop();
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
    if (!isBefore(heap[child], last)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return first;
}

/** The shared link is a queue without end that marks above a threshold. */
function enqueue({ timePs, sender }) {
  const startPs = Math.max(freePs, timePs);
  const queueBytes = ((startPs - timePs) * LINK_BPS) / 8e12;
  freePs = startPs + txPs;
  schedule(freePs + DELAY_PS, 'arrive', sender, queueBytes > MARK_FROM_BYTES);
  packets++;
}

const HANDLERS = {
  send(event) {
    const nextPs = senders.sent(event.timePs, event.sender, PACKET_BYTES);
    schedule(Math.max(nextPs, event.timePs + txPs), 'send', event.sender);
    enqueue(event);
  },
  arrive({ timePs, sender, marked }) {
    if (marked && receiver.marked(timePs, sender)) schedule(timePs + DELAY_PS, 'cnp', sender);
  },
  cnp({ timePs, sender }) {
    senders.cnp(timePs, sender);
  },
};

for (let sender = 0; sender < SENDERS; sender++) {
  senders.openQp({ localQpn: sender + 1 });
  receiver.openQp({ localQpn: sender + 1 });
  schedule(sender * 1000, 'send', sender);
}
while (heap.length > 0 && heap[0].timePs < END_PS) {
  const event = next();
  HANDLERS[event.kind](event);
}
const sum = Array.from({ length: SENDERS }, (_, qp) => senders.rateBps(qp)).reduce((a, b) => a + b, 0);
console.log(
  `${packets} packets, rates ${sum.toFixed(0)} bit/s, senders ${senders.stateHash()}, receiver ${receiver.stateHash()}`,
);
