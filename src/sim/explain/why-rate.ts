/** Why the rate of a flow changed: counts the reasons in a trace of its changes (docs/guides/trace.md). */
import type { RateChange } from '../../engine/rate-changes.js';
import { type Explanation, answerOf, finding, type Finding, reason } from './explanation.js';

/** The changes with one reason. */
interface OfReason {
  changes: number;
  firstPs: number;
  lastPs: number;
  /** The largest change. */
  largest: RateChange;
}

/** Maximum number of reasons that are described. */
const DESCRIBED = 8;

/** Sums up the rate changes of one flow, in order; each starts at the rate where the previous one ended. */
export class RateReasons {
  readonly #flow: number;
  readonly #byReason = new Map<string, OfReason>();
  #changes = 0;
  #first: RateChange | undefined;
  #last: RateChange | undefined;
  #lowest: RateChange | undefined;

  constructor(flow: number) {
    this.#flow = flow;
  }

  add(change: RateChange): void {
    this.#changes++;
    this.#first ??= change;
    this.#last = change;
    if (change.toBps < (this.#lowest?.toBps ?? Infinity)) this.#lowest = change;
    const name = nameOf(change);
    const known = this.#byReason.get(name);
    if (known === undefined) {
      this.#byReason.set(name, { changes: 1, firstPs: change.timePs, lastPs: change.timePs, largest: change });
      return;
    }
    known.changes++;
    known.lastPs = change.timePs;
    if (isLarger(change, known.largest)) known.largest = change;
  }

  /** Explains the changes. @param described the flow in words, such as `flow 3 (h3 to h16)`. */
  explanation(described = `flow ${this.#flow}`): Explanation {
    const [first, last, lowest] = [this.#first, this.#last, this.#lowest];
    const base = { topic: 'rate', question: `Why did the rate of ${described} change?` } as const;
    if (first === undefined || last === undefined || lowest === undefined)
      return {
        ...base,
        code: 'no-rate-change',
        ...answerOf(finding('no-rate-change')),
        because: [],
        missing: [],
      };
    const inOrder = [...this.#byReason].sort(([, a], [, b]) => b.changes - a.changes);
    const rest = inOrder.slice(DESCRIBED).reduce((sum, [, { changes }]) => sum + changes, 0);
    return {
      ...base,
      code: 'rate-changes',
      ...answerOf(finding('rate-changed', {
        changes: this.#changes,
        fromPs: first.timePs,
        toPs: last.timePs,
        fromBps: first.fromBps,
        toBps: last.toBps,
        lowestBps: lowest.toBps,
        lowestPs: lowest.timePs,
      }), ...inOrder.slice(0, DESCRIBED).map(([name, of]) => reasonFinding(name, of)),
        rest > 0 && finding('rate-changed-for-others', { changes: rest })),
      inShort: `Most changes of the rate of flow ${this.#flow}: ${inOrder[0]?.[0] ?? ''}`,
      because: [
        reason('rate-changes', this.#changes, { flow: this.#flow }),
        reason('lowest-rate', lowest.toBps),
        ...inOrder.map(([change, { changes }]) => reason('rate-changes-for', changes, { change })),
      ],
      missing: [],
    };
  }
}

/** A custom algorithm names its reasons itself. */
function nameOf(change: RateChange): string {
  if (change.reason !== 'custom') return `${change.reason} (${change.cause})`;
  return change.text === '' ? `no reason given (${change.cause})` : `"${change.text}" (${change.cause})`;
}

function reasonFinding(change: string, { changes, firstPs, lastPs, largest }: OfReason): Finding {
  return finding('rate-changed-for', {
    change,
    changes,
    firstPs,
    lastPs,
    largestFromBps: largest.fromBps,
    largestToBps: largest.toBps,
  });
}

function isLarger(a: RateChange, b: RateChange): boolean {
  return Math.abs(a.toBps - a.fromBps) > Math.abs(b.toBps - b.fromBps);
}
