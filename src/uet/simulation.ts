/**
 * A run of the readable model. Switches, hosts and flows are set up in the reference's order, because it determines the
 * order of random draws and of events of the same instant.
 */
import { FlowBacklog, type FlowSettings, type SharedWindow, type UetFlow } from './flow.js';
import { NsccControl, CONSTANT_CONTROL, type SenderControl, DctcpControl, FlowState,
  noWindowChanges } from './sender-control.js';
import { SimEvent } from './event-list.js';
import type { FatTree } from './fat-tree.js';
import { MessageFeed, MessageBacklog, type UetMessage, type UetTraffic, Trigger } from './traffic.js';
import { planNetwork } from './network-plan.js';
import { Network, Nic } from './network.js';
import { nextHopChoice } from './next-hop-choice.js';
import type { UetOptions } from './arguments.js';
import { OversubscribedControl, oversubscribedSettings, PullPacer } from './receiver-control.js';
import { firstWindow, networkSettings, uetParameters, type UetParameters } from './parameters.js';
import { pathSelector } from './path-selectors.js';
import { Receiver } from './receiver.js';
import { totalsOf, type UetFlowResult, type UetMessageResult, type UetResult } from './results.js';
import { RunContext, type UetTrace } from './run-context.js';
import { Sender } from './sender.js';

/** Components of a host. */
interface Host {
  readonly nic: Nic;
  readonly pacer: PullPacer | undefined;
  readonly control: OversubscribedControl | undefined;
}

/** A flow with its sender and receiver. */
export interface RunningFlow {
  readonly flow: UetFlow;
  readonly sender: Sender;
  readonly receiver: Receiver;
  readonly state: FlowState;
  readonly control: SenderControl | undefined;
  /** Messages of the flow; undefined without `-conn_reuse`. */
  readonly messages: readonly UetMessage[] | undefined;
  readonly backlog: FlowBacklog | MessageBacklog;
}

export class Simulation {
  readonly flows: readonly RunningFlow[];
  readonly context: RunContext;
  readonly #options: UetOptions;
  readonly #tree: FatTree;
  readonly #parameters: UetParameters;
  readonly #settings: FlowSettings;
  readonly #shared: SharedWindow = { maxBytes: 0 };
  readonly #hosts: readonly Host[];
  readonly #triggers: ReadonlyMap<number, Trigger>;

  constructor(options: UetOptions, tree: FatTree, traffic: UetTraffic, trace?: UetTrace) {
    this.#options = options;
    this.#tree = tree;
    this.#parameters = uetParameters(options, tree);
    this.#settings = {
      parameters: this.#parameters,
      isReceiverControlled: options.isReceiverControlled,
      isBaseRttFromNacks: options.isBaseRttFromNacks,
      isSleek: options.isSleek,
      ackBytes: options.ackBytes,
      shared: this.#shared,
    };
    this.context = new RunContext(options.endPs, options.seed, trace);
    const network = this.#network();
    this.#hosts = network.hostQueues.map((queue) =>
      this.#host((context) => new Nic(context, options.linkSpeedBps, queue))
    );
    this.#triggers = new Map(
      [...traffic.triggers].map(([id, definition]) => [id, new Trigger(this.context.events, id, definition)]),
    );
    this.flows = traffic.flows.map((parts) => this.#open(parts));
  }

  /** Runs until no event is left. */
  run(): void {
    this.context.events.run();
  }

  #network(): Network {
    const { strategy, adaptive, isTrimming, trimBytes } = this.#options;
    const plan = planNetwork(networkSettings(this.#options, this.#tree, this.#parameters));
    return new Network(this.context, plan, { isTrimming, trimBytes }, nextHopChoice(this.context, strategy, adaptive));
  }

  #host(newNic: (context: RunContext) => Nic): Host {
    const { isReceiverControlled, linkSpeedBps } = this.#options;
    const settings = oversubscribedSettings(this.#options.oversubscribed, this.#tree, this.#parameters);
    const pacer = new PullPacer(this.context, linkSpeedBps, this.#shared);
    const control = settings && new OversubscribedControl(this.context, settings, pacer);
    return { nic: newNic(this.context), pacer: isReceiverControlled ? pacer : undefined, control };
  }

  #open({ flow, connections }: UetTraffic['flows'][number]): RunningFlow {
    const { context } = this;
    const { events, random } = context;
    const { isTrimming, paths, pathSelector: name, isMessages } = this.#options;
    const [{ line, startPs }] = connections;
    const { mtuBytes } = this.#parameters;
    const state = this.#flowState(flow);
    const control = this.#control(state);
    const backlog = isMessages ?
      new MessageBacklog(mtuBytes, () => events.nowPs) :
      new FlowBacklog(flow.sizeBytes, mtuBytes);
    const sender = new Sender(context, {
      flow,
      settings: this.#settings,
      state,
      control,
      backlog,
      paths: pathSelector(name, { random, events, paths, isTrimming }),
      nic: this.#hosts[flow.source].nic,
      onFinished: () => this.#triggers.get(line.sendDone)?.fire(),
    });
    const { nic, pacer, control: hostControl } = this.#hosts[flow.destination];
    const hostCounts = hostControl?.counts;
    const receiver = new Receiver(context, { flow, settings: this.#settings, nic, pacer, hostCounts }, sender);
    sender.connect(receiver);
    const running = { flow, sender, receiver, state, control, backlog };
    if (backlog instanceof MessageBacklog) {
      const feed = new MessageFeed(events, sender, backlog, { connections, mtuBytes });
      return { ...running, messages: feed.messages };
    }
    if (line.trigger >= 0) this.#triggers.get(line.trigger)?.addTarget(() => sender.start());
    else events.schedule(new SimEvent(() => sender.start()), startPs);
    return { ...running, messages: undefined };
  }

  #flowState(flow: UetFlow): FlowState {
    const first = firstWindow(this.#options, this.#tree, this.#parameters, flow);
    this.#shared.maxBytes = first.maxWindowBytes;
    return new FlowState(first, this.#parameters);
  }

  #control(state: FlowState): SenderControl | undefined {
    const { sender, quickGate, isReceiverControlled } = this.#options;
    switch (sender) {
      case 'nscc':
        return new NsccControl(state, this.context.events, { ...this.#parameters, quickGate, isReceiverControlled });
      case 'dctcp':
        return new DctcpControl(state, this.#parameters.mtuBytes);
      case 'constant':
        return CONSTANT_CONTROL;
      default:
        return undefined;
    }
  }
}

/** Results of a run of the readable model. */
export function uetResult(simulation: Simulation): UetResult {
  const flows = simulation.flows.map(flowResult);
  const messages = simulation.flows.flatMap(messageResults);
  const { counts, random, pool } = simulation.context;
  return { flows, messages, totals: totalsOf(flows, counts, random.draws), packets: { ...pool.counts } };
}

function flowResult({ flow, sender, receiver, state, control, backlog }: RunningFlow): UetFlowResult {
  const { counts } = sender;
  const { counts: received } = receiver;
  const changes = control instanceof NsccControl ? control.changes : noWindowChanges();
  return {
    flow: flow.index,
    src: flow.source,
    dst: flow.destination,
    flow_id: flow.senderId,
    size: backlog instanceof MessageBacklog ? backlog.totalBytes : flow.sizeBytes,
    start_ps: sender.startPs,
    finish_ps: sender.finishPs,
    new_pkts: counts.newPackets,
    rtx_pkts: counts.retransmissions,
    rts_pkts: counts.requestsToSend,
    acks: counts.acks,
    nacks: counts.nacks,
    pulls: counts.pulls,
    timeouts: counts.timeouts,
    ecn_echoes: counts.echoes,
    sleek_pkts: counts.sleekPackets,
    highest_sent: sender.nextSeq,
    final_cwnd: state.windowBytes,
    final_maxwnd: state.maxWindowBytes,
    in_flight: state.inFlightBytes,
    base_rtt_ps: state.baseRttPs,
    avg_delay_ps: state.averageDelayPs,
    credit: sender.credit.bytes,
    fair_inc: changes.fair,
    prop_inc: changes.proportional,
    fast_inc: changes.fast,
    eta_inc: changes.eta,
    multi_dec: changes.multiplicative,
    quick_dec: changes.quick,
    nack_dec: changes.nack,
    rx_pkts: received.packets,
    rx_bytes: received.bytes,
    rx_ecn: received.marked,
    rx_ooo: received.outOfOrder,
    rx_dup: received.duplicates,
    rx_trimmed: received.trimmed,
    rx_trimmed_last_hop: received.trimmedLastHop,
    expected_psn: receiver.expected,
  };
}

function messageResults({ flow, messages }: RunningFlow): UetMessageResult[] {
  return (messages ?? []).map(({ number, sizeBytes, startPs, finishPs, firstSeq, lastSeq }) => ({
    flow: flow.index,
    msg: number,
    size: sizeBytes,
    start_ps: startPs,
    finish_ps: finishPs,
    first_psn: firstSeq,
    last_psn: lastSeq,
  }));
}
