/** Report section of `--icrc check`. */
import { formatCount, formatCountOf } from '../format.js';
import type { ReplayReport } from '../../replay/index.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';

/** Maximum number of frames with a wrong ICRC that are shown; `--json` has up to 100. */
const FRAMES_SHOWN = 10;

/** Lines of the section; empty unless ICRCs were checked. */
export function icrcSection({ icrc, capture, mrc }: ReplayReport, style: TextStyle): string[] {
  if (icrc === undefined || capture.frames === 0) return [];
  const { checked, cut } = icrc;
  // The section on MRC states its own result.
  if (checked + cut === 0 && mrc !== undefined) return [];
  const sentences = [
    checked === 0 ? 'No frame has an ICRC that can be checked.' : verdict(icrc),
    ...zeroSentences(icrc),
    ...(cut === 0 ? [] : [`Not checked, since cut by the snap length: ${formatCountOf(cut, 'frame')}`]),
  ];
  return [...heading('ICRC', style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

function verdict({ checked, wrong, wrongFrames }: NonNullable<ReplayReport['icrc']>): string {
  if (wrong === 0) return `All checked ICRCs are correct (${formatCountOf(checked, 'frame')}).`;
  const shown = wrongFrames.slice(0, FRAMES_SHOWN).map(formatCount).join(', ');
  const more = wrong > FRAMES_SHOWN ? ', …' : '';
  const verb = wrong === 1 ? 'has' : 'have';
  return `${formatCount(wrong)} of ${formatCountOf(checked, 'frame')} ${verb} a wrong ICRC (frame${
    wrong === 1 ? '' : 's'
  } ${shown}${more}).`;
}

function zeroSentences({ wrong, zero }: NonNullable<ReplayReport['icrc']>): string[] {
  if (zero === 0) return [];
  const which = zero === wrong ? (wrong === 1 ? 'It is' : 'All of them are') : `${formatCount(zero)} of them are`;
  return [`${which} 0, as in a capture at the sender, before the adapter computes the ICRC.`];
}
