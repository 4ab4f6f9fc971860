/** What a path takes where its files say nothing. */
import type { NetworkProfileName } from '../../qos/index.js';

export interface PathDefaults {
  readonly profile: NetworkProfileName | undefined;
  readonly lineRateBps: number;
}

/** The same as options of the recommended settings. */
export function optionsOf({ profile, lineRateBps }: PathDefaults): {
  profile?: NetworkProfileName;
  linkRateBps: number;
} {
  return { linkRateBps: lineRateBps, ...(profile === undefined ? {} : { profile }) };
}
