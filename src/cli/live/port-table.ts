/** The counters of a port as text: frames received, sent, and dropped, with reasons. */
import type { FramePortStats } from '../../live/index.js';
import { formatBytes, formatCount, formatCountOf } from '../format.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';

const DROP_WORDS: Readonly<Record<string, string>> = {
  'kernel-ring-full': 'no room in the ring of the kernel',
  'queue-full': 'no room in the queue',
  'too-long': 'too long',
  'too-short': 'too short',
  error: 'errors of the system',
  'interface-down': 'the interface was down',
  'peer-gone': 'nothing listened at the peer',
  closed: 'not sent before the end',
};

/** The counters' lines, below a heading. */
export function portLines(name: string, stats: FramePortStats, style: TextStyle): string[] {
  const { receivedFrames, receivedBytes, sentFrames, sentBytes, rejectedFrames, linkDowns } = stats;
  const sentences = [
    `received ${formatCountOf(receivedFrames, 'frame')}, ${formatBytes(receivedBytes)}; ${dropsOf(stats.receiveDrops)}`,
  ];
  if (sentFrames + rejectedFrames + sumOf(stats.sendDrops) > 0) {
    const rejected = rejectedFrames === 0 ? '' : `; no room for ${formatCount(rejectedFrames)}`;
    sentences.push(
      `sent ${formatCountOf(sentFrames, 'frame')}, ${formatBytes(sentBytes)}; ${dropsOf(stats.sendDrops)}${rejected}`,
    );
  }
  if (linkDowns > 0) sentences.push(`down ${formatCountOf(linkDowns, 'time')}`);
  return [...heading(`Port ${name}`, style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

/** Total of dropped frames, over all reasons. */
export function sumOf(drops: Readonly<Record<string, number>>): number {
  return Object.values(drops).reduce((sum, count) => sum + count, 0);
}

function dropsOf(drops: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(drops).filter(([, count]) => count > 0);
  if (reasons.length === 0) return 'none dropped';
  return `dropped: ${
    reasons.map(([reason, count]) => `${formatCount(count)} ${DROP_WORDS[reason] ?? reason}`).join(', ')
  }`;
}
