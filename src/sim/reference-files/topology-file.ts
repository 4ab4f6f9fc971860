/**
 * The reference simulator's topology file.
 *
 *   nodes switches links
 *   ids of the switches ...
 *   node node rate delay error-rate        one line per link
 *
 * All other nodes are hosts. Ports of a node are numbered in the order of the links.
 */
import type { EdgeNodeSpec, EdgeSpec, EdgesSpec } from '../scenario/spec.js';
import { delayNsOf, numberOf, rateOf, ReferenceText, rejectText, wholeOf, type Word } from './reference-text.js';

const MAX_NODES = 65_535;
const MAX_LINKS = 1_048_576;
const BPS_PER_GBPS = 1e9;

/** A link, and its place in the file. */
export interface ReferenceLink {
  readonly a: number;
  readonly b: number;
  readonly rateBps: number;
  readonly delayNs: number;
  readonly errorRate: number;
  readonly place: string;
}

export interface ReferenceTopology {
  readonly isSwitch: readonly boolean[];
  readonly links: readonly ReferenceLink[];
}

/** @throws RoceError `invalid-scenario`, naming file, line and word. */
export function readTopologyFile(text: string, file: string): ReferenceTopology {
  const source = new ReferenceText(text, file);
  const [nodes, switches, links] = source.row('first line', ['nodes', 'switches', 'links']);
  const nodeCount = wholeOf(nodes, 'number of nodes', 2, MAX_NODES);
  const switchCount = wholeOf(switches, 'number of switches', 0, nodeCount);
  const isSwitch = Array<boolean>(nodeCount).fill(false);
  for (const word of source.words('ids of the switches', switchCount)) noteSwitch(word, isSwitch);
  return {
    isSwitch,
    links: Array.from({ length: wholeOf(links, 'number of links', 1, MAX_LINKS) },
      (_, index) => readLink(source, index, nodeCount)),
  };
}

function noteSwitch(word: Word, isSwitch: boolean[]): void {
  const node = wholeOf(word, 'switch', 0, isSwitch.length - 1);
  if (isSwitch[node]) rejectText({ what: 'the switch', problem: 'is named twice', got: word.text, where: word.place });
  isSwitch[node] = true;
}

function readLink(source: ReferenceText, index: number, nodeCount: number): ReferenceLink {
  const [a, b, rate, delay, errorRate] = source.row(`link ${index}`, ['node', 'node', 'rate', 'delay', 'error rate']);
  const link = {
    a: wholeOf(a, 'node of a link', 0, nodeCount - 1),
    b: wholeOf(b, 'node of a link', 0, nodeCount - 1),
    rateBps: rateOf(rate, 'rate of a link'),
    delayNs: delayNsOf(delay, 'delay of a link'),
    errorRate: numberOf(errorRate, 'error rate of a link', 0, 1),
    place: a.place,
  };
  if (link.a === link.b) {
    const got = `${a.text} ${b.text}`;
    rejectText({ what: 'the link', problem: 'goes from a node to itself', got, where: link.place });
  }
  return link;
}

/** `h3` for host 3, `s17` for switch 17: the file's ids, which are the simulator's. */
export function nodeName({ isSwitch }: ReferenceTopology, node: number): string {
  return `${isSwitch[node] ? 's' : 'h'}${node}`;
}

/** @param errorRatePerLink of links without an error rate. */
export function edgesOf(topology: ReferenceTopology, errorRatePerLink: number): EdgesSpec {
  const nodes = topology.isSwitch.map((isSwitch, node): EdgeNodeSpec => ({
    name: nodeName(topology, node),
    kind: isSwitch ? 'switch' : 'host',
  }));
  const links = topology.links.map((link): EdgeSpec => {
    return {
      from: nodeName(topology, link.a),
      to: nodeName(topology, link.b),
      rateGbps: link.rateBps / BPS_PER_GBPS,
      delayNs: link.delayNs,
      ...(link.errorRate > 0 ? { errorRate: link.errorRate } : {}),
    };
  });
  return { kind: 'edges', nodes, links, ...(errorRatePerLink > 0 ? { errorRate: errorRatePerLink } : {}) };
}
