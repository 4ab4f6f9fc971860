/**
 * The reference simulator's flow file.
 *
 *   flows
 *   source destination class destination-port bytes start-in-seconds        one line per flow, in the order of their
 *                                                                           starts
 *
 * Source ports aren't in it: the k-th flow of a pair of hosts, from 0, has 10,000 + k.
 */
import type { FlowSpec } from '../scenario/spec.js';
import { ReferenceText, refuseText, refuseWord, secondsToPs, wholeOf, type Word } from './reference-text.js';
import { nodeName, type ReferenceTopology } from './topology-file.js';

const MAX_FLOWS = 1_048_576;
const MAX_PORT = 65_535;
const COLUMNS = ['source', 'destination', 'class', 'destination port', 'bytes', 'start'];

/** @throws RoceError `invalid-scenario`, naming file, line and word. */
export function readFlowFile(text: string, file: string, topology: ReferenceTopology): readonly FlowSpec[] {
  const source = new ReferenceText(text, file);
  const [count] = source.row('first line', ['number of flows']);
  const flows: FlowSpec[] = [];
  let lastStartPs = 0;
  for (let index = wholeOf(count, 'number of flows', 1, MAX_FLOWS); index > 0; index--) {
    const words = source.row(`flow ${flows.length}`, COLUMNS);
    const flow = flowOf(words, topology);
    if (flow.startPs < lastStartPs) {
      const problem = 'is before that of the flow above';
      refuseText({ what: 'the start', problem, got: words[5].text, where: words[5].place });
    }
    lastStartPs = flow.startPs;
    flows.push(flow);
  }
  return flows;
}

function flowOf(words: readonly Word[], topology: ReferenceTopology): FlowSpec & { readonly startPs: number } {
  const [source, destination, trafficClass, port, bytes, start] = words;
  if (source.text === destination.text) {
    const got = `${source.text} ${destination.text}`;
    refuseText({ what: 'the flow', problem: 'goes from a host to itself', got, where: source.place });
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
  if (topology.isSwitch[node]) refuseWord(word, `the ${name}`, 'a host, not a switch');
  return nodeName(topology, node);
}
