/** Formats tunnels, provider edges and ARNs of a run as tables. */
import type { SimResult, WanNodeResult } from '../../sim/result.js';
import { formatByUnit } from '../../view/format.js';
import { formatCount } from '../format.js';
import { heading, type TextStyle, table, type Column } from '../text-layout.js';

/** Maximum number of held services, flows or classes shown. */
const HELD_SHOWN = 8;
const NODES: readonly Column[] = [
  { head: 'node', align: 'left' },
  { head: 'encapsulated' },
  { head: 'decapsulated' },
  { head: 'END.CON sent' },
  { head: 'received' },
  { head: 'denied in' },
  { head: 'denied out' },
  { head: 'ECN warnings' },
  { head: 'dropped' },
];
const PORTS: readonly Column[] = [
  { head: 'port', align: 'left' },
  { head: 'ARNs sent' },
  { head: 'refreshed' },
  { head: 'resumes' },
  { head: 'received' },
  { head: 'expired' },
  { head: 'held' },
];
const HELD: readonly Column[] = [{ head: 'held', align: 'left' }, { head: 'for' }];

/** Lines of the section; empty for runs without a WAN with provider edges. */
export function wanSection({ wan }: SimResult, style: TextStyle): string[] {
  if (wan === undefined) return [];
  const { nodes, arnPorts = [], held = [] } = wan;
  return [
    ...heading('WAN', style),
    ...table(NODES, nodes.map(nodeRow)),
    ...(arnPorts.length === 0 ?
      [] :
      [
        '',
        ...table(PORTS, arnPorts.map((port) => [
          port.port,
          formatCount(port.arnsSent),
          formatCount(port.arnsRefreshed),
          formatCount(port.arnResumes),
          formatCount(port.arnsReceived),
          formatCount(port.arnsExpired),
          formatByUnit(port.heldPs, 'ps'),
        ])),
      ]),
    ...(held.length === 0 ?
      [] :
      [
        '',
        ...table(HELD, held.slice(0, HELD_SHOWN).map(({ level, name, heldPs }) => [
          `${level} ${name}`,
          formatByUnit(heldPs, 'ps'),
        ])),
      ]),
  ];
}

function nodeRow(node: WanNodeResult): string[] {
  const { encapsulated, decapsulated, endConSent, endConReceived, fastCnpsDeniedIn, fastCnpsDeniedOut } = node;
  return [
    node.node,
    ...[encapsulated, decapsulated, endConSent, endConReceived, fastCnpsDeniedIn, fastCnpsDeniedOut]
      .map((count) => formatCount(count)),
    formatCount(node.ecnUnused + node.ecnDangerous),
    formatCount(node.ecnDropped),
  ];
}
