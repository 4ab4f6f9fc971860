/**
 * The reference simulator's topology file, and the link that `LINK_DOWN` of its config file takes down.
 *
 *   nodes switches links            or, in a descendant (ns3-datacenter), nodes switches leaves links: the number of leaves
 *                                   has no effect
 *   ids of the switches ...
 *   node node rate delay error-rate        one line per link
 *
 * All other nodes are hosts. Ports of a node are numbered in the order of the links.
 */
import { BPS_PER_GBPS } from '../../unit-sizes.js';
import type { EdgeNodeSpec, EdgeSpec, EdgesSpec } from '../scenario/spec.js';
import type { ReferenceConfig } from './config-file.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';
import { delayNsOf, noteOnSurplus, numberOf, rateOf, ReferenceText, rejectText, wholeOf,
  type Word } from './reference-text.js';

const MAX_NODES = 65_535;
const MAX_LINKS = 1_048_576;
const LINK_COLUMNS = ['node', 'node', 'rate', 'delay', 'error rate'];
/** The instant from which `LINK_DOWN` counts its time: when flows begin in the reference simulator's samples. */
const BASE_US = 2_000_000;

/** A link, and its position in the file. */
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
  /** Notes on statements of the file that the topology omits. */
  readonly notes: readonly ReferenceNote[];
}

/** @throws RoceError `invalid-scenario`, naming file, line and word. */
export function readTopologyFile(text: string, file: string): ReferenceTopology {
  const source = new ReferenceText(text, file);
  const { nodes, switches, links, notes } = readCounts(source);
  const nodeCount = wholeOf(nodes, 'number of nodes', 2, MAX_NODES);
  const switchCount = wholeOf(switches, 'number of switches', 0, nodeCount);
  const isSwitch = Array<boolean>(nodeCount).fill(false);
  for (const word of source.words('ids of the switches', switchCount)) noteSwitch(word, isSwitch);
  const counted = wholeOf(links, 'number of links', 1, MAX_LINKS);
  return {
    isSwitch,
    links: Array.from({ length: counted }, (_, index) => readLink(source, index, nodeCount)),
    notes: [...notes, ...noteOnSurplus('links', counted, source.surplus(LINK_COLUMNS.length))],
  };
}

/** The numbers on the first line. */
interface Counts {
  readonly nodes: Word;
  readonly switches: Word;
  readonly links: Word;
  readonly notes: readonly ReferenceNote[];
}

function readCounts(source: ReferenceText): Counts {
  const words = source.row('first line', ['nodes', 'switches', 'links'], ['nodes', 'switches', 'leaves', 'links']);
  const [nodes, switches, third] = words;
  if (words.length === 3) return { nodes, switches, links: third, notes: [] };
  const leaves = wholeOf(third, 'number of leaves', 0, wholeOf(switches, 'number of switches', 0, MAX_NODES));
  const note = referenceNote('leaves-without-effect', { leaves, where: third.place });
  return { nodes, switches, links: words[3], notes: [note] };
}

function noteSwitch(word: Word, isSwitch: boolean[]): void {
  const node = wholeOf(word, 'switch', 0, isSwitch.length - 1);
  if (isSwitch[node]) rejectText({ what: 'the switch', problem: 'is named twice', got: word.text, where: word.place });
  isSwitch[node] = true;
}

function readLink(source: ReferenceText, index: number, nodeCount: number): ReferenceLink {
  const [a, b, rate, delay, errorRate] = source.row(`link ${index}`, LINK_COLUMNS);
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

/** Converts a topology to `edges`. @param errorRatePerLink error rate of links that state none. */
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

/** A link that goes down. */
export interface LinkDown {
  readonly fromUs: number;
  readonly a: number;
  readonly b: number;
}

/**
 * `LINK_DOWN time a b` of a config file: the link between nodes a and b goes down permanently, `time` microseconds after 2 s.
 * Time 0: never.
 * @throws RoceError `invalid-scenario`, naming file, line and key.
 */
export function linkDownOf(config: ReferenceConfig): LinkDown | undefined {
  const [time, a, b] = config.words('LINK_DOWN').map(({ text, place }) => {
    if (/^\d{1,10}$/.test(text)) return Number(text);
    const allowed = 'microseconds and two nodes, all whole numbers';
    return rejectText({ what: 'LINK_DOWN', got: text, allowed, where: place });
  });
  return time === 0 ? undefined : { fromUs: BASE_US + time, a, b };
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectLinkDown(config: ReferenceConfig, { a, b }: LinkDown): never {
  const problem = 'names two nodes without a link between them';
  return rejectText({ what: 'LINK_DOWN', problem, got: [a, b], where: config.word('LINK_DOWN').place });
}
