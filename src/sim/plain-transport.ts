/** Which transport costs nothing but what every flow has. */
import type { TransportKind } from './transports-plan.js';

/** Is it go-back-N without anything else? */
export function isPlainTransport({ transport, retryCount, lossReaction }: TransportKind): boolean {
  return transport === 'go-back-n' && retryCount === null && lossReaction === 'algorithm';
}
