/** Fairness of equal paths and reordering, for scenarios with load balancing or flows that changed their source port. */
import type { FlowResult, SimResult, Summary, EqualPathsResult } from '../../result.js';
import { type Explanation, answerOf, finding, type Finding, reason, type Reason } from '../../explain/explanation.js';

export function explainPaths({ equalPaths: paths = [], flows, summary, totals }: SimResult): Explanation | undefined {
  const { detours = 0, outOfOrderPackets = 0, pathFairness } = summary;
  if (paths.length === 0 && detours === 0) return undefined;
  const deepest = mostReordered(flows);
  return {
    topic: 'paths',
    code: 'equal-paths-used',
    question: 'How evenly were equal paths used, and which packets arrived out of order?',
    ...answerOf(pathFairness !== undefined && useFinding(paths, pathFairness), detours > 0 &&
      finding('detours-taken', { detours, flows: flows.filter((flow) => flow.detours !== undefined).length }),
      outOfOrderPackets === 0 ? finding('all-in-order') : finding('out-of-order', {
        packets: outOfOrderPackets,
        dataPackets: totals.dataPackets,
        depthPackets: deepest?.reorderingDepthPackets ?? 0,
        flow: deepest?.index ?? 0,
      })),
    because: reasons(summary, deepest),
    missing: [],
  };
}

function reasons({ pathFairness, detours = 0, outOfOrderPackets = 0 }: Summary,
  deepest: FlowResult | undefined): Reason[] {
  return [
    ...(pathFairness === undefined ? [] : [reason('path-fairness', pathFairness)]),
    reason('detours', detours),
    reason('packets-out-of-order', outOfOrderPackets),
    reason('reordering-depth', deepest?.reorderingDepthPackets ?? 0),
  ];
}

function useFinding(paths: readonly EqualPathsResult[], pathFairness: number): Finding {
  const [first] = paths;
  const least = paths.reduce((worst, one) => (unevenBytes(one) > unevenBytes(worst) ? one : worst), first);
  const { node, ports, txBytes, fairness } = least;
  return finding('equal-paths', {
    fairness: pathFairness,
    node,
    paths: ports.length,
    leastBytes: Math.min(...txBytes),
    mostBytes: Math.max(...txBytes),
    nodeFairness: fairness,
  });
}

/** Bytes that were sent unevenly. A set that carries little traffic counts little, however uneven it is. */
function unevenBytes({ txBytes, fairness }: EqualPathsResult): number {
  return (1 - fairness) * txBytes.reduce((sum, bytes) => sum + bytes, 0);
}

function mostReordered(flows: readonly FlowResult[]): FlowResult | undefined {
  return flows.reduce<FlowResult | undefined>(
    (most, flow) => ((flow.reorderingDepthPackets ?? 0) > (most?.reorderingDepthPackets ?? 0) ? flow : most),
    undefined,
  );
}
