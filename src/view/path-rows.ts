/** Nodes of a flow's path in drawing order: sender first, receiver last, nodes of the response's path between them. */
import type { FlowPath } from '../sim/flow-path/flow-path.js';

/** Names of nodes, without duplicates. */
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

/** Nodes of the response's path, beginning with the sender. */
function nodesHome(response: FlowPath['response']): string[] {
  if (response === null) return [];
  return [...new Set(response.hops.flatMap(({ node, peer }) => [node, peer]))].reverse();
}
