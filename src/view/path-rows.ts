/** Nodes of a flow's path in the order in which they are drawn: the sender first, the receiver last, those of the way back between them. */
import type { FlowPath } from '../sim/flow-path/flow-path.js';

/** Names of nodes; each once. */
export function pathRows({ data, response }: FlowPath): string[] {
  const rows = [...new Set(data.hops.flatMap(({ node, peer }) => [node, peer]))];
  let above = -1;
  for (const node of nodesHome(response)) {
    const known = rows.indexOf(node);
    if (known >= 0) above = known;
    else rows.splice(++above, 0, node);
  }
  return rows;
}

/** From the sender on. */
function nodesHome(response: FlowPath['response']): string[] {
  if (response === null) return [];
  return [...new Set(response.hops.flatMap(({ node, peer }) => [node, peer]))].reverse();
}
