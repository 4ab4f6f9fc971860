/**
 * Writes a run into the memory of the kernel: settings and counts into its record, flows, triggers, messages and the
 * network into their tables.
 */
import { writeFields } from '../../abi/records/define-record.js';
import { UET_FEED, UET_FLOW, UET_MESSAGE, UET_NONE, UET_TRIGGER, UET_TRIGGER_BARRIER, UET_TRIGGER_MULTISHOT,
  UET_TRIGGER_ONESHOT } from '../../abi/records/uet-flows.js';
import { UET_HOST, UET_LINK, UET_SWITCH, UET_TIER_AGGREGATION, UET_TIER_CORE,
  UET_TIER_LEAF } from '../../abi/records/uet-network.js';
import { UET_CONTROL_CONSTANT, UET_CONTROL_DCTCP, UET_CONTROL_NONE, UET_CONTROL_NSCC, UET_HOPS_ADAPTIVE,
  UET_HOPS_HASHED, UET_HOPS_HOST_ADAPTIVE, UET_HOPS_LEAF_ROUND_ROBIN, UET_HOPS_ROUND_ROBIN, UET_HOPS_STICKY,
  UET_PATHS_BITMAP, UET_PATHS_MIXED, UET_PATHS_OBLIVIOUS, UET_PATHS_REPS, UET_PATHS_REPS_LEGACY,
  UET_RUN } from '../../abi/records/uet-run.js';
import { wireBytes } from '../flow.js';
import { feedsOf, inOrderOfDue, messagesOf, type UetTraffic } from '../traffic.js';
import type { LinkPlan, NetworkPlan, SwitchPlan } from '../network-plan.js';
import { flowWord } from '../next-hop-choice.js';
import type { UetOptions } from '../arguments.js';
import { oversubscribedSettings, quantumPs } from '../receiver-control.js';
import { firstWindow, nsccGains } from '../parameters.js';
import { psPerByte } from '../queues.js';
import type { UetPlan, UetTables } from './run-plan.js';

const SELECTORS = {
  oblivious: UET_PATHS_OBLIVIOUS,
  bitmap: UET_PATHS_BITMAP,
  mixed: UET_PATHS_MIXED,
  reps: UET_PATHS_REPS,
  reps_legacy: UET_PATHS_REPS_LEGACY,
};

const CONTROLS = { nscc: UET_CONTROL_NSCC, dctcp: UET_CONTROL_DCTCP, constant: UET_CONTROL_CONSTANT };

/** @param at address of the record. */
export function writeRun(view: DataView, at: number, plan: UetPlan): void {
  const { options, parameters, ranks } = plan;
  const { adaptive, sender, paths, pathSelector, isReceiverControlled, isBaseRttFromNacks, isSleek } = options;
  const { endPs, seed, isTrimming, isMessages, trimBytes, ackBytes, linkSpeedBps, quickGate } = options;
  const { mtuBytes, rttPs, timeoutPs, targetPs } = parameters;
  const counts = countsOf(plan);
  writeFields(view, at, UET_RUN, {
    endPs,
    seed,
    ...counts,
    rankCount: ranks.size,
    ...timeWheel(plan, counts.linkCount),
    nextHops: nextHopsOf(options),
    isByQueue: adaptive.method === 'queue',
    selector: SELECTORS[pathSelector],
    paths,
    control: sender === undefined ? UET_CONTROL_NONE : CONTROLS[sender],
    isReceiverControlled,
    isBaseRttFromNacks,
    isSleek,
    isTrimming,
    isMessages,
    trimBytes,
    mtuBytes,
    stickyPs: adaptive.stickyPs,
    ackBytes,
    linkSpeedBps,
    rttPs,
    timeoutPs,
    targetPs,
    maxWindowBytes: lastWindow(plan),
    ...nsccGains(parameters),
    quickDivisor: 2 ** quickGate,
    quantumPs: quantumPs(linkSpeedBps),
    ...oversubscribedOf(plan),
  });
}

function countsOf({ network: { switches, leaves }, traffic: { flows, triggers }, options: { isMessages } }: UetPlan) {
  const links = switches.flatMap(({ down, up }) => [...down, up]).reduce((total, list) => total + list.length, 0);
  const connections = flows.flatMap((flow) => flow.connections);
  return {
    switchCount: switches.length,
    linkCount: links,
    hopCount: links,
    hostCount: leaves.length,
    flowCount: flows.length,
    triggerCount: triggers.size,
    targetCount: connections.filter(({ line: { trigger } }) => trigger >= 0).length,
    messageCount: isMessages ? connections.length : 0,
    feedCount: isMessages ? flows.reduce((total, flow) => total + feedsOf(flow.connections).length, 0) : 0,
  };
}

function nextHopsOf({ strategy, adaptive }: UetOptions): number {
  switch (strategy) {
    case 'ecmp_rr':
      return UET_HOPS_ROUND_ROBIN;
    case 'rr_ecmp':
      return UET_HOPS_LEAF_ROUND_ROBIN;
    case 'ecmp_ar':
      return adaptive.granularity === 'flow' ? UET_HOPS_STICKY : UET_HOPS_ADAPTIVE;
    case 'ecmp_host_ar':
      return UET_HOPS_HOST_ADAPTIVE;
    default:
      return UET_HOPS_HASHED;
  }
}

/** Maximum window of all flows: that of the flow set up last. */
function lastWindow({ options, tree, parameters, traffic: { flows } }: UetPlan): number {
  const last = flows.at(-1);
  return last === undefined ? 0 : firstWindow(options, tree, parameters, last.flow).maxWindowBytes;
}

function oversubscribedOf({ options: { oversubscribed }, tree, parameters }: UetPlan) {
  const settings = oversubscribedSettings(oversubscribed, tree, parameters);
  if (settings === undefined) return { isOversubscribed: false };
  const { increase, decrease, weight, rateMin } = settings;
  return { isOversubscribed: true, increase, decrease, weight, rateMin };
}

const TYPES = { oneshot: UET_TRIGGER_ONESHOT, multishot: UET_TRIGGER_MULTISHOT, barrier: UET_TRIGGER_BARRIER };
const NOT_DUE = -1;

type PlannedFlow = UetTraffic['flows'][number];

export function writeFlows(view: DataView, tables: UetTables, plan: UetPlan): void {
  const messages = new MessageWriter(view, tables, plan);
  plan.traffic.flows.forEach((planned) => {
    writeFlow(view, tables, plan, planned);
    if (plan.options.isMessages) messages.write(planned);
  });
  writeTriggers(view, tables, plan);
}

function writeFlow(view: DataView, tables: UetTables, plan: UetPlan, { flow, connections }: PlannedFlow): void {
  const { options, tree, parameters, ranks, triggers } = plan;
  const { index, source, destination, sizeBytes, senderId, receiverId } = flow;
  const [{ line, startPs }] = connections;
  const isStarted = options.isMessages || line.trigger >= 0;
  writeFields(view, tables.flow(index), UET_FLOW, {
    sizeBytes,
    duePs: isStarted ? NOT_DUE : startPs,
    sourceAt: tables.host(source),
    destinationAt: tables.host(destination),
    source,
    destination,
    senderWord: flowWord(senderId),
    senderRank: ranks.get(senderId) ?? 0,
    receiverWord: flowWord(receiverId),
    receiverRank: ranks.get(receiverId) ?? 0,
    doneTrigger: triggers.get(line.sendDone) ?? UET_NONE,
    backlogBytes: options.isMessages ? 0 : wireBytes(sizeBytes, parameters.payloadBytes),
    ...firstWindow(options, tree, parameters, flow),
  });
}

function writeTriggers(view: DataView, tables: UetTables, { traffic: { flows, triggers } }: UetPlan): void {
  let target = 0;
  [...triggers].forEach(([id, { type, count }], index) => {
    const started = flows.filter(({ connections: [{ line }] }) => line.trigger === id);
    writeFields(view, tables.trigger(index), UET_TRIGGER, {
      id,
      count,
      type: TYPES[type],
      firstTarget: target,
      targets: started.length,
    });
    for (const { flow } of started) {
      view.setUint32(tables.target(target), flow.index, true);
      target += 1;
    }
  });
}

/** Writes messages in the order in which they become due, and the events that make them due. */
class MessageWriter {
  readonly #view: DataView;
  readonly #tables: UetTables;
  readonly #plan: UetPlan;
  #message = 0;
  #feed = 0;

  constructor(view: DataView, tables: UetTables, plan: UetPlan) {
    this.#view = view;
    this.#tables = tables;
    this.#plan = plan;
  }

  write({ flow, connections }: PlannedFlow): void {
    const { mtuBytes, payloadBytes } = this.#plan.parameters;
    const messages = inOrderOfDue(messagesOf(connections, mtuBytes));
    const at = this.#tables.flow(flow.index);
    writeFields(this.#view, at, UET_FLOW, { firstMessage: this.#message, messages: messages.length });
    for (const { sizeBytes, duePs, startPs, finishPs, unsentBytes, unacknowledgedPackets } of messages) {
      writeFields(this.#view, this.#tables.message(this.#message), UET_MESSAGE, {
        duePs,
        wireBytes: wireBytes(sizeBytes, payloadBytes),
        startPs,
        finishPs,
        unsentBytes,
        unacknowledgedPackets,
        firstSeq: UET_NONE,
        lastSeq: UET_NONE,
      });
      this.#message += 1;
    }
    for (const { startPs, isCheck } of feedsOf(connections)) {
      const feed = { duePs: startPs, flow: flow.index, isCheck };
      writeFields(this.#view, this.#tables.feed(this.#feed), UET_FEED, feed);
      this.#feed += 1;
    }
  }
}

const TIERS = { tor: UET_TIER_LEAF, aggregation: UET_TIER_AGGREGATION, core: UET_TIER_CORE };

export function writeNetwork(view: DataView, tables: UetTables, network: NetworkPlan): void {
  const writer = new LinkWriter(view, tables);
  network.switches.forEach((at, index) => {
    writeSwitch(view, tables.switch(index), at, writer);
  });
  network.leaves.forEach((leaf, host) => {
    writeFields(view, tables.host(host), UET_HOST, {
      psPerByte: psPerByte(network.hostRateBps),
      delayPs: network.hostLatencyPs,
      leaf: tables.switch(leaf),
    });
  });
}

function writeSwitch(view: DataView, at: number, plan: SwitchPlan, writer: LinkWriter): void {
  const { tier, latencyPs, firstHost, hostsBelow, hostsPerList, down, up } = plan;
  const downAt = writer.nextHop;
  for (const list of down) writer.write(list);
  const upAt = writer.nextHop;
  writer.write(up);
  writeFields(view, at, UET_SWITCH, {
    delayPs: latencyPs,
    tier: TIERS[tier],
    firstHost,
    hostsBelow,
    hostsPerList,
    downWidth: down[0].length,
    downAt,
    upWidth: up.length,
    upAt,
  });
}

/** Writes links, and the lists of their indices, consecutively. */
class LinkWriter {
  readonly #view: DataView;
  readonly #tables: UetTables;
  #index = 0;

  constructor(view: DataView, tables: UetTables) {
    this.#view = view;
    this.#tables = tables;
  }

  /** Address of the next entry of a list. */
  get nextHop(): number {
    return this.#tables.hop(this.#index);
  }

  write(links: readonly LinkPlan[]): void {
    for (const { queue, latencyPs, next } of links) {
      const at = this.#tables.link(this.#index);
      const { rateBps, limitBytes, markLowBytes, markHighBytes } = queue;
      writeFields(this.#view, at, UET_LINK, {
        psPerByte: psPerByte(rateBps),
        limitBytes,
        markLowBytes,
        markHighBytes,
        delayPs: latencyPs,
        next: next < 0 ? 0 : this.#tables.switch(next),
      });
      this.#view.setUint32(this.nextHop, at, true);
      this.#index += 1;
    }
  }
}

const BITS_MIN = 12;
const BITS_MAX = 16;
const BUCKETS_PER_LINK = 8;
/** Longer buckets would hold too many events in a large network. Events beyond the wheel wait in the heap. */
const BUCKET_BITS_MAX = 9;

/**
 * Size of the kernel's time wheel: buckets short enough that few events share one, and enough of them for the usual delays
 * of a packet. The size never changes results.
 *
 * @returns log2 of the number of buckets, and of the picoseconds per bucket.
 */
function timeWheel({ tree, parameters }: UetPlan, links: number): { wheelBits: number; bucketBits: number } {
  const wheelBits = Math.min(Math.max(Math.ceil(Math.log2(BUCKETS_PER_LINK * links)), BITS_MIN), BITS_MAX);
  const delaysPs = tree.tiers.flatMap(({ rateBps, latencyPs, switchLatencyPs }) => [
    parameters.mtuBytes * psPerByte(rateBps),
    latencyPs,
    switchLatencyPs,
  ]);
  const bucketBits = Math.floor(Math.log2(Math.max(1, ...delaysPs))) + 1 - wheelBits;
  return { wheelBits, bucketBits: Math.min(Math.max(bucketBits, 0), BUCKET_BITS_MAX) };
}
