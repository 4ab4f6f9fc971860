/** The path for which irdma's settings are meant. */
import { RoceError } from '../../errors.js';

/** As the command line states it. */
export interface IrdmaPath {
  readonly mssBytes?: number | undefined;
  readonly rttPs?: number | undefined;
}

/**
 * irdma states increases in MSS per round trip.
 *
 * @throws RoceError `invalid-settings` when either is not given.
 */
export function pathOf({ mssBytes, rttPs }: IrdmaPath): { mssBytes: number; rttPs: number } {
  if (mssBytes !== undefined && rttPs !== undefined) return { mssBytes, rttPs };
  const allowed = 'stated with --mss and --rtt, such as --mss 4096 --rtt 10us';
  throw new RoceError('invalid-settings', { what: 'the path of irdma', allowed, where: 'options' });
}
