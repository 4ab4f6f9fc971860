/** When receivers acknowledge, and which pauses hold up ACKs: the reference simulators' rules, where they differ. */
import type { Rules } from '../plan.js';
import type { Fidelity } from '../scenario/spec.js';
import type { ValidHost } from '../scenario/valid-scenario.js';

/**
 * The reference looks at class 3's pause for all ACKs (docs/specs/reference.md, section 2), and at class 0's, which never comes,
 * if they pass.
 */
export function ackPause(fidelity: Fidelity, pausable: boolean): Pick<Rules, 'ackPauseClass'> {
  if (!pausable || fidelity === 'reference-lossy') return { ackPauseClass: 0 };
  return fidelity === 'reference' ? { ackPauseClass: 3 } : {};
}

/** Receivers that keep silent for a while (docs/specs/reference.md, section 3); up to a packet's payload that changes nothing. */
export function ackSilence(fidelity: Fidelity, { ackIntervalBytes, ackChunkBytes }: ValidHost): Pick<Rules, 'silence'> {
  if (fidelity === 'standard' || ackIntervalBytes <= 1) return {};
  return { silence: { upToBytes: ackIntervalBytes, chunkBytes: ackChunkBytes } };
}
