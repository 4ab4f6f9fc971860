/** When receivers acknowledge, and which PFC pauses stop ACKs, under each fidelity. */
import type { Rules } from '../plan.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { KernelScenario, ValidHost } from '../scenario/valid-scenario.js';

/**
 * The reference stops all ACKs while class 3 is paused (docs/specs/reference.md, section 2). If ACKs are exempt, class 0's
 * pause applies, which never occurs.
 */
export function ackPause(fidelity: KernelFidelity, pausable: boolean): Pick<Rules, 'ackPauseClass'> {
  if (!pausable || fidelity === 'reference-lossy') return { ackPauseClass: 0 };
  return fidelity === 'reference' ? { ackPauseClass: 3 } : {};
}

/** Delayed ACKs (docs/specs/reference.md, section 3). An interval of at most 1 byte delays nothing. */
export function ackSilence(fidelity: KernelFidelity,
  { ackIntervalBytes, ackChunkBytes }: ValidHost): Pick<Rules, 'silence'> {
  if (fidelity === 'standard' || ackIntervalBytes <= 1) return {};
  return { silence: { upToBytes: ackIntervalBytes, chunkBytes: ackChunkBytes } };
}

/**
 * The class of ACKs. ConWeave's simulator sends all in class 0 (docs/specs/reference-lossy.md, section 2); MRC has a class for
 * them.
 */
export function ackClass({ fidelity, hosts }: KernelScenario, isMrc: boolean, dataClass: number): number {
  if (fidelity === 'reference-lossy') return 0;
  return isMrc ? hosts.mrc.controlClass : dataClass;
}
