/** The schema of packet trimming in switches and of the transport `mrc`; the types are in trimming-spec.ts and transport-spec.ts. */
import { DEFAULT_MRC, DEFAULT_TRIMMING, REORDER_SHARES, TRIMMING_BDPS } from './defaults.js';
import { ABSENT_UNLESS_GIVEN, flag, listOf, optional, orFlag, record, timeUs, wholeIn } from './schema-parts.js';

const QUEUE_MAX_BYTES = 2 ** 32 - 2;
/** Ethernet, IPv6, UDP, BTH, METH, TSETH: what a receiver needs for a NACK. */
export const TRIMMED_MIN_BYTES = 82;
const TRIMMED_MAX_BYTES = 4096;

/** Keys of the limit of a queue. */
const limit = (meaning: string, bdps: number): ReturnType<typeof wholeIn> =>
  wholeIn(1, QUEUE_MAX_BYTES,
    `${meaning} Default: ${bdps === 1 ? 'a BDP' : `${bdps} BDPs`}, the largest of all pairs of hosts.`);

export const TRIMMING_SCHEMA = orFlag(record(optional({
  enabled: flag('Whether packets are trimmed. Default: true where trimming is given.'),
  sizeBytes: wholeIn(TRIMMED_MIN_BYTES, TRIMMED_MAX_BYTES, 'Bytes kept of a packet, without FCS.',
    DEFAULT_TRIMMING.sizeBytes),
  trafficClass: wholeIn(1, 7, 'Class of trimmed packets.', DEFAULT_TRIMMING.trafficClass),
  dataClasses: listOf(wholeIn(1, 7, 'A traffic class.'), 1, 7,
    'Classes whose data are trimmed. Default: all in which flows of mrc send.'),
  queueBytes: limit('A packet is trimmed if its queue would exceed this, at ports that lead to switches.',
    TRIMMING_BDPS.queue),
  lastHopQueueBytes: limit('The same at ports that lead to hosts.', TRIMMING_BDPS.lastHopQueue),
  trimmedQueueBytes: limit('A trimmed packet is dropped if its queue would exceed this.', TRIMMING_BDPS.trimmedQueue),
}), 'Under standard: data of mrc without room are trimmed, and their receivers ask for them again.').meta(
  ABSENT_UNLESS_GIVEN,
));

export const MRC_SCHEMA = record(optional({
  sackBytes: wholeIn(0, 2 ** 31, 'A SACK is sent once more bytes than this have arrived; 0: for each packet.',
    DEFAULT_MRC.sackBytes),
  reorderUs: timeUs(
    `An overtaken packet is lost if one sent this much later is acknowledged, us; 0: never. Default: the longest base round trip, with trimming ${REORDER_SHARES.trimming} of it.`,
  ),
  controlClass: wholeIn(1, 7, 'Class of SACKs and NACKs.', DEFAULT_MRC.controlClass),
}), 'Under standard: the transport mrc.');
