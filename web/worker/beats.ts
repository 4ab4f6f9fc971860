/** Progress signals from workers of custom algorithms; without them the page ends the worker. */
import type { BeatStage } from '../protocol/algorithm-protocol.js';

const EVERY_MS = 100;

let send: ((stage: BeatStage) => void) | undefined;
let sentMs = -Infinity;
let sentStage: BeatStage | undefined;

export function sendBeatsTo(receive: (stage: BeatStage) => void): void {
  send = receive;
}

/** Signals progress: a new stage immediately, the same one at intervals. */
export function beat(stage: BeatStage): void {
  if (send === undefined) return;
  const nowMs = performance.now();
  if (stage === sentStage && nowMs - sentMs < EVERY_MS) return;
  [sentStage, sentMs] = [stage, nowMs];
  send(stage);
}
