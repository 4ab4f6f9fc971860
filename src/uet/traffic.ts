/**
 * The connection matrix of a run: flows in the order of lines, with ids, starts, triggers and messages.
 *
 * Start times are in microseconds, read as 32-bit floats and rounded down. Flow i has the id 1000000001 + 2 i for its
 * sender and one more for its receiver; `id N` replaces both by N.
 */
import { PS_PER_US } from '../unit-sizes.js';
import { MatrixLines, type MatrixConnection, type MatrixTrigger } from '../workloads/htsim/matrix-lines.js';
import type { EventList } from './event-list.js';
import type { UetFlow } from './flow.js';
import { rejectUet, rejectSecondFiring } from './rejections.js';

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
