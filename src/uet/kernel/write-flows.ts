/** Writes flows, triggers and messages into their tables. */
import { writeFields } from '../../abi/records/fields.js';
import { UET_FEED, UET_FLOW, UET_MESSAGE, UET_NONE, UET_TRIGGER, UET_TRIGGER_BARRIER, UET_TRIGGER_MULTISHOT,
  UET_TRIGGER_ONESHOT } from '../../abi/records/uet-flows.js';
import { wireBytes } from '../backlog.js';
import { flowWord } from '../flow-hash.js';
import { feedsOf, inOrderOfDue, messagesOf } from '../message-plan.js';
import { firstWindow } from '../parameters.js';
import type { UetTraffic } from '../traffic.js';
import type { UetPlan } from './run-plan.js';
import type { UetTables } from './tables.js';

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
