/** The transport that needs no state beyond that of every flow. */
import type { TransportKind } from './plan.js';

/** Whether it is go-back-N without any options. */
export function isPlainTransport({ transport, retryCount, lossReaction }: TransportKind): boolean {
  return transport === 'go-back-n' && retryCount === null && lossReaction === 'algorithm';
}
