/** Sentences of findings on a WAN with tunnels, by code; each function's parameter declares the figures. */
import { flowText, instantText, listText, listWords, portText, sentences, text, type Text, countWords,
  timeWords } from '../text.js';

export interface FirstNotified {
  readonly host: string;
  readonly timePs: number;
  readonly flow: number;
}

export const WAN_SENTENCES = {
  'tunnels-unused': (): Text => 'No packet entered a tunnel.',
  'tunnels-entered': ({ packets, nodes }: { readonly packets: number; readonly nodes: readonly string[] }): Text =>
    `${countWords(packets, 'packet')} entered tunnels at ${listWords(nodes)}.`,
  'tunnel-ecn-mismatch': ({ nodes }: {
    readonly nodes: readonly {
      readonly node: string;
      readonly packets: number;
      readonly packetsDropped: number;
    }[];
  }): Text =>
    sentences(
      ...nodes.map(({ node, packets, packetsDropped }) =>
        `${node} warns of ${
          countWords(packets, 'packet')
        } whose inner and outer ECN fields are inconsistent (RFC 6040)${
          packetsDropped > 0 ? `, and dropped ${packetsDropped} of them: marked outside, not ECN-capable inside` : ''
        }.`
      ),
    ),
  'fast-cnps-denied': ({ places }: {
    readonly places: readonly { readonly node: string; readonly way: 'in' | 'out'; readonly fastCnps: number }[];
  }): Text =>
    `Access lists rejected Fast CNPs: ${
      listWords(places.map(({ node, way, fastCnps }) => `${fastCnps} at ${node} on the way ${way}`))
    }; wan.accessLists names those that may pass.`,
  'fast-cnps-by-end-con': ({ sent, received }: {
    readonly sent: readonly { readonly node: string; readonly fastCnps: number }[];
    readonly received: readonly { readonly node: string; readonly fastCnps: number }[];
  }): Text =>
    `Fast CNPs went by END.CON: ${listWords(sent.map(({ node, fastCnps }) => `${node} sent ${fastCnps}`))}, ${
      received.length === 0 ?
        'none arrived' :
        listWords(received.map(({ node, fastCnps }) => `${node} received ${fastCnps}`))
    }.`,
  'first-notified': ({ byFastCnp, byCnp }: {
    /** Flows that were notified by Fast CNPs only; null: none. */
    readonly byFastCnp: FirstNotified | null;
    readonly byCnp: FirstNotified | null;
  }): Text => {
    const parts = [
      ...(byFastCnp === null ? [] : [firstText(byFastCnp, 'Fast CNP')]),
      ...(byCnp === null ? [] : [firstText(byCnp, 'CNP')]),
    ];
    return text`Of flows notified in one way only, ${listText(parts)}.`;
  },
  'traffic-held': ({ byArns, ports, arnsExpired, byPfc, victims }: {
    /** Flows, tunnels or slices that ARNs held. */
    readonly byArns: readonly { readonly level: string; readonly name: string; readonly heldPs: number }[];
    readonly ports: readonly { readonly port: string; readonly heldPs: number; readonly by: string }[];
    readonly arnsExpired: number;
    readonly byPfc: readonly {
      readonly port: string;
      readonly pausedPs: number;
      readonly by: string;
      /** When the first pause began; null: not recorded. */
      readonly firstPs: number | null;
    }[];
    /** Number of flows held by pauses that began elsewhere. */
    readonly victims: number;
  }): Text =>
    sentences(byArns.length > 0 &&
      `ARNs held ${listWords(byArns.map(({ level, name, heldPs }) => `${level} ${name} for ${timeWords(heldPs)}`))}.`,
      ports.length > 0 &&
        text`${
          listText(
            ports.map(({ port, heldPs, by }) =>
              text`${portText(port)} waited ${timeWords(heldPs)} because ${by} paused it`
            ),
          )
        }.`, arnsExpired > 0 && `${countWords(arnsExpired, 'pause')} by ARNs expired.`, byPfc.length > 0 &&
      text`PFC paused ${
        listText(byPfc.map(({ port, pausedPs, by, firstPs }) =>
          text`${portText(port)} for ${timeWords(pausedPs)} by ${by}${
            firstPs === null ? '' : text`, first at ${instantText(firstPs)}`
          }`
        ))
      }.`, victims > 0 && `Pauses that began elsewhere held ${countWords(victims, 'flow')}.`),
};

function firstText({ host, timePs, flow }: FirstNotified, kind: string): Text {
  return text`a ${kind} notified ${host} first at ${instantText(timePs)} (${flowText(flow)})`;
}
