/** Report section on Ultra Ethernet: packets by type, trimmed ones, NACKs. */
import type { ReplayReport, UetSummary } from '../../replay/index.js';
import { formatCount, formatCountOf } from '../format.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';

/** Lines of the section; empty without packets of Ultra Ethernet. */
export function uetSection({ uet }: ReplayReport, style: TextStyle): string[] {
  if (uet === undefined) return [];
  return [...heading('Ultra Ethernet', style), ...sentencesOf(uet).flatMap((sentence) => wrap(sentence, style))];
}

function sentencesOf({ frames, types, trimmed, retransmitted, nacks }: UetSummary): string[] {
  const sentences = [
    `${formatCountOf(frames, 'frame')}: ${
      listOf(types)
    }. The engine knows RoCEv2 only: in the table above they are other ` +
    'frames, or malformed if trimmed without corrected lengths.',
  ];
  if (trimmed > 0) sentences.push(`Trimmed by switches: ${formatCountOf(trimmed, 'frame')}.`);
  if (retransmitted > 0) sentences.push(`Retransmitted: ${formatCountOf(retransmitted, 'frame')}.`);
  if (nacks.length > 0) sentences.push(`NACKs: ${listOf(nacks)}.`);
  return sentences;
}

function listOf(counts: UetSummary['types']): string {
  return counts.map(({ name, frames }) => `${name} ${formatCount(frames)}`).join(', ');
}
