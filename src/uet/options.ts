/** The options of a run, read from its arguments. */
import type { AdaptiveSettings, Strategy } from './next-hop-choice.js';
import type { PathSelectorName } from './path-selectors.js';

export type SenderAlgorithm = 'nscc' | 'dctcp' | 'constant';

export interface UetOptions {
  /** Files of the connection matrix and the topology; without a topology file, `tiers` and `nodes` define it. */
  readonly matrixFile: string;
  readonly topologyFile: string | undefined;
  readonly tiers: 2 | 3;
  readonly nodes: number | undefined;
  readonly linkSpeedBps: number;
  readonly hopLatencyPs: number;
  readonly switchLatencyPs: number;
  readonly mtuBytes: number;
  readonly seed: number;
  readonly endPs: number;
  readonly paths: number;
  readonly pathSelector: PathSelectorName;
  readonly strategy: Strategy;
  readonly adaptive: AdaptiveSettings;
  readonly slowLinks: number;
  /** Queue limit, packets; undefined: derived from the bandwidth-delay product. */
  readonly queuePackets: number | undefined;
  readonly queueFactor: number | undefined;
  readonly ecnPackets: readonly [number, number] | undefined;
  readonly isTrimming: boolean;
  readonly trimBytes: number;
  readonly ackBytes: number;
  readonly windowPackets: number | undefined;
  readonly targetPs: number | undefined;
  readonly quickGate: number;
  readonly isBaseRttOfPair: boolean;
  readonly isBaseRttFromNacks: boolean;
  readonly isSleek: boolean;
  readonly sender: SenderAlgorithm | undefined;
  readonly isReceiverControlled: boolean;
  readonly oversubscribed: OversubscribedOptions;
  readonly isMessages: boolean;
}

/** Options of receiver-based control for oversubscribed networks. */
export interface OversubscribedOptions {
  /** Whether an option turned it on; `isByRatio`: whether the tree's oversubscription ratio, if above 1, turns it on. */
  readonly isOn: boolean;
  readonly isByRatio: boolean;
  readonly increase: number;
  readonly decrease: number;
  readonly weight: number;
}
