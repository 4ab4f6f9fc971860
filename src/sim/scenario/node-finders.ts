/** Finds nodes by their names in a scenario. */
import type { NetworkNode } from '../topology/network.js';
import { nameFinder, type NameFinder } from './scenario-error.js';

/** Functions that find a node of a kind by name, or reject the name. */
export interface NodeFinders {
  readonly node: NameFinder;
  readonly host: NameFinder;
  readonly switch: NameFinder;
}

export function nodeFinders(nodes: readonly NetworkNode[]): NodeFinders {
  const finder = (what: string, kinds: readonly NetworkNode['kind'][]): NameFinder =>
    nameFinder(new Map(nodes.flatMap(({ name, kind }, i) => (kinds.includes(kind) ? [[name, i] as const] : []))), what);
  return {
    node: finder('a node', ['host', 'switch']),
    host: finder('a host', ['host']),
    switch: finder('a switch', ['switch']),
  };
}
