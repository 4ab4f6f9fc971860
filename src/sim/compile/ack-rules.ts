/** When receivers acknowledge, and which pauses hold ACKs: the reference simulators' rules, where they differ. */
import type { Rules } from '../plan.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { KernelScenario, ValidHost } from '../scenario/valid-scenario.js';

/**
 * The reference applies class 3's pause to all ACKs (docs/specs/reference.md, section 2), and if they are exempt class 0's,
 * which never occurs.
 */
export function ackPause(fidelity: KernelFidelity, pausable: boolean): Pick<Rules, 'ackPauseClass'> {
  if (!pausable || fidelity === 'reference-lossy') return { ackPauseClass: 0 };
  return fidelity === 'reference' ? { ackPauseClass: 3 } : {};
}

/** Receivers with delayed ACKs (docs/specs/reference.md, section 3); up to a packet's payload the delay has no effect. */
export function ackSilence(fidelity: KernelFidelity,
  { ackIntervalBytes, ackChunkBytes }: ValidHost): Pick<Rules, 'silence'> {
  if (fidelity === 'standard' || ackIntervalBytes <= 1) return {};
  return { silence: { upToBytes: ackIntervalBytes, chunkBytes: ackChunkBytes } };
}

/** ConWeave's simulator has all ACKs in class 0 (docs/specs/reference-lossy.md, section 2); MRC's have their own class. */
export function ackClass({ fidelity, hosts }: KernelScenario, isMrc: boolean, dataClass: number): number {
  if (fidelity === 'reference-lossy') return 0;
  return isMrc ? hosts.mrc.controlClass : dataClass;
}
