/**
 * The chain of operations that determined a job's end. It starts at the operation that ended last and goes back from each
 * operation to the cause of its start: the message of a receive, a dependency's end or start, or the previous operation on its
 * lane. Iterative, as a chain may include all operations.
 *
 *   completion = computes + overheads of sends and receives + messages in an idle network + their waits
 *
 * The wait of a message is its time beyond that in an idle network. Its division among the queues of ports is an estimate
 * (message-times.ts); the remainder is the time that congestion control, pauses or losses held the sender back.
 */
import { OPERATION_DONE } from '../../../abi/records/graph.js';
import { COMPUTE, LINK_TIME, RECEIVE, SEND } from '../../../workloads/graph/workload-graph.js';
import type { CriticalPath, CriticalStep } from '../../result.js';
import type { JobFacts, NetworkFacts } from './facts.js';
import { MessageTimes } from './message-times.js';

/** Maximum number of steps in a result; the last ones are kept. */
const STEPS_KEPT = 256;
/** Maximum number of ports in a result. */
const PORTS_KEPT = 16;

/** An operation on the path, and the time since the cause of its start. */
interface Link {
  readonly kind: CriticalStep['kind'];
  readonly operation: number;
  readonly fromPs: number;
  readonly toPs: number;
  /** Flow of a message; -1: none. */
  readonly flow: number;
  readonly alonePs: number;
}

/** The critical path of a job; undefined if the job has not ended or has no operations. */
export function criticalPath(facts: JobFacts, network: NetworkFacts): CriticalPath | undefined {
  const { job: { graph }, raw } = facts;
  let last = 0;
  for (let operation = 0; operation < graph.length; operation++) {
    if (raw.state[operation] !== OPERATION_DONE) return undefined;
    if (raw.endPs[operation] > raw.endPs[last]) last = operation;
  }
  return graph.length === 0 ? undefined : new Walk(facts, network).from(last);
}

class Walk {
  readonly #facts: JobFacts;
  readonly #network: NetworkFacts;
  readonly #times: MessageTimes;
  readonly #sums = { computePs: 0, overheadPs: 0, messagePs: 0, queueingPs: 0, heldBackPs: 0, otherPs: 0 };
  readonly #byPort = new Map<number, number>();
  /** The last steps of the path, latest first. */
  readonly #steps: CriticalStep[] = [];
  #count = 0;

  constructor(facts: JobFacts, network: NetworkFacts) {
    this.#facts = facts;
    this.#network = network;
    this.#times = new MessageTimes(network);
  }

  from(last: number): CriticalPath {
    const { raw, startPs } = this.#facts;
    let operation = last;
    // All time after this is explained. An operation is on the path with its end, or (`isEnd` false) only with its start.
    let untilPs = raw.endPs[last];
    let isEnd = true;
    while (operation >= 0) {
      if (isEnd) untilPs = this.#explainEnd(operation, untilPs);
      const sender = this.#senderOf(operation);
      if (isEnd && sender >= 0) {
        [operation, isEnd] = [sender, false];
        continue;
      }
      const { cause } = raw;
      const before = cause[operation];
      const beforePs = before < 0 ? startPs : this.#timeOf(before, untilPs);
      this.#sums.otherPs += untilPs - beforePs;
      isEnd = before >= 0 && raw.endPs[before] === beforePs;
      [operation, untilPs] = [before, beforePs];
    }
    return this.#made();
  }

  /** When a cause allowed the next operation to start: at the cause's end if that is early enough, else at the cause's start. */
  #timeOf(cause: number, untilPs: number): number {
    const { raw } = this.#facts;
    return raw.endPs[cause] <= untilPs ? raw.endPs[cause] : Math.min(raw.startPs[cause], untilPs);
  }

  /** The send that a receive waited for; -1 for other operations. */
  #senderOf(operation: number): number {
    const { job: { graph }, raw } = this.#facts;
    const isMessage = graph.operations.kind[operation] === RECEIVE && raw.cause[operation] === raw.match[operation];
    return isMessage ? raw.match[operation] : -1;
  }

  /** Explains an operation's time up to `untilPs`; returns when it began, before which the time is still unexplained. */
  #explainEnd(operation: number, untilPs: number): number {
    const { job, raw, flowOf } = this.#facts;
    const kind = job.graph.operations.kind[operation];
    if (kind === COMPUTE) {
      return this.#keep({
        kind: 'compute',
        operation,
        fromPs: raw.startPs[operation],
        toPs: untilPs,
        flow: -1,
        alonePs: 0,
      });
    }
    if (kind === SEND) return this.#message(operation, operation, untilPs, flowOf[operation], false);
    const sender = this.#senderOf(operation);
    const overheadPs = Math.min(job.receiveOverheadPs, untilPs - raw.startPs[operation]);
    const arrivedPs = untilPs - overheadPs;
    this.#sums.overheadPs += overheadPs;
    // The message had already arrived; the receive waited for its lane.
    if (sender < 0 && this.#isBetween(raw.cause[operation], raw.startPs[operation], arrivedPs)) return arrivedPs;
    if (sender < 0) {
      this.#sums.otherPs += arrivedPs - raw.startPs[operation];
      return raw.startPs[operation];
    }
    return this.#message(operation, sender, arrivedPs, flowOf[sender], job.receiveDone === 'last-byte');
  }

  /** Whether a cause ended between two times. */
  #isBetween(cause: number, fromPs: number, toPs: number): boolean {
    if (cause < 0) return false;
    const endPs = this.#facts.raw.endPs[cause];
    return endPs > fromPs && endPs <= toPs;
  }

  #message(operation: number, sender: number, untilPs: number, flow: number, isOneWay: boolean): number {
    const { job, raw } = this.#facts;
    const startPs = raw.startPs[sender];
    const leftPs = Math.min(untilPs, startPs + job.sendOverheadPs);
    this.#sums.overheadPs += leftPs - startPs;
    const isUnderWay = flow >= 0 && untilPs > leftPs;
    const alonePs = !isUnderWay ? 0 : isOneWay ? this.#times.oneWayPs(flow) : this.#times.ackedPs(flow);
    this.#keep({ kind: 'message', operation, fromPs: leftPs, toPs: untilPs, flow, alonePs });
    return startPs;
  }

  #keep({ kind, operation, fromPs, toPs, flow, alonePs }: Link): number {
    const { job: { graph }, rankOf, raw } = this.#facts;
    const takenPs = toPs - fromPs;
    if (takenPs === 0) return fromPs;
    this.#count++;
    const waitedPs = kind === 'message' ? Math.max(0, takenPs - alonePs) : 0;
    const isCompute = kind === 'compute' && graph.operations.nic[operation] !== LINK_TIME;
    if (isCompute) this.#sums.computePs += takenPs;
    else this.#sums.messagePs += takenPs - waitedPs;
    const ports = waitedPs > 0 && flow >= 0 ? this.#times.waits(flow, fromPs, toPs, waitedPs) : [];
    const queuedPs = ports.reduce((sum, { port, waitPs }) => {
      this.#byPort.set(port, (this.#byPort.get(port) ?? 0) + waitPs);
      return sum + waitPs;
    }, 0);
    this.#sums.queueingPs += queuedPs;
    this.#sums.heldBackPs += waitedPs - queuedPs;
    if (this.#steps.length >= STEPS_KEPT) return fromPs;
    const peer = kind === 'message' && graph.operations.kind[operation] === RECEIVE ? raw.match[operation] : operation;
    this.#steps.push({ kind, rank: rankOf[peer], operation, what: graph.describe(peer), fromPs, toPs, waitedPs, flow });
    return fromPs;
  }

  #made(): CriticalPath {
    const { portNames } = this.#network;
    const ports = [...this.#byPort].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, PORTS_KEPT)
      .map(([port, waitPs]) => ({ port: portNames[port], waitPs: Math.round(waitPs) }));
    const { queueingPs, heldBackPs, ...exact } = this.#sums;
    // The parts are estimates in whole picoseconds; their sum is exact.
    const queued = Math.round(queueingPs);
    const sums = { ...exact, queueingPs: queued, heldBackPs: Math.round(queueingPs + heldBackPs) - queued };
    return { ...sums, ports, stepCount: this.#count, steps: this.#steps.reverse() };
  }
}
