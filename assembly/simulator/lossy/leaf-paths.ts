/**
 * The shortest paths between each pair of leaves, for balancers that choose them at the first leaf, ordered by the number formed
 * by their egress ports, first hop lowest. Written by the host.
 *
 *   words   number of leaves, n; leaf of each node, or SIM_NONE; n n + 1 first path indices, by source leaf and destination leaf;
 *           for each path, its ports as a number, a byte each; for each path, the path that represents its hash slot at its source
 *           leaf
 *
 * Source: docs/specs/reference-lossy.md, section 9.
 */
import { nodeCount, portAt } from '../network';
import { pathCount, pathWords } from './network';
import { SimFlow, SimNode } from '../../records/network';

@inline function word(index: u32): u32 {
  return load<u32>(pathWords + (<usize>index << 2));
}

@inline function leafCount(): u32 {
  return word(0);
}

/** Number of a leaf among the leaves; SIM_NONE if the switch is not a leaf. */
@inline export function leafOf(node: u32): u32 {
  return word(1 + node);
}

/** The leaves of a flow's sender and receiver. */
@inline export function sourceLeaf(flow: SimFlow): u32 {
  return portAt(portAt(flow.sourcePort).peer).node;
}

@inline export function destinationLeaf(flow: SimFlow): u32 {
  return portAt(portAt(flow.responsePort).peer).node;
}

@inline function pairOf(from: u32, to: u32): u32 {
  return 1 + nodeCount + leafOf(from) * leafCount() + leafOf(to);
}

/** The first path from one leaf to another; the others follow. */
@inline export function firstPath(from: u32, to: u32): u32 {
  return word(pairOf(from, to));
}

@inline export function pathsBetween(from: u32, to: u32): u32 {
  return word(pairOf(from, to) + 1) - word(pairOf(from, to));
}

@inline function portsAt(): u32 {
  return 1 + nodeCount + leafCount() * leafCount() + 1;
}

/** The ports of a path as a number. */
@inline export function portsOfPath(path: u32): u32 {
  return word(portsAt() + path);
}

/** The path that represents this one's hash slot. */
@inline export function slotOfPath(path: u32): u32 {
  return word(portsAt() + pathCount + path);
}

/** Number of links between switches on a path. */
export function linksOfPath(path: u32): u32 {
  let links: u32 = 0;
  for (let ports = portsOfPath(path); ports; ports >>= 8) links++;
  return links;
}

/** The egress port of a hop of a path at a switch. */
@inline export function portOfHop(node: SimNode, path: u32, hop: u32): u32 {
  return node.firstPort + ((portsOfPath(path) >> (hop << 3)) & 0xff) - 1;
}
