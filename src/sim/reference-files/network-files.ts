/**
 * The reference simulator's files of topology and flows, and the link that `LINK_DOWN` of its config file takes down.
 *
 *   topology   nodes switches links            or, in a descendant (ns3-datacenter), nodes switches leaves links: the number of
 *                                              leaves has no effect
 *              ids of the switches ...
 *              node node rate delay error-rate        one line per link
 *   flows      flows
 *              source destination class destination-port bytes start-in-seconds        one line per flow, in the order of their
 *                                                                                      starts
 *
 * All nodes that are not switches are hosts. Ports of a node are numbered in the order of the links. The flow file has no source
 * ports: the k-th flow of a pair of hosts, from 0, has 10,000 + k. In ConWeave's simulator it has no destination ports either: the
 * k-th flow from a source has source port 10,000 + k, the k-th flow to a destination has destination port 100 + k
 * (docs/specs/reference-lossy.md, section 1).
 */
import { BPS_PER_GBPS } from '../../units.js';
import type { EdgeNodeSpec, EdgeSpec, EdgesSpec, FlowSpec } from '../scenario/spec.js';
import type { ReferenceConfig } from './config-file.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';
import { delayNsOf, noteOnSurplus, numberOf, rateOf, ReferenceText, rejectText, wholeOf, type Word, rejectWord,
  secondsToPs } from './reference-text.js';

const MAX_NODES = 65_535;
const MAX_LINKS = 1_048_576;
const LINK_COLUMNS = ['node', 'node', 'rate', 'delay', 'error rate'];
/** The instant from which `LINK_DOWN` counts its time: when flows begin in the reference simulator's samples. */
const BASE_US = 2_000_000;

/** A link, and its position in the file. */
interface ReferenceLink {
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

const MAX_FLOWS = 1_048_576;
const MAX_PORT = 65_535;
const FLOW_COLUMNS = ['source', 'destination', 'class', 'destination port', 'bytes', 'start'];
const LOSSY_FLOW_COLUMNS = FLOW_COLUMNS.filter((column) => column !== 'destination port');
const LOSSY_FIRST_SOURCE_PORT = 10_000;
const LOSSY_FIRST_DESTINATION_PORT = 100;

/** The flows of a file. */
interface ReferenceFlows {
  readonly flows: readonly FlowSpec[];
  readonly notes: readonly ReferenceNote[];
}

/** @throws RoceError `invalid-scenario`, naming file, line and word. */
export function readFlowFile(text: string, file: string, topology: ReferenceTopology): ReferenceFlows {
  const source = new ReferenceText(text, file);
  const [count] = source.row('first line', ['number of flows']);
  const flows: FlowSpec[] = [];
  let lastStartPs = 0;
  for (let index = wholeOf(count, 'number of flows', 1, MAX_FLOWS); index > 0; index--) {
    const words = source.row(`flow ${flows.length}`, FLOW_COLUMNS);
    const flow = flowOf(words, topology);
    requireOrder(flow.startPs, lastStartPs, words[5]);
    lastStartPs = flow.startPs;
    flows.push(flow);
  }
  return { flows, notes: noteOnSurplus('flows', flows.length, source.surplus(FLOW_COLUMNS.length)) };
}

/** The flow file of ConWeave's simulator. @throws RoceError `invalid-scenario`, naming file, line and word. */
export function readLossyFlowFile(text: string, file: string, topology: ReferenceTopology): ReferenceFlows {
  const source = new ReferenceText(text, file);
  const [count] = source.row('first line', ['number of flows']);
  const flows: FlowSpec[] = [];
  const [sent, received] = [new Map<string, number>(), new Map<string, number>()];
  let lastStartPs = 0;
  for (let index = wholeOf(count, 'number of flows', 1, MAX_FLOWS); index > 0; index--) {
    const [from, to, trafficClass, bytes, start] = source.row(`flow ${flows.length}`, LOSSY_FLOW_COLUMNS);
    const ports = [
      LOSSY_FIRST_SOURCE_PORT + countOne(sent, from.text),
      LOSSY_FIRST_DESTINATION_PORT + countOne(received, to.text),
    ].map((port) => port % (MAX_PORT + 1));
    const flow = flowOf([from, to, trafficClass, { text: String(ports[1]), place: to.place }, bytes, start], topology);
    requireOrder(flow.startPs, lastStartPs, start);
    lastStartPs = flow.startPs;
    flows.push({ ...flow, sourcePort: ports[0] });
  }
  return { flows, notes: noteOnSurplus('flows', flows.length, source.surplus(LOSSY_FLOW_COLUMNS.length)) };
}

/** Counts a host; returns its number of earlier occurrences. */
function countOne(counts: Map<string, number>, host: string): number {
  const before = counts.get(host) ?? 0;
  counts.set(host, before + 1);
  return before;
}

function requireOrder(startPs: number, lastStartPs: number, { text, place }: Word): void {
  if (startPs >= lastStartPs) return;
  rejectText({ what: 'the start', problem: 'is before that of the flow above', got: text, where: place });
}

function flowOf(words: readonly Word[], topology: ReferenceTopology): FlowSpec & { readonly startPs: number } {
  const [source, destination, trafficClass, port, bytes, start] = words;
  if (source.text === destination.text) {
    const got = `${source.text} ${destination.text}`;
    rejectText({ what: 'the flow', problem: 'goes from a host to itself', got, where: source.place });
  }
  return {
    from: hostOf(source, 'source', topology),
    to: hostOf(destination, 'destination', topology),
    trafficClass: wholeOf(trafficClass, 'class', 1, 7),
    destinationPort: wholeOf(port, 'destination port', 0, MAX_PORT),
    sizeBytes: wholeOf(bytes, 'number of bytes', 1, Number.MAX_SAFE_INTEGER),
    startPs: secondsToPs(start, 'start'),
  };
}

function hostOf(word: Word, name: string, topology: ReferenceTopology): string {
  const node = wholeOf(word, name, 0, topology.isSwitch.length - 1);
  if (topology.isSwitch[node]) rejectWord(word, `the ${name}`, 'a host, not a switch');
  return nodeName(topology, node);
}
