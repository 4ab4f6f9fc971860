/** Fairness of equal paths and reordering, for scenarios with load balancing or flows that changed their source port. */
import type { FlowResult, SimResult, Summary, EqualPathsResult } from '../result.js';
import { bytesWords, countWords, reason, wholeWords, type Explanation, type Reason } from './explanation.js';
import { findingsOf, flowText, sentences, text, type Text } from './text.js';

const DIGITS = 3;

export function explainPaths({ equalPaths: paths = [], flows, summary, totals }: SimResult): Explanation | undefined {
  const { detours = 0, outOfOrderPackets = 0, pathFairness } = summary;
  if (paths.length === 0 && detours === 0) return undefined;
  const deepest = mostReordered(flows);
  return {
    topic: 'paths',
    code: 'equal-paths-used',
    question: 'How evenly were equal paths used, and which packets arrived out of order?',
    ...findingsOf(pathFairness !== undefined && useWords(paths, pathFairness), detours > 0 &&
      `Senders took another UDP source port ${countWords(detours, 'time')}, ${
        countWords(flows.filter((flow) => flow.detours !== undefined).length, 'flow')
      } in all.`, outOfOrderPackets === 0 ?
      'All data arrived in order.' :
      text`${wholeWords(outOfOrderPackets)} of ${
        countWords(totals.dataPackets, 'data packet')
      } came ahead of the one expected, by up to ${countWords(deepest?.reorderingDepthPackets ?? 0, 'packet')} (${
        flowText(deepest?.index ?? 0)
      }).`),
    because: reasons(summary, deepest),
    missing: [],
  };
}

function reasons({ pathFairness, detours = 0, outOfOrderPackets = 0 }: Summary,
  deepest: FlowResult | undefined): Reason[] {
  return [
    ...(pathFairness === undefined ? [] : [reason("Jain's index of equal paths, by what they sent", pathFairness, '')]),
    reason('detours', detours, 'detours'),
    reason('packets out of order', outOfOrderPackets, 'packets'),
    reason('reordering depth, at most', deepest?.reorderingDepthPackets ?? 0, 'packets'),
  ];
}

function useWords(paths: readonly EqualPathsResult[], pathFairness: number): Text {
  const [first] = paths;
  const least = paths.reduce((worst, one) => (unevenBytes(one) > unevenBytes(worst) ? one : worst), first);
  const { node, ports, txBytes, fairness } = least;
  return sentences(`Jain's index of what equal paths sent is ${shown(pathFairness)} (1: all the same).`,
    `Most uneven was ${node}: its ${wholeWords(ports.length)} paths sent ${bytesWords(Math.min(...txBytes))} to ${
      bytesWords(Math.max(...txBytes))
    } (${shown(fairness)}).`);
}

/** A port that sends little is ignored, however uneven it is. */
function unevenBytes({ txBytes, fairness }: EqualPathsResult): number {
  return (1 - fairness) * txBytes.reduce((sum, bytes) => sum + bytes, 0);
}

function mostReordered(flows: readonly FlowResult[]): FlowResult | undefined {
  return flows.reduce<FlowResult | undefined>(
    (most, flow) => ((flow.reorderingDepthPackets ?? 0) > (most?.reorderingDepthPackets ?? 0) ? flow : most),
    undefined,
  );
}

const shown = (index: number): string => String(Number(index.toFixed(DIGITS)));
