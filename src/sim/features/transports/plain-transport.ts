/** Plain go-back-N, which needs no additional state per flow. */
import type { TransportKind } from './plan.js';

/** Whether a transport is go-back-N without any options. */
export function isPlainTransport({ transport, retryCount, lossReaction }: TransportKind): boolean {
  return transport === 'go-back-n' && retryCount === null && lossReaction === 'algorithm';
}
