/**
 * The rule of a domain's border: no Fast CNP comes in, none goes out (Fast CNP draft, section 5).
 *
 * A border node parses frames with an engine that needs no endpoint and no QP, and drops those that this rule names.
 */
import { checkObject } from './engine-errors.js';
import type { PacketReport } from './packet-batch.js';

/**
 * Whether a frame that crosses the border of the Fast CNP domain, inwards or outwards, must be dropped.
 *
 * Fast CNPs with an option that is not well formed count too: a host beyond the border may read them otherwise.
 *
 * @param report the `PacketBatch.report` of the packet, in parse mode `fast-cnp-domain`.
 */
export function isBarredAtBorder(report: Pick<PacketReport, 'class' | 'why'>): boolean {
  checkObject(report, 'report', 'a report of a frame');
  return report.class === 'fast-cnp-1' || report.class === 'fast-cnp-2' || report.why === 'fast-cnp-option';
}
