/** A priority group as configured in BUFFER_PG, or as computed by the switch. */
import type { LintRule } from '../lint-rules.js';
import type { QosNote } from '../notes.js';
import type { BufferGroup } from '../qos-map.js';
import type { ProfileHeadroom } from './check-headroom.js';
import type { SonicReason, SonicSetting } from './sonic-config.js';

/** One ingress buffer, with how it was configured. */
export interface ReadGroup {
  readonly group: BufferGroup;
  readonly notTold?: readonly LintRule[];
  readonly settings?: readonly SonicSetting[];
  readonly note?: QosNote;
  readonly reason?: SonicReason;
  readonly headroom?: ProfileHeadroom;
}

/** Explains why a priority group drops when it is full. */
export function lossyReason(index: number, what: string): SonicReason {
  return {
    rule: 'pause-without-buffer',
    index,
    message: `pfc_enable is on, but priority group ${index} is lossy: ${what}`,
    got: what,
    expected: 'a BUFFER_PROFILE with xoff',
    source: 'sonic-buildimage, sonic-yang-models/doc/Configuration.md, BUFFER_PG',
  };
}
