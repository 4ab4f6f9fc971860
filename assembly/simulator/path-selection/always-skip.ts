/**
 * Receivers of MRC detect entropies whose packets are always marked, such as those over a slow link, and report them in SACKs.
 *
 *   n       number of consecutive marked packets of an entropy, including probes; an unmarked one resets it. Trimmed packets do not count
 *   answer  M = 2, ALWAYS_SKIP, in the SACK of a marked packet with n >= `alwaysSkipMarks`
 *
 * Source  M and the sender's reaction: OCP MRC 1.0 by its readers (docs/specs/mrc-formats.md, 2.7; docs/specs/mrc-transport.md, 3.8). When a
 *         receiver sends it is left open: docs/reference/sources.md, "When a receiver sends ALWAYS_SKIP".
 */
import { selecting } from '../balancing/network';
import { alwaysSkipMarks, entropiesOf, entropyStateAt, selectorOf, sourcePortOfPacket } from './memory';
import { FIRST_ENTROPY_PORT, SELECTION_RULE_ENTROPY_STATES } from '../../records/balancing';
import { SimFlow, SimPacket } from '../../records/network';

/** Counts the mark of an untrimmed packet; returns whether its SACK reports ALWAYS_SKIP. */
export function isAlwaysSkipped(flow: SimFlow, packet: SimPacket): bool {
  if (!selecting || !alwaysSkipMarks || selectorOf(flow.source).rule != SELECTION_RULE_ENTROPY_STATES) return false;
  const entropies = entropiesOf(flow.qp);
  const entry = entropyStateAt(entropies, sourcePortOfPacket(packet) - FIRST_ENTROPY_PORT - entropies.upper);
  entry.marksInRow = packet.marked ? <u8>min<u32>(<u32>entry.marksInRow + 1, 255) : 0;
  return packet.marked != 0 && <u32>entry.marksInRow >= alwaysSkipMarks;
}
