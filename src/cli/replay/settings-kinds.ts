/** Kinds of vendor settings, by command-line name, and the path that irdma's settings depend on. */
import { RoceError } from '../../errors.js';

export const SETTINGS_KINDS = ['mlxconfig', 'sysfs', 'cc-params', 'irdma'] as const;
export type SettingsKind = (typeof SETTINGS_KINDS)[number];

/** MSS and round-trip time, as given on the command line. */
interface IrdmaPath {
  readonly mssBytes?: number | undefined;
  readonly rttPs?: number | undefined;
}

/**
 * Requires MSS and round-trip time: irdma's rate increases are in MSS per round trip.
 *
 * @throws RoceError `invalid-settings` when either is not given.
 */
export function pathOf({ mssBytes, rttPs }: IrdmaPath): { mssBytes: number; rttPs: number } {
  if (mssBytes !== undefined && rttPs !== undefined) return { mssBytes, rttPs };
  const allowed = 'stated with --mss and --rtt, such as --mss 4096 --rtt 10us';
  throw new RoceError('invalid-settings', { what: 'the path of irdma', allowed, where: 'options' });
}
