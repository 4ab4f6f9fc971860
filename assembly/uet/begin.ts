/**
 * Memory and first events of a run. Switches, hosts and flows are set up in the reference's order, because it determines the
 * order of random draws and of events of the same instant (docs/specs/uet-reference.md, 1).
 */
import { UET_FEED_BYTES, UET_FLOW_BYTES, UET_FLOW_PROBE, UET_FLOW_TIMEOUT, UET_MESSAGE_BYTES, UET_NONE,
  UET_TRIGGER_BYTES, UetFeed, UetFlow } from '../records/uet-flows';
import { UET_HOST_ARRIVED, UET_HOST_BYTES, UET_HOST_INTERVAL, UET_HOST_NIC_SENT, UET_HOST_PULL, UET_LINK_ARRIVED,
  UET_LINK_BYTES, UET_SWITCH_BYTES, UetHost, UetLink, UetSwitch } from '../records/uet-network';
import { UET_EVENT_HOST_LINK, UET_EVENT_HOST_SERVED, UET_EVENT_INTERVAL, UET_EVENT_LINK, UET_EVENT_MESSAGES,
  UET_EVENT_MESSAGES_STARTED, UET_EVENT_NIC, UET_EVENT_PROBE, UET_EVENT_PULL, UET_EVENT_SERVED, UET_EVENT_START,
  UET_EVENT_SWITCH, UET_EVENT_TIMEOUT, UetEvent } from '../records/uet-run';
import { FIRST_PULL } from './credit';
import { allocateEvents, schedule } from './events';
import { allocate } from './memory';
import { flowAt } from './messages';
import { readNextHops } from './next-hops';
import { beginIntervals } from './oversubscribed';
import { beginPaths, readSelector } from './paths';
import { draw, fraction, seedRandom } from './random';
import { RING_BYTES } from './receiver';
import { isMessages, isOversubscribed, readSettings } from './settings';
import { run } from './stop';
import { allocateTriggered } from './triggers';

const LINK_EVENTS: u32 = 2;
const SWITCH_EVENTS: u32 = 1;
const HOST_EVENTS: u32 = 5;
const FLOW_EVENTS: u32 = 3;

/** Lays out the tables according to the counts in the record of the run, and writes their addresses there. */
export function allocateTables(): void {
  run.switchesAt = <u32>allocate(<usize>run.switchCount * UET_SWITCH_BYTES);
  run.linksAt = <u32>allocate(<usize>run.linkCount * UET_LINK_BYTES);
  run.hostsAt = <u32>allocate(<usize>run.hostCount * UET_HOST_BYTES);
  run.flowsAt = <u32>allocate(<usize>run.flowCount * UET_FLOW_BYTES);
  run.triggersAt = <u32>allocate(<usize>run.triggerCount * UET_TRIGGER_BYTES);
  run.messagesAt = <u32>allocate(<usize>run.messageCount * UET_MESSAGE_BYTES);
  run.feedsAt = <u32>allocate(<usize>run.feedCount * UET_FEED_BYTES);
  run.hopsAt = <u32>allocate(<usize>run.hopCount << 2);
  run.targetsAt = <u32>allocate(<usize>run.targetCount << 2);
  allocateTriggered();
  const events = LINK_EVENTS * run.linkCount + SWITCH_EVENTS * run.switchCount + HOST_EVENTS * run.hostCount +
    FLOW_EVENTS * run.flowCount + run.feedCount;
  allocateEvents(events, run.endPs, run.wheelBits, run.bucketBits);
}

/** Sets the run to time 0; the host has written all tables. */
export function begin(): void {
  readSettings();
  readNextHops();
  readSelector();
  seedRandom(run.seed);
  for (let index: u32 = 0; index < run.switchCount; index++) {
    beginSwitch(changetype<UetSwitch>(<usize>run.switchesAt + <usize>index * UET_SWITCH_BYTES));
  }
  for (let index: u32 = 0; index < run.linkCount; index++) {
    beginLink(changetype<UetLink>(<usize>run.linksAt + <usize>index * UET_LINK_BYTES));
  }
  for (let index: u32 = 0; index < run.hostCount; index++) {
    beginHost(changetype<UetHost>(<usize>run.hostsAt + <usize>index * UET_HOST_BYTES));
  }
  let feed: u32 = 0;
  for (let index: u32 = 0; index < run.flowCount; index++) {
    beginFlow(flowAt(index));
    if (isMessages) feed = beginFeeds(index, feed);
  }
}

@inline function setKind(event: usize, kind: u32): void {
  changetype<UetEvent>(event).kind = kind;
}

function beginSwitch(at: UetSwitch): void {
  setKind(changetype<usize>(at), UET_EVENT_SWITCH);
  at.salt = draw();
}

function beginLink(link: UetLink): void {
  setKind(changetype<usize>(link), UET_EVENT_SERVED);
  setKind(changetype<usize>(link) + UET_LINK_ARRIVED, UET_EVENT_LINK);
  // As in the reference: the first switch to the low class comes one packet earlier.
  link.highPackets = 1;
}

function beginHost(host: UetHost): void {
  const at = changetype<usize>(host);
  setKind(at, UET_EVENT_HOST_SERVED);
  setKind(at + UET_HOST_ARRIVED, UET_EVENT_HOST_LINK);
  setKind(at + UET_HOST_NIC_SENT, UET_EVENT_NIC);
  setKind(at + UET_HOST_PULL, UET_EVENT_PULL);
  setKind(at + UET_HOST_INTERVAL, UET_EVENT_INTERVAL);
  host.quantumPs = run.quantumPs;
  if (isOversubscribed) beginIntervals(host);
  // The reference draws the NIC's first port at random, although there is only one.
  fraction();
}

function beginFlow(flow: UetFlow): void {
  const at = changetype<usize>(flow);
  setKind(at, UET_EVENT_START);
  setKind(at + UET_FLOW_TIMEOUT, UET_EVENT_TIMEOUT);
  setKind(at + UET_FLOW_PROBE, UET_EVENT_PROBE);
  flow.startPs = -1;
  flow.finishPs = -1;
  flow.timedPs = -1;
  flow.isSpeculating = 1;
  flow.lastPull = FIRST_PULL;
  flow.pullNumber = FIRST_PULL;
  flow.askedPull = FIRST_PULL;
  flow.oldestSeq = <u32>UET_NONE;
  flow.newestSeq = <u32>UET_NONE;
  flow.isReceivedAt = <u32>allocate(RING_BYTES);
  beginPaths(flow);
  if (flow.duePs >= 0) schedule(at, flow.duePs);
}

/** Schedules the events of a flow's messages, which are contiguous. Returns the index of the next flow's first event. */
function beginFeeds(flow: u32, first: u32): u32 {
  let index = first;
  while (index < run.feedCount) {
    const at = <usize>run.feedsAt + <usize>index * UET_FEED_BYTES;
    const feed = changetype<UetFeed>(at);
    if (feed.flow != flow) return index;
    setKind(at, feed.isCheck ? UET_EVENT_MESSAGES_STARTED : UET_EVENT_MESSAGES);
    schedule(at, feed.duePs);
    index++;
  }
  return index;
}
