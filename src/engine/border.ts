/**
 * Rule for the border of a Fast CNP domain: no Fast CNP may enter or leave (Fast CNP draft, section 5).
 *
 * A border node parses frames with an engine that needs neither endpoints nor QPs, and drops the frames that match this
 * rule.
 */
import { checkObject } from './engine-errors.js';
import type { PacketReport } from './packet-batch.js';

/**
 * Whether a frame that crosses the border of a Fast CNP domain, in either direction, must be dropped.
 *
 * This includes Fast CNPs with a malformed option, since hosts outside may parse it differently.
 *
 * @param report the packet's `PacketBatch.report`, in parse mode `fast-cnp-domain`.
 */
export function isBarredAtBorder(report: Pick<PacketReport, 'class' | 'why'>): boolean {
  checkObject(report, 'report', 'a report of a frame');
  return report.class === 'fast-cnp-1' || report.class === 'fast-cnp-2' || report.why === 'fast-cnp-option';
}
