/** The headers that ConWeave leaves write to data packets and to the packets they send each other. */
import { PathLabel } from './path-label.js';
import type { LeafPath } from './leaf-paths.js';

/** `init`: a flow begins or restarts; `tail`: the last packet on the old path; `data`: any other. */
export type WeaveKind = 'init' | 'tail' | 'data';

export class WeaveLabel extends PathLabel {
  readonly epoch: number;
  readonly phase: number;
  readonly kind: WeaveKind;
  readonly sentPs: number;
  /** The time when the last packet took the old path; 0: none did. */
  readonly tailPs: number;

  constructor(leaves: { readonly source: number; readonly destination: number }, path: LeafPath,
    state: Pick<WeaveLabel, 'epoch' | 'phase' | 'kind' | 'sentPs' | 'tailPs'>) {
    super(leaves.source, leaves.destination, path);
    this.epoch = state.epoch;
    this.phase = state.phase;
    this.kind = state.kind;
    this.sentPs = state.sentPs;
    this.tailPs = state.tailPs;
  }
}

/** Notifies the source leaf that an `init` or `tail` has arrived. */
export class WeaveReply {
  readonly kind: WeaveKind;
  readonly epoch: number;

  constructor(kind: WeaveKind, epoch: number) {
    this.kind = kind;
    this.epoch = epoch;
  }
}

/** Notifies the source leaf of a congested path. */
export class WeaveNotice {
  readonly path: LeafPath;

  constructor(path: LeafPath) {
    this.path = path;
  }
}
