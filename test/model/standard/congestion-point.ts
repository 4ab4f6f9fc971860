/**
 * The congestion point of a switch under `standard` (`src/switching/congestion-judge.ts`): which packets it considers by
 * which settings. If the rules require it, only ECN-capable packets are marked. Random decisions use the generator of
 * the network, except for data in switches that send Fast CNPs.
 */
import { CongestionJudge, type Verdict } from '../../../src/switching/congestion-judge.js';
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { CongestionVerdict, Marker } from '../parts.js';

const VERDICTS: Readonly<Record<Verdict, CongestionVerdict>> = {
  nothing: { mark: false, notify: false },
  mark: { mark: true, notify: false },
  notify: { mark: false, notify: true },
};

export class StandardCongestionPoint implements Marker {
  readonly #world: World;
  readonly #sendsFastCnps: boolean;
  readonly #judge: CongestionJudge;

  constructor(world: World, node: number) {
    const { plan } = world;
    this.#world = world;
    this.#sendsFastCnps = plan.nodes[node].fastCnp;
    this.#judge = new CongestionJudge(plan.fastCnp, plan.seed, node);
  }

  judge({ index, plan: port }: Port, packet: Packet, queueBytes: number): CongestionVerdict {
    const { plan: { rules, nodes, flows }, random, events } = this.#world;
    const isData = packet.kind === 'data';
    if (this.#sendsFastCnps && isData) {
      const takesFastCnps = nodes[flows.source[packet.flow]].fastCnp;
      const asked = { port: index, flow: packet.flow, takesFastCnps };
      return VERDICTS[this.#judge.judgeData(events.nowPs, port, queueBytes, asked)];
    }
    if (rules.markable === 'ect' && !isData) return VERDICTS.nothing;
    return VERDICTS[this.#judge.judgePlain(random, port, queueBytes)];
  }
}
