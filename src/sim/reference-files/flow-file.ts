/**
 * The reference simulator's flow file.
 *
 *   flows
 *   source destination class destination-port bytes start-in-seconds        one line per flow, in the order of their
 *                                                                           starts
 *
 * The file has no source ports: the k-th flow of a pair of hosts, from 0, has 10,000 + k.
 *
 * In ConWeave's simulator it has no destination ports either: the k-th flow from a source has source port 10,000 + k, the k-th
 * flow to a destination has destination port 100 + k (docs/specs/reference-lossy.md, section 1).
 */
import type { FlowSpec } from '../scenario/spec.js';
import type { ReferenceNote } from './reader-notes.js';
import { noteOnSurplus, ReferenceText, rejectText, rejectWord, secondsToPs, wholeOf,
  type Word } from './reference-text.js';
import { nodeName, type ReferenceTopology } from './topology-file.js';

const MAX_FLOWS = 1_048_576;
const MAX_PORT = 65_535;
const COLUMNS = ['source', 'destination', 'class', 'destination port', 'bytes', 'start'];
const LOSSY_COLUMNS = COLUMNS.filter((column) => column !== 'destination port');
const LOSSY_FIRST_SOURCE_PORT = 10_000;
const LOSSY_FIRST_DESTINATION_PORT = 100;

/** The flows of a file. */
export interface ReferenceFlows {
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
    const words = source.row(`flow ${flows.length}`, COLUMNS);
    const flow = flowOf(words, topology);
    requireOrder(flow.startPs, lastStartPs, words[5]);
    lastStartPs = flow.startPs;
    flows.push(flow);
  }
  return { flows, notes: noteOnSurplus('flows', flows.length, source.surplus(COLUMNS.length)) };
}

/** The flow file of ConWeave's simulator. @throws RoceError `invalid-scenario`, naming file, line and word. */
export function readLossyFlowFile(text: string, file: string, topology: ReferenceTopology): ReferenceFlows {
  const source = new ReferenceText(text, file);
  const [count] = source.row('first line', ['number of flows']);
  const flows: FlowSpec[] = [];
  const [sent, received] = [new Map<string, number>(), new Map<string, number>()];
  let lastStartPs = 0;
  for (let index = wholeOf(count, 'number of flows', 1, MAX_FLOWS); index > 0; index--) {
    const [from, to, trafficClass, bytes, start] = source.row(`flow ${flows.length}`, LOSSY_COLUMNS);
    const ports = [
      LOSSY_FIRST_SOURCE_PORT + countOne(sent, from.text),
      LOSSY_FIRST_DESTINATION_PORT + countOne(received, to.text),
    ].map((port) => port % (MAX_PORT + 1));
    const flow = flowOf([from, to, trafficClass, { text: String(ports[1]), place: to.place }, bytes, start], topology);
    requireOrder(flow.startPs, lastStartPs, start);
    lastStartPs = flow.startPs;
    flows.push({ ...flow, sourcePort: ports[0] });
  }
  return { flows, notes: noteOnSurplus('flows', flows.length, source.surplus(LOSSY_COLUMNS.length)) };
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
