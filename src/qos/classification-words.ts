/** Describes how a priority was derived: the trusted field, its value, and the default where the field is missing. */
import type { TrustMode } from './qos-map.js';

/** Describes how a port that trusts a field derives a priority: `trust dscp: DSCP 26 -> priority 3`. */
export function classificationWords(trust: TrustMode, code: number | undefined, priority: number): string {
  const missing = trust === 'dscp' ? 'no IP header' : 'no VLAN tag';
  const cause = code === undefined ? `${missing}, default` : `${trust.toUpperCase()} ${code}`;
  return `trust ${trust}: ${cause} -> priority ${priority}`;
}
