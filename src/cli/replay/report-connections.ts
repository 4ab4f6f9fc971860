/** Report section on the connections found, and on streams whose peer could not be determined. */
import { formatCount, formatCountOf, formatQpn } from '../format.js';
import type { Connection, ConnectionSource, ReplayReport, UnpairedReason } from '../../replay/index.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';
import type { Report } from './report.js';
import type { ShortAddresses } from './short-addresses.js';

/** Maximum number of connections shown; `--json` has all. */
const ROWS_MAX = 10;

const SOURCE_WORDS: Readonly<Record<ConnectionSource, string>> = {
  cm: 'stated by REQ and REP',
  acknowledgements: 'inferred from PSNs of ACKs',
  responses: 'inferred from PSNs of READ responses',
  cnps: 'inferred from CNPs behind CE marks',
};

const REASON_WORDS: Readonly<Record<UnpairedReason, string>> = {
  'no-reply': 'no packet of the opposite direction tells',
  'several-candidates': 'several queue pairs fit the evidence equally',
  contradictions: 'packets contradict each other',
  'reused-qp': 'a queue pair number belongs to several connections',
};

/** Lines of the section; empty with a flow list, and without connections. */
export function connectionSection({ result, flowsFrom }: Report, addresses: ShortAddresses,
  style: TextStyle): string[] {
  const { connections, unpaired } = result;
  if (flowsFrom === 'list' || connections.length + unpaired.length === 0) return [];
  const shown = connections.slice(0, ROWS_MAX);
  const rest = connections.length - shown.length;
  const sentences = [
    ...shown.map((connection) => `- ${connectionWords(connection, addresses)}`),
    ...(rest === 0 ? [] : [`- and ${formatCount(rest)} more; --json and --write-flows have all`]),
    ...unpairedSentences(result, addresses),
  ];
  return [
    ...heading(`Connections: ${formatCount(connections.length)} found`, style),
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
  ];
}

function connectionWords({ a, b, from, evidence }: Connection, addresses: ShortAddresses): string {
  const ends = [a, b].map(({ address, qpn }) => `${addresses.of(address)} QPN ${formatQpn(qpn)}`).join(' and ');
  const count = from === 'cm' ? '' : ` (${formatCountOf(evidence, 'frame')})`;
  return `${ends}: ${SOURCE_WORDS[from]}${count}`;
}

/** One sentence per reason, with the first stream as an example. */
function unpairedSentences({ unpaired, streams }: ReplayReport, addresses: ShortAddresses): string[] {
  return (Object.keys(REASON_WORDS) as UnpairedReason[]).flatMap((reason) => {
    const found = unpaired.filter((entry) => entry.reason === reason);
    const first = streams[found[0]?.stream ?? -1];
    if (first === undefined) return [];
    const more = found.length === 1 ? '' : ` and ${formatCountOf(found.length - 1, 'more stream')}`;
    const { source, destination, destQpn } = first;
    const place = `${addresses.of(source)} to ${addresses.of(destination)}, QPN ${formatQpn(destQpn)}${more}`;
    return [`Sender's QPN unknown: ${place}; ${REASON_WORDS[reason]}.`];
  });
}
