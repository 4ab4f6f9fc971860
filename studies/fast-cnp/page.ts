/** docs/studies/fast-cnp-study.md: the tables, and how to read them. */
import type { Bar, BarChart } from '../../site/charts/bar-chart.js';
import { BYTES_PER_KB } from '../../src/units.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import { asShown, studyFiles, type StudyFile } from '../study-page.js';
import { CASES, FIRST_LINK, LONG_BYTES, NEAR_PORT, SENDERS, SIZE_BYTES, type FastCnpCase } from './cases.js';
import { DCQCN_WAYS, HPCC_PP_WAYS, see, type Seen, type Way } from './measure.js';

/** Runs everything. */
export function fastCnpStudy(): StudyFile[] {
  const [hops, wan] = (['hops', 'wan'] as const).map((group) =>
    CASES.filter((one) => one.group === group).map((one) => ({ one, seen: seenOf(one, DCQCN_WAYS) }))
  );
  const text = [
    INTRODUCTION,
    '## DCQCN over numbers of switches',
    '',
    dcqcnTable(hops),
    '',
    '## DCQCN over a WAN',
    '',
    dcqcnTable(wan),
    '',
    DCQCN_READING,
    '## HPCC++',
    '',
    HPCC_PP_TEXT,
    '',
    hpccPpTable([...hops, ...wan].map(({ one }) => one)),
    '',
    HPCC_PP_READING,
  ].join('\n');
  return studyFiles('fast-cnp', { text, charts: fastCnpCharts(hops, wan) });
}

/** A case, and what was seen under each way to notify senders. */
interface SeenCase {
  readonly one: FastCnpCase;
  readonly seen: readonly Seen[];
}

function seenOf(one: FastCnpCase, ways: readonly Way[]): Seen[] {
  return ways.map((way) => see(one, way));
}

/** Of DCQCN: the queue of the first link, and completion over a WAN that its near port congests. */
function fastCnpCharts(hops: readonly SeenCase[], wan: readonly SeenCase[]): BarChart[] {
  return [{
    title: 'Longest queue, congestion at the first link',
    unit: 'kB',
    bars: hops.filter(({ one }) => one.congested === FIRST_LINK)
      .flatMap((row) => barsOf(row, ({ maxQueueBytes }) => maxQueueBytes / BYTES_PER_KB)),
  }, {
    title: 'Mean completion over a WAN',
    unit: 'µs',
    bars: wan.filter(({ one }) => one.congested === NEAR_PORT).flatMap((row) => barsOf(row, ({ meanUs }) => meanUs)),
  }];
}

/** A bar for each way; the first one is the base. */
function barsOf({ one, seen }: SeenCase, value: (seen: Seen) => number): Bar[] {
  return seen.map((way, index) => ({
    label: `${one.name}, ${DCQCN_WAYS[index]?.name ?? ''}`,
    value: asShown(value(way)),
    ...(index === 0 ? { isBase: true } : {}),
  }));
}

function dcqcnTable(cases: readonly SeenCase[]): string {
  return wordsAndNumbers([
    'network',
    'first notified, µs: CNP',
    'Fast CNP',
    'half notified, µs: CNP',
    'Fast CNP',
    'longest queue, kB: CNP',
    'Fast CNP',
    'where: CNP',
    'Fast CNP',
    'pauses: CNP',
    'Fast CNP',
    'mean completion, µs: CNP',
    'Fast CNP',
  ], cases.map(({ one, seen }) => dcqcnRow(one, seen)));
}

/** A case's row of the first two tables. */
export function dcqcnRow(one: FastCnpCase, seen: readonly Seen[] = seenOf(one, DCQCN_WAYS)): string {
  const cells = [micros('firstUs'), micros('halfUs'), kilobytes, place, pauses, mean].flatMap((cell) => seen.map(cell));
  return tableRow([one.name, ...cells]);
}

function hpccPpTable(cases: readonly FastCnpCase[]): string {
  const names = HPCC_PP_WAYS.map(({ name }) => name);
  const [first = '', ...others] = names;
  const heads = ['longest queue, kB', 'pauses', 'mean completion, µs'].flatMap((
    what,
  ) => [`${what}: ${first}`, ...others]);
  return wordsAndNumbers(['network', ...heads], cases.map(hpccPpRow));
}

/** A case's row of the last table. */
export function hpccPpRow(one: FastCnpCase): string {
  const seen = seenOf(one, HPCC_PP_WAYS);
  return tableRow([one.name, ...[kilobytes, pauses, mean].flatMap((cell) => seen.map(cell))]);
}

const micros =
  (key: 'firstUs' | 'halfUs') => (seen: Seen): string => (Number.isFinite(seen[key]) ? seen[key].toFixed(1) : 'never');
const kilobytes = ({ maxQueueBytes }: Seen): string => (maxQueueBytes / BYTES_PER_KB).toFixed(0);
const place = ({ maxQueuePort }: Seen): string => maxQueuePort;
const pauses = (seen: Seen): string => String(seen.pauses);
const mean = ({ meanUs }: Seen): string => meanUs.toFixed(0);

const INTRODUCTION = `# Where Fast CNPs help

Written by \`npm run study\`; cases in \`studies/fast-cnp/cases.ts\`. ${SENDERS} senders at 100 Gb/s send ${
  SIZE_BYTES / 1e6
} MB each at once (${LONG_BYTES / 1e6} MB where a row says so) through one
port of 100 Gb/s; all other links between switches have 1,600 Gb/s and never congest. Links take 1 µs. Fidelity \`standard\`, the
[defaults](../reference/settings.md): marks from 100 to 400 kB, PFC on.

\`CNP\`: receivers send CNPs for marked packets, one in 50 µs per flow. \`Fast CNP\`: the congested switch sends Fast CNPs instead of marks
(draft-xiao-rtgwg-rocev2-fast-cnp-01), 20,000 per second and flow, so also one in 50 µs. The two differ in which node notifies the sender, and when.

- *First notified*, *half notified*: from the start until the first sender, or half of them, got a notification.
- *Where*: the port with the longest queue, as measured. It is the congested one, unless pauses hold the packets at ports before it.
- The flows of ${SIZE_BYTES / 1e6} MB need 2.8 ms at least, those of ${
  LONG_BYTES / 1e6
} MB 28 ms, with headers and gaps.
`;

const DCQCN_READING =
  `**Where it helps.** A Fast CNP helps if the congested port is near the senders and the receiver is far. At the first of several switches the notification arrives
4 µs after the start however long the path is, while a CNP takes a round trip more: 9 µs with two switches, 15 µs with five,
35 µs, 215 µs and 2 ms behind a WAN. The longest queue falls accordingly: by a tenth with two switches, by a fifth with five, to a fifth over 0.1 ms.
Long flows into a WAN of 1 ms show the most: CNPs arrive 2 ms late, hundreds of pauses slow the senders down in the meantime and the
queue is pushed back into the spines; with Fast CNPs there is no pause, and the mean completion falls by a quarter.

**Where it helps little.** At the last hop a Fast CNP saves only the path from the last switch to the receiver and back, 2 to 3 µs; the
switches before it make up most of the round trip. Queues are 5 or 6 % shorter; completion differs by less than 2 %, in either direction.
If the receiver sends CNPs late, as adapters do, a Fast CNP saves this delay too: with 5 µs it saves 8 µs of 12, and a sixth of the queue.
Behind a WAN it saves 3 µs of 2 ms, which is nothing.

**Where it costs.** Short flows into a WAN take longer. A sender notified after 2 ms has by then sent all of its 4 MB (0.36 ms at line rate), which the
switches' memory and some pauses absorb; completion takes 4.6 ms on average. A sender notified after 8 µs cuts its rate, which then grows by 40 Mb/s (R_AI) per
55 µs with the paper's parameters; completion takes 11.4 ms. There was enough memory and no need to cut; an early notification does not
make up for parameters that recover over tens of milliseconds. The same happens within a data centre: flows take 9 ms where 2.8 are possible, with either
notification.
`;

const HPCC_PP_TEXT =
  `The same networks under HPCC++, with three ways to notify the senders: telemetry in each ACK and CNPs (\`hpcc-pp-draft\`, no Fast CNPs);
telemetry in each ACK and Fast CNPs of option 2, which carry the trace up to the congested port, instead of CNPs; only such Fast CNPs
(\`hpcc-pp-fast-cnp\`; a timer then counts round trips, and without notifications rates recover as DCQCN's do).`;

const HPCC_PP_READING =
  `**ACKs report enough within a data centre.** Queues are a third to an eighth of DCQCN's and completion is within a quarter of the
minimum. Fast CNPs in addition shorten the first queue where the port is near (by half with five switches, or with a WAN of 0.01 ms),
and have no effect at the last hop.

**Fast CNPs alone** do about as well as ACKs within a data centre, though they notify the sender only of congestion. Over a WAN they are worse for short flows: nothing
notifies the sender that a queue has drained, and recovery by timer is slow when round trips are long.

**Over a WAN of 1 ms they hardly help.** The base window is a bandwidth-delay product, 25 MB per flow, and all eight start with it: far more than
the switches hold, whatever the source of notifications. Pauses limit the senders, thousands of them for long flows; in addition to ACKs, Fast CNPs reduce them to a third, but
completion takes a tenth longer. DCQCN, which has no window and cuts by half immediately, keeps the queue short there if it is notified early.

One seed, one traffic pattern: all senders begin at the same time. Differences of a per cent or two in completion are chance.
`;

function wordsAndNumbers(heads: readonly string[], rows: readonly string[]): string {
  return table(heads, rows, 1);
}
