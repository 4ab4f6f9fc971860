/** Findings of discovery before traffic, in a result. */
import { absent, flag, list, number, record, text, texts, words, FIGURES } from '../../result-schema/parts.js';

const verdict = (meaning: string) => words(['lossless', 'not-lossless', 'unknown'], meaning);

export const DISCOVERY_HOP = record({
  node: text('Name of the node.'),
  hop: number('Hop count of its reply.'),
  roundTripPs: number("From the request's first bit to the reply's last, picoseconds."),
}, 'A node that replied.', 'DiscoveryHopResult');

export const DISCOVERY_FINDING = record({
  weight: words(['not-lossless', 'unknown', 'note'], 'What it means for the path; `note`: nothing.'),
  code: text('What was found: `priorities-differ`. A code keeps its meaning.'),
  figures: FIGURES,
  hop: absent(number('Hop that it concerns. Absent: the whole path.')),
}, 'A finding on a path, as data.', 'DiscoveryFindingResult');

export const DISCOVERY_PATH = record({
  from: text('Name of the sending host, which sent the probes.'),
  to: text('Name of the receiving host.'),
  flow: number('Index of the first flow that takes this path.'),
  verdict: verdict('Verdict of the first round.'),
  reasons: texts('Reasons of the verdict, as sentences; empty when lossless.'),
  remarks: texts('Sentences on differences that are not dangerous.'),
  pushed: absent(texts('The effect of the policy, node by node, in sentences. Absent: none was pushed.')),
  verdictAfter: absent(verdict('Verdict of the last round. Absent: nothing was pushed.')),
  reasonsAfter: absent(texts('Reasons of that verdict, as sentences. Absent: nothing was pushed.')),
  findings: absent(
    list(DISCOVERY_FINDING,
      'Findings of the first round as data: `reasons` and `remarks` are their sentences. Not in the hash, as they say the same. ' +
        'Absent: in files of versions without them.'),
  ),
  hops: list(DISCOVERY_HOP, 'Hops that replied in the first round: routers in order, the destination last.'),
}, 'One path, by its probe.', 'DiscoveryPathResult');

export const DISCOVERY = record({
  form: text('Of the packets: `ipv4` or `ipv6`.'),
  verdict: verdict('The worst verdict of all paths, with the settings that the flows used.'),
  isAsAsked: flag('Whether each node did all that the policy requires when the flows started.'),
  endPs: number('When the last round was over: all flow starts are delayed by this much, picoseconds.'),
  rounds: number('Rounds: 1; 3 where a policy was pushed (probe, push, probe).'),
  requests: number('Requests sent by hosts.'),
  replies: number('Replies sent by switches and hosts.'),
  repliesDropped: number('Replies that access lists dropped.'),
  changed: texts('Switches that the policy changed, by name.'),
  paths: list(DISCOVERY_PATH, 'Paths in the order of their first flows.'),
}, 'Discovery over the paths of all flows.', 'DiscoveryResult');
