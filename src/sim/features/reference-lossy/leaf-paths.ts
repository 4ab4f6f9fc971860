/**
 * All shortest paths between leaves, encoded for the kernel (assembly/simulator/lossy/leaf-paths.ts), and the flowlet entries
 * of flows.
 *
 * A path is encoded as a number: one byte per egress port, counted from 1, from the first leaf to the switch before the other
 * leaf; the first port is the lowest byte. The paths of a pair are sorted by this number. Source:
 * docs/specs/reference-lossy.md, section 9.
 */
import { SIM_NONE } from '../../../abi/sim-codes.js';
import { RoceError } from '../../../errors.js';
import type { NetworkPlan } from '../../plan.js';

/** Maximum bytes of a path's number, and the highest port that a byte holds. */
const HOPS_MAX = 4;
const PORT_MAX = 255;
const SLOTS = 65_536;

export interface LeafPaths {
  /** Number of paths of all pairs. */
  readonly count: number;
  readonly words: Uint32Array;
}

/**
 * The paths between leaves, which rules need that choose a path at the first leaf. Computed once per run, as large networks
 * take long.
 */
export function pathsOf(plan: NetworkPlan): LeafPaths {
  const { balancing } = plan.lossy ?? { balancing: 'ecmp' };
  return balancing === 'ecmp' || balancing === 'drill' ? { count: 0, words: new Uint32Array(0) } : leafPaths(plan);
}

/**
 * @throws RoceError `invalid-scenario` for paths of more than four switches before the last one, or switches on them with more
 * than 255 ports.
 */
function leafPaths(plan: NetworkPlan): LeafPaths {
  const leaves = plan.lossy?.leaves ?? [];
  const leafOf = new Uint32Array(plan.nodes.length).fill(SIM_NONE);
  leaves.forEach((node, leaf) => {
    leafOf[node] = leaf;
  });
  const begins: number[] = [0];
  const [paths, slots]: [number[], number[]] = [[], []];
  for (const from of leaves) {
    const firstBySlot = new Map<number, number>();
    for (const to of leaves) {
      const found = pathsBetween(plan, from, to);
      slots.push(
        ...found.map((path, i) =>
          firstInSlot(firstBySlot, pathHash(path, plan.nodes[from].hashSeed), paths.length + i)
        ),
      );
      paths.push(...found);
      begins.push(paths.length);
    }
  }
  return { count: paths.length, words: Uint32Array.from([leaves.length, ...leafOf, ...begins, ...paths, ...slots]) };
}

/** The path that represents a hash slot at a leaf: the first one hashed into it. */
function firstInSlot(firstBySlot: Map<number, number>, hash: number, place: number): number {
  const slot = hash % SLOTS;
  const first = firstBySlot.get(slot) ?? place;
  firstBySlot.set(slot, first);
  return first;
}

/** Numbers of all shortest paths from one leaf to another, ascending. */
function pathsBetween(plan: NetworkPlan, from: number, to: number): number[] {
  if (from === to) return [];
  const host = hostOf(plan, to);
  if (host === undefined) return [];
  const found = new Set<number>();
  const follow = (node: number, hops: number, path: number): void => {
    if (node === to) {
      found.add(path);
      return;
    }
    for (const port of plan.groups[plan.routes.group(node, host)] ?? []) {
      const number = port - plan.nodes[node].firstPort + 1;
      if (hops === HOPS_MAX || number > PORT_MAX) rejectPath(plan, from, to);
      follow(plan.ports[plan.ports[port].peerPort].node, hops + 1, path + number * 2 ** (8 * hops));
    }
  };
  follow(from, 0, 0);
  return [...found].sort((a, b) => a - b);
}

/** A host attached to a leaf. */
function hostOf({ nodes, ports }: NetworkPlan, leaf: number): number | undefined {
  const { firstPort, portCount } = nodes[leaf];
  for (let port = firstPort; port < firstPort + portCount; port++) {
    const { node } = ports[ports[port].peerPort];
    if (nodes[node].kind === 'host') return node;
  }
  return undefined;
}

function rejectPath({ nodes }: NetworkPlan, from: number, to: number): never {
  throw new RoceError('invalid-scenario', {
    what: 'the path',
    problem: `from ${nodes[from].name} to ${nodes[to].name} is too long, or a switch on it has too many ports`,
    got: { from: nodes[from].name, to: nodes[to].name },
    allowed: `${HOPS_MAX} switches before the last one, ${PORT_MAX} ports each`,
    where: 'switches.loadBalancing',
    hint: 'ecmp and drill have no such limit',
  });
}

/** MurmurHash3 (32 bits) of four bytes. */
function pathHash(path: number, seed: number): number {
  let hash = Math.imul(rotateLeft(Math.imul(path, 0xcc9e2d51), 15), 0x1b873593) ^ seed;
  hash = (Math.imul(rotateLeft(hash, 13), 5) + 0xe6546b64) ^ 4;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/**
 * The flowlet entry of each flow. Its key is the first leaf, destination, source port, and destination port OR class, as in
 * ConWeave's simulator.
 */
export function flowletEntries({ flows, ports, nodes }: NetworkPlan): Uint32Array {
  const entries = new Map<string, number>();
  const found = new Uint32Array(flows.length);
  for (let flow = 0; flow < flows.length; flow++) {
    const leaf = ports[ports[flows.sourcePort[flow]].peerPort].node;
    const key = `${leaf} ${nodes[flows.destination[flow]].address} ${flows.udpSourcePort[flow]} ${
      flows.udpDestinationPort[flow] | flows.dataClass[flow]
    }`;
    const entry = entries.get(key) ?? entries.size;
    entries.set(key, entry);
    found[flow] = entry;
  }
  return found;
}
