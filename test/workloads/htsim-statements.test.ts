/** Items of htsim files have an effect or are noted, and are never silently ignored. */
import { describe } from 'vitest';
import type { FormatItem } from '../../src/workloads/job-formats.js';
import { MATRIX_FORMAT, TOPOLOGY_FORMAT } from '../../src/workloads/format-tables.js';
import { readConnectionMatrix, readHtsimTopology, type MatrixOptions } from '../../src/workloads/index.js';
import { walkFormat, type Outcome, type Statement } from './support/format-walk.js';
import { outcomeOfGraph } from './support/graph-outcome.js';
import { sampleText } from './support/samples.js';
import { textsOf } from '../support/note-texts.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const readMatrix = async (text: string, options: MatrixOptions = {}): Promise<Outcome> =>
  outcomeOfGraph(await readConnectionMatrix(bytes(text), { name: 'x.cm', failures: 'in-topology', ...options }));
const matrices = (stated: string, without: string, options?: MatrixOptions): Statement => ({
  stated: () => readMatrix(stated, options),
  without: () => readMatrix(without, options),
});

/** A matrix of one connection with these words. */
const one = (words: string): string => `Nodes 3\nConnections 1\n0->1 ${words}\n`;
const connection = (words: string, without = 'start 0 size 8', options?: MatrixOptions): Statement =>
  matrices(one(words), one(without), options);
/** Two connections that share a trigger with this definition. */
const triggered = (first: string, second: string, trigger: string): string =>
  `Nodes 3\nConnections 3\nTriggers 1\n0->1 start 0 size 8 ${first}\n0->2 start 0 size 8 ${first}\n` +
  `1->2 size 8 ${second}\ntrigger ${trigger}\n`;
const MULTISHOT = triggered('send_done_trigger 1', 'id 3 trigger 1', 'id 1 multishot');
const BARRIER = triggered('send_done_trigger 1', 'id 3 trigger 1', 'id 1 barrier count 2');
const failing = (words: string): string =>
  `Nodes 2\nConnections 1\nFailures 1\n0->1 start 0 size 8\nfailure ${words}\n`;
const FAILURE = failing('switch_type AGG switch_id 1 link_id 1');

describe('each word of a connection matrix has an effect or is noted:', () => {
  walkFormat(MATRIX_FORMAT, {
    'header Nodes': matrices('Nodes 4\nConnections 1\n0->1 start 0 size 8\n', one('start 0 size 8')),
    'header Connections': matrices('Nodes 3\nConnections 2\n0->1 start 0 size 8\n', one('start 0 size 8')),
    'header Triggers': matrices(`Triggers 1\n${one('start 0 size 8')}`, one('start 0 size 8')),
    'header Failures': matrices(`Failures 1\n${one('start 0 size 8')}`, one('start 0 size 8')),
    'connection start': connection('start 5 size 8'),
    'connection size': connection('start 0 size 9'),
    'connection id': connection('start 0 size 8 id 0'),
    'connection trigger': matrices(BARRIER, BARRIER.replace('trigger 1\ntrigger', 'start 0\ntrigger')),
    'connection send_done_trigger': matrices(BARRIER, BARRIER.replaceAll('send_done', 'recv_done')),
    'connection recv_done_trigger': matrices(BARRIER.replaceAll('send_done', 'recv_done'), BARRIER),
    'connection prio': connection('start 0 size 8 prio 7'),
    'connection msg': connection('start 0 size 8 id 1 msg', 'start 0 size 8 id 1'),
    'trigger id': matrices(BARRIER.replace('trigger id 1', 'trigger id 2'), BARRIER),
    'trigger oneshot': matrices(MULTISHOT.replace('multishot', 'oneshot'), MULTISHOT),
    'trigger multishot': matrices(MULTISHOT, BARRIER),
    'trigger barrier': matrices(BARRIER, MULTISHOT),
    'trigger count': matrices(BARRIER.replace('count 2', 'count 1'), BARRIER),
    'failure switch_type': matrices(failing('switch_type CORE switch_id 1 link_id 1'), FAILURE),
    'failure switch_id': matrices(failing('switch_type AGG switch_id 0 link_id 1'), FAILURE),
    'failure link_id': matrices(failing('switch_type AGG switch_id 1 link_id 0'), FAILURE),
  });

  const noted = (part: string, name: string): FormatItem => ({ part, name, treatment: 'noted', meaning: '' });
  walkFormat({ ...MATRIX_FORMAT, items: [noted('connection', 'endless'), noted('failure', 'without a topology')] }, {
    'connection endless': {
      stated: () => readMatrix(one('start 0 size 0'), { endless: 'sent' }),
      without: async () => ({ ...await readMatrix(one('start 0'), { endless: 'sent' }), notes: [] }),
      calls: 'no end (size 0)',
    },
    'failure without a topology': {
      stated: () => readMatrix(FAILURE, { failures: 'noted' }),
      without: () => readMatrix(FAILURE),
      calls: 'not applied',
    },
  });
});

const LEAF_SPINE = sampleText('htsim/leaf-spine-16.topo');
const readTopology = async (text: string): Promise<Outcome> => {
  const { notes, ...effect } = await readHtsimTopology(bytes(text), { name: 'x.topo' });
  return { effect, notes: textsOf(notes) };
};
/** A topology file with another value of a key in the header or a tier. */
const topology = (pattern: RegExp, replacement: string): Statement => ({
  stated: () => readTopology(LEAF_SPINE.replace(pattern, replacement)),
  without: () => readTopology(LEAF_SPINE),
});

describe('each key of a topology file has an effect or is noted:', () => {
  walkFormat(TOPOLOGY_FORMAT, {
    'header Nodes': topology(/^Nodes \d+/im, 'Nodes 32'),
    'header Tiers': topology(/^Tiers \d+/im, 'Tiers 3'),
    'header Podsize': topology(/^Podsize \d+/im, 'Podsize 8'),
    'tier Tier': topology(/^Tier 1/im, 'Tier 2'),
    'tier Downlink_speed_Gbps': topology(/^Downlink_speed_Gbps \d+/im, 'Downlink_speed_Gbps 7'),
    'tier Downlink_Latency_ns': topology(/^Downlink_Latency_ns \d+/im, 'Downlink_Latency_ns 77'),
    'tier Switch_Latency_ns': topology(/^Switch_Latency_ns \d+/im, 'Switch_Latency_ns 44'),
    'tier Radix_Down': topology(/^Radix_Down \d+/im, 'Radix_Down 1'),
    'tier Radix_Up': topology(/^Radix_Up \d+/im, 'Radix_Up 1'),
    'tier Oversubscribed': topology(/^Oversubscribed \d+/im, 'Oversubscribed 1'),
    'tier Bundle': topology(/^(Tier 1.*)$/im, '$1\nBundle 2'),
    'tier Queue_Down': topology(/^(Tier 0.*)$/im, '$1\nQueue_Down 5'),
    'tier Queue_Up': topology(/^(Tier 0.*)$/im, '$1\nQueue_Up 5'),
  });
});
