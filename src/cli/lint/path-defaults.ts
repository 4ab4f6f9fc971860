/** Defaults of a path, for what its files do not state. */
import type { NetworkProfileName } from '../../qos/index.js';

export interface PathDefaults {
  readonly profile: NetworkProfileName | undefined;
  readonly lineRateBps: number;
}

/** Converts to the options of the recommended settings. */
export function optionsOf({ profile, lineRateBps }: PathDefaults): {
  profile?: NetworkProfileName;
  linkRateBps: number;
} {
  return { linkRateBps: lineRateBps, ...(profile === undefined ? {} : { profile }) };
}
