/** A stack of layers as callers give it: fields that can be computed from other layers may be omitted. */
import type { LayerSpec } from './layers.js';
import { requireList, requireRecord, invalidArgument } from '../wire/bytes.js';

export type { LayerSpec } from './layers.js';

/** Guards against untyped callers. @throws RoceError `invalid-argument` for anything but a list of layers. */
export function requireStack(stack: readonly LayerSpec[]): void {
  requireList('stack', stack);
  for (const layer of stack) {
    requireRecord('stack', layer);
    const kind: unknown = layer.kind;
    if (typeof kind !== 'string') throw invalidArgument('stack.kind', kind, 'the name of a layer');
  }
}
