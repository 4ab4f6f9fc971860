/**
 * Probes of the entropies that an MRC sender assumes bad, one per interval. A probe that is not acknowledged before the
 * next one is lost. After enough consecutive acknowledged probes the entropy is used again.
 *
 * Source: OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md), 3.8; docs/reference/sources.md, O16 and O18.
 */
import type { ProbesPlan } from '../../../../src/sim/features/balancing/plan.js';
import type { PathProbes, TakenProbe } from '../../parts.js';

const IDS = 65_536;

interface Probed {
  lastPs: number;
  /** Undefined: no probe is awaited. */
  id: number | undefined;
  acked: number;
}

export class EntropyProbes implements PathProbes {
  readonly #plan: ProbesPlan;
  readonly #onReturn: (entropy: number, isMarked: boolean) => void;
  readonly #bad = new Map<number, Probed>();
  #nextId = 0;

  constructor(plan: ProbesPlan, onReturn: (entropy: number, isMarked: boolean) => void) {
    this.#plan = plan;
    this.#onReturn = onReturn;
  }

  get intervalPs(): number | undefined {
    return this.#plan.intervalPs ?? undefined;
  }

  get lenBytes(): number {
    return this.#plan.lenBytes;
  }

  /** An entropy is assumed bad. */
  begin(entropy: number, timePs: number): void {
    this.#bad.set(entropy, { lastPs: timePs, id: undefined, acked: 0 });
  }

  /** An entropy is usable again. */
  end(entropy: number): void {
    this.#bad.delete(entropy);
  }

  dueAt(intervalPs: number): number | undefined {
    if (this.#bad.size === 0) return undefined;
    return intervalPs + Math.min(...[...this.#bad.values()].map(({ lastPs }) => lastPs));
  }

  take(timePs: number, intervalPs: number): TakenProbe[] {
    const due = [...this.#bad].filter(([, { lastPs }]) => lastPs + intervalPs <= timePs);
    return due.sort(([a], [b]) => a - b).map(([entropy, probed]) => {
      const isOneLost = probed.id !== undefined;
      const id = this.#nextId;
      this.#nextId = (id + 1) % IDS;
      this.#bad.set(entropy, { lastPs: timePs, id, acked: isOneLost ? 0 : probed.acked });
      return { entropy, id, isOneLost };
    });
  }

  onAcknowledged(entropy: number, id: number, mark: boolean | 'always-skip'): boolean {
    const probed = this.#bad.get(entropy);
    if (probed?.id !== id) return false;
    probed.id = undefined;
    probed.acked = mark === 'always-skip' ? 0 : probed.acked + 1;
    if (mark !== 'always-skip' && probed.acked === this.#plan.toReturn) this.#onReturn(entropy, mark);
    return true;
  }
}
