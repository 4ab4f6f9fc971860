/** Counts tunnelled frames: the headers that carry them, and how outer and inner ECN fields differ. */
import type { PacketBatch } from '../engine/packet-batch.js';
import { layerName } from '../packet/index.js';
import type { TunnelKindSummary, TunnelSummary } from './report.js';

const ECN_CE = 3;

export class TunnelTally {
  readonly #frames = new Map<number, number>();
  #outerMarkedOnly = 0;
  #dropped = 0;

  /** Undefined if no frame is tunnelled. */
  get summary(): TunnelSummary | undefined {
    if (this.#frames.size === 0) return undefined;
    const kinds = [...this.#frames].map(([kind, frames]): TunnelKindSummary => ({ kind: layerName(kind), frames }));
    kinds.sort((a, b) => b.frames - a.frames);
    return {
      frames: kinds.reduce((sum, { frames }) => sum + frames, 0),
      kinds,
      outerMarkedOnly: this.#outerMarkedOnly,
      dropped: this.#dropped,
    };
  }

  /** Counts processed frame `index`, which is tunnelled. */
  count(packets: PacketBatch, index: number): void {
    const tunnel = packets.tunnel(index);
    if (tunnel === undefined) return;
    const { kind, innerEcn, outerEcn, isDropped } = tunnel;
    this.#frames.set(kind, (this.#frames.get(kind) ?? 0) + 1);
    if (outerEcn === ECN_CE && innerEcn !== ECN_CE) this.#outerMarkedOnly++;
    if (isDropped) this.#dropped++;
  }
}
