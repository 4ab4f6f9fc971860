/**
 * Findings about the frames of MRC: codes and figures, no text.
 *
 *   mrc-trimmed           a switch before the last one trimmed: paths are loaded unevenly
 *   mrc-trimmed-last-hop  the last switch trimmed: several senders to one receiver
 *   mrc-fatal-nack        a NACK that ends the connection
 *   mrc-open-holes        the newest SACK still has holes
 *   mrc-one-entropy       all data of a queue pair on one path
 *   mrc-malformed, mrc-wrong-icrc
 */
import type { MrcFinding, MrcFindingCode, MrcQueuePair, MrcSummary } from './summary.js';

/** A sender that sprays uses a second path well before it has sent this many data frames. */
const SPRAYED_FROM = 16;
const FATAL = 'UNEXP_EVENT';

/** Returns findings in queue pair order, then those about all frames. */
export function mrcFindings({ queuePairs, malformed, icrcWrong }: Omit<MrcSummary, 'findings'>): MrcFinding[] {
  const found = queuePairs.flatMap((one, queuePair) =>
    countsOf(one).filter(([, count]) => count > 0).map(([code, count]): MrcFinding => ({ code, queuePair, count }))
  );
  if (malformed > 0) found.push({ code: 'mrc-malformed', queuePair: undefined, count: malformed });
  if (icrcWrong > 0) found.push({ code: 'mrc-wrong-icrc', queuePair: undefined, count: icrcWrong });
  return found;
}

function countsOf(one: MrcQueuePair): (readonly [MrcFindingCode, number])[] {
  const isOnePath = one.entropies === 1 && one.dataFrames >= SPRAYED_FROM;
  return [
    ['mrc-trimmed', one.trimmed],
    ['mrc-trimmed-last-hop', one.trimmedAtLastHop],
    ['mrc-fatal-nack', one.nacks[FATAL] ?? 0],
    ['mrc-open-holes', one.openHoles.length],
    ['mrc-one-entropy', isOnePath ? one.dataFrames : 0],
  ];
}
