/**
 * The rule of a domain's border: no Fast CNP comes in, none goes out (Fast CNP draft, section 5).
 *
 * A border node parses frames with an engine that needs no endpoint and no QP, and drops those that this rule names.
 */
import { checkObject } from './engine-errors.js';
import type { PacketReport } from './packet-batch.js';

/**
 * Must a frame that crosses the border of the Fast CNP domain, inwards or outwards, be dropped?
 *
 * Fast CNPs with an option that is not well formed count too: a host beyond the border may read them otherwise.
 *
 * @param report what `PacketBatch.report` says of it, in parse mode `fast-cnp-domain`.
 */
export function isBarredAtBorder(report: Pick<PacketReport, 'class' | 'why'>): boolean {
  checkObject(report, 'report', 'a report of a frame');
  return report.class === 'fast-cnp-1' || report.class === 'fast-cnp-2' || report.why === 'fast-cnp-option';
}
