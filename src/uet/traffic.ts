/**
 * The connection matrix of a run: flows in the order of lines, with ids, starts, triggers, and the messages of reused
 * connections (`-conn_reuse`), where lines of one id share a sender and a receiver.
 *
 * Start times are in microseconds, read as 32-bit floats and rounded down. Flow i has the id 1000000001 + 2 i for its
 * sender and one more for its receiver; `id N` replaces both by N.
 */
import { PS_PER_US } from '../units.js';
import { MatrixLines, type MatrixConnection, type MatrixTrigger } from '../workloads/htsim/matrix-lines.js';
import { SimEvent, type EventList } from './event-list.js';
import { wireBytes, type Backlog, type UetFlow } from './flow.js';
import { HEADER_BYTES } from './packet.js';
import { rejectUet, rejectSecondFiring, rejectBusyStart, rejectMessageGap } from './rejections.js';
import type { Sender } from './sender.js';

const FIRST_ID = 1_000_000_001;

/** A line of the matrix: start time, the trigger that starts it, the trigger that its end fires. */
export interface UetConnection {
  readonly line: MatrixConnection;
  readonly startPs: number;
}

/** Flows with their lines: one line each, or one per message. */
export interface UetTraffic {
  readonly nodes: number;
  readonly flows: readonly { readonly flow: UetFlow; readonly connections: readonly UetConnection[] }[];
  readonly triggers: ReadonlyMap<number, MatrixTrigger>;
}

/** @throws RoceError `invalid-workload` for a bad text; `invalid-scenario` for connections that the reference does not support. */
export function readTraffic(text: string, file: string, isMessages: boolean): UetTraffic {
  const lines = new MatrixLines(file, 'rejected');
  for (const line of text.split('\n')) lines.read(line);
  lines.finish();
  const { connections, triggers, nodes } = lines;
  if (lines.failures.length > 0) {
    rejectUet({
      what: 'failure',
      problem: 'is not supported: the reference simulator aborts if a link is down',
      where: file,
    });
  }
  connections.forEach((line) => checkConnection(line, triggers, { where: lines.where(line.line), isMessages }));
  return { nodes, flows: flowsOf(connections, isMessages), triggers };
}

function checkConnection({ trigger, sendDone, receiveDone, isMessage, id }: MatrixConnection,
  triggers: ReadonlyMap<number, MatrixTrigger>,
  { where, isMessages }: { readonly where: string; readonly isMessages: boolean }): void {
  for (const named of [trigger, sendDone, receiveDone]) {
    if (named >= 0 && !triggers.has(named)) {
      rejectUet({ what: 'the trigger', got: named, allowed: [...triggers.keys()], where });
    }
  }
  if (isMessages && (!isMessage || id < 0)) {
    rejectUet({ what: 'the connection', problem: 'needs id and msg because of -conn_reuse', where });
  }
  if (isMessages && (trigger >= 0 || sendDone >= 0)) {
    rejectUet({ what: 'the connection', problem: 'has a trigger, which messages cannot have', where });
  }
  if (!isMessages && isMessage) rejectUet({ what: 'msg', problem: 'needs -conn_reuse', where });
}

function flowsOf(connections: readonly MatrixConnection[], isMessages: boolean): UetTraffic['flows'] {
  const byId = new Map<number, UetConnection[]>();
  const groups: UetConnection[][] = [];
  for (const line of connections) {
    const connection = { line, startPs: Math.trunc(Math.fround(line.start)) * PS_PER_US };
    const group = isMessages ? byId.get(line.id) : undefined;
    if (group !== undefined) {
      group.push(connection);
      continue;
    }
    const created = [connection];
    byId.set(line.id, created);
    groups.push(created);
  }
  return groups.map((group, index) => {
    const [{ line: { source, destination, sizeBytes, id } }] = group;
    const first = FIRST_ID + 2 * index;
    const [senderId, receiverId] = id >= 0 ? [id, id] : [first, first + 1];
    return { flow: { index, source, destination, sizeBytes, senderId, receiverId }, connections: group };
  });
}

/**
 * Triggers of a connection matrix: finished flows fire them, and they start other flows.
 *
 *   oneshot     starts all its flows;  a second firing is rejected, as the reference aborts
 *   multishot   each firing starts the next flow
 *   barrier     the last of `count` firings starts all its flows
 *
 * Flows started together run last in, first out, before the next event. `recv_done_trigger` never fires, as in the
 * reference.
 */
export class Trigger {
  readonly #events: EventList;
  readonly #id: number;
  readonly #definition: MatrixTrigger;
  readonly #targets: (() => void)[] = [];
  #firings = 0;

  constructor(events: EventList, id: number, definition: MatrixTrigger) {
    this.#events = events;
    this.#id = id;
    this.#definition = definition;
  }

  addTarget(start: () => void): void {
    this.#targets.push(start);
  }

  fire(): void {
    const { type, count } = this.#definition;
    this.#firings += 1;
    if (type === 'multishot') {
      this.#start(this.#targets.slice(this.#firings - 1, this.#firings));
      return;
    }
    if (type === 'oneshot' && this.#firings > 1) rejectSecondFiring(this.#id);
    if (this.#firings === count) this.#start(this.#targets);
  }

  #start(targets: readonly (() => void)[]): void {
    for (const target of targets) this.#events.trigger(target);
  }
}

/** A message; times and packet numbers are -1 until known. */
export interface UetMessage {
  /** Number of the message, from 1, in the order of lines. */
  readonly number: number;
  readonly sizeBytes: number;
  readonly duePs: number;
  startPs: number;
  finishPs: number;
  firstSeq: number;
  lastSeq: number;
  unsentBytes: number;
  unacknowledgedPackets: number;
}

function newMessage(number: number, sizeBytes: number, duePs: number, payloadBytes: number): UetMessage {
  return {
    number,
    sizeBytes,
    duePs,
    startPs: -1,
    finishPs: -1,
    firstSeq: -1,
    lastSeq: -1,
    unsentBytes: sizeBytes,
    unacknowledgedPackets: Math.ceil(sizeBytes / payloadBytes),
  };
}

/** A packet of a message. */
interface MessagePacket {
  readonly message: UetMessage;
  readonly wireBytes: number;
  isAcknowledged: boolean;
}

/**
 * The messages of a reused connection that a sender has not finished.
 *
 *   due        backlog += wire bytes of all messages due; they queue by time, then line
 *   packet     min(rest of the message, payload) + 64: no packet carries two messages, so it may be smaller than the
 *              min(mtu, backlog) of the window test
 *   start      its first packet is sent;   finish: an ACK covers its last missing packet
 *   flow       finished when all wire bytes of due messages are acknowledged
 *
 * Where the reference aborts (a gap between messages, a flow that cannot send at its start), the run is rejected.
 */
export class MessageBacklog implements Backlog {
  bytes = 0;
  /** Wire bytes of all messages that have become due. */
  totalBytes = 0;
  readonly #mtuBytes: number;
  readonly #now: () => number;
  readonly #ready: UetMessage[] = [];
  /** Packets by number; requests to send have no entry. */
  readonly #packets: (MessagePacket | undefined)[] = [];
  #acknowledgedBytes = 0;

  constructor(mtuBytes: number, now: () => number) {
    this.#mtuBytes = mtuBytes;
    this.#now = now;
  }

  add(messages: readonly UetMessage[]): void {
    for (const message of messages) {
      const bytes = wireBytes(message.sizeBytes, this.#mtuBytes - HEADER_BYTES);
      this.#ready.push(message);
      this.bytes += bytes;
      this.totalBytes += bytes;
    }
  }

  get nextBytes(): number {
    return Math.min(this.#mtuBytes, this.bytes);
  }

  take(seq: number): number {
    const [message] = this.#ready;
    const payloadBytes = Math.min(message.unsentBytes, this.#mtuBytes - HEADER_BYTES);
    if (message.firstSeq < 0) {
      message.firstSeq = seq;
      message.startPs = this.#now();
    }
    message.lastSeq = seq;
    message.unsentBytes -= payloadBytes;
    if (message.unsentBytes === 0) this.#ready.shift();
    const bytes = payloadBytes + HEADER_BYTES;
    this.#packets[seq] = { message, wireBytes: bytes, isAcknowledged: false };
    this.bytes -= bytes;
    return bytes;
  }

  acknowledge(seq: number): void {
    const packet = this.#packets[seq];
    if (packet === undefined || packet.isAcknowledged) return;
    const { message } = packet;
    packet.isAcknowledged = true;
    this.#acknowledgedBytes += packet.wireBytes;
    message.unacknowledgedPackets -= 1;
    if (message.unacknowledgedPackets === 0) message.finishPs = this.#now();
  }

  isFinished(): boolean {
    return this.#acknowledgedBytes === this.totalBytes;
  }
}

/** The messages in the order of lines. */
export function messagesOf(connections: readonly UetConnection[], mtuBytes: number): UetMessage[] {
  return connections.map(({ line, startPs }, at) =>
    newMessage(at + 1, line.sizeBytes, startPs, mtuBytes - HEADER_BYTES)
  );
}

/** Sorts messages by time, then line. */
export function inOrderOfDue(messages: readonly UetMessage[]): UetMessage[] {
  return [...messages].sort((a, b) => a.duePs - b.duePs || a.number - b.number);
}

/** The events in the order of insertion. */
export function feedsOf(connections: readonly UetConnection[]): { startPs: number; isCheck: boolean }[] {
  const times = [...new Set(connections.map(({ startPs }) => startPs))];
  return times.flatMap((startPs, at) => [
    { startPs, isCheck: false },
    ...(at === 0 ? [{ startPs, isCheck: true }] : []),
  ]);
}

/**
 * Adds the messages of one connection to the backlog when they become due. There is one event per distinct time; the first
 * one precedes the sender's own start event, so it starts the sender, and the start event finds it running.
 */
export class MessageFeed {
  readonly messages: readonly UetMessage[];
  readonly #events: EventList;
  readonly #sender: Sender;
  readonly #backlog: MessageBacklog;
  /** Messages that are not due yet, by time, then line. */
  readonly #due: UetMessage[];

  constructor(events: EventList, sender: Sender, backlog: MessageBacklog,
    { connections, mtuBytes }: { readonly connections: readonly UetConnection[]; readonly mtuBytes: number }) {
    this.#events = events;
    this.#sender = sender;
    this.#backlog = backlog;
    this.messages = messagesOf(connections, mtuBytes);
    this.#due = inOrderOfDue(this.messages);
    for (const { startPs, isCheck } of feedsOf(connections)) {
      const run = isCheck ? () => this.#checkStarted() : () => this.#feed();
      events.schedule(new SimEvent(run), startPs);
    }
  }

  #feed(): void {
    const { nowPs } = this.#events;
    const count = this.#due.findIndex(({ duePs }) => duePs > nowPs);
    const due = this.#due.splice(0, count < 0 ? this.#due.length : count);
    const sender = this.#sender;
    if (sender.finishPs >= 0) rejectMessageGap();
    const isIdle = sender.isIdle;
    this.#backlog.add(due);
    if (sender.startPs < 0) sender.start();
    else if (isIdle) sender.trySend();
  }

  /** If the first packet could not be sent immediately, the reference starts the flow twice and aborts. */
  #checkStarted(): void {
    if (this.#sender.nextSeq === 0) rejectBusyStart();
  }
}
