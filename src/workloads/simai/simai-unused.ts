/** Counts what a pass does not use of the layers in SimAI's workload text, for notes: how often, and the first line. */
import type { LeftOut } from '../left-out.js';
import { groupSize, type SimaiLayer, type SimaiPhase } from './simai-layers.js';
import type { SimaiHeader } from './simai-header.js';

/** Counts what this kind of pass does not use. */
export function countUnused(header: SimaiHeader, layers: readonly SimaiLayer[], name: string, left: LeftOut): void {
  for (const [index, layer] of layers.entries()) {
    const where = `${name}, line ${layer.line}`;
    const phases = runPhases(header.kind, layer, index === 0);
    const collectives = phases.filter(({ sends }) => sends).map(({ phase }) => phase.collective);
    const alone = collectives.filter((one) => one !== undefined && groupSize(header, one.group) === 1).length;
    const silent = phases.filter(({ phase, sends }) => !sends && phase.collective !== undefined).length;
    const idle = phases.filter(({ phase, computes }) => !computes && phase.computePs > 0).length;
    if (alone > 0) {
      left.add('groups-of-one-gpu', where, alone);
    }
    if (silent > 0) {
      left.add('collectives-of-other-passes', where, silent, { pass: header.kind });
    }
    if (idle > 0) {
      left.add('computes-of-other-passes', where, idle, { pass: header.kind });
    }
    const exchanges = collectives.filter((one) => one !== undefined).length - alone;
    if (layer.delayPs > 0 && exchanges === 0) {
      left.add('update-times', where, 1);
    }
  }
}

interface Phase {
  readonly phase: SimaiPhase;
  readonly computes: boolean;
  readonly sends: boolean;
}

function runPhases(kind: SimaiHeader['kind'], layer: SimaiLayer, isFirst: boolean): Phase[] {
  const { forward, inputGradient, weightGradient } = layer;
  const of = (phase: SimaiPhase, computes: boolean, sends: boolean): Phase => ({ phase, computes, sends });
  if (kind === 'micro')
    return [of(forward, false, false), of(inputGradient, false, false), of(weightGradient, false, true)];
  if (kind === 'data')
    return [of(forward, true, false), of(inputGradient, !isFirst, false), of(weightGradient, true, true)];
  return [forward, inputGradient, weightGradient].map((phase) => of(phase, true, true));
}
