/**
 * One emulated host: its port, counters and QPs. A QP exists twice: as the host's sender or receiver, which has the
 * frames, and in an engine, which has the congestion control.
 */
import { factsOf } from '../../config/algorithms/registry.js';
import type { TelemetrySettings } from '../../config/telemetry.js';
import { createEngineSync } from '../../engine/create.js';
import type { Engine } from '../../engine/engine.js';
import { TRACE_IN_HEADER_BYTES } from '../../switching/hop-trace.js';
import { CongestionControl } from './congestion-control.js';
import type { Nic } from './nic.js';
import { ResponseFrames, DataFrames, type QpPath } from './qp-frames.js';
import { Requester, Responder } from './reliable-connection.js';
import type { FlowSettings, HostSettings, HostsSettings } from './settings.js';

const NO_BYTES = new Uint8Array(0);
/** Where Fast CNPs with option 2 carry the trace of `src/switching/hop-trace.ts`. */
const TRACES: Partial<TelemetrySettings> = {
  txBytes: { field: 'namespace-data-wide', fromBit: 16, bits: 48, unit: 1 },
  lineRate: { field: 'namespace-data', fromBit: 0, bits: 32, unit: 1e6 },
};

/**
 * Called when a host starts to send a frame at `timePs`; its last bit is sent at `sentPs`. Bytes are valid until it
 * returns.
 */
export type HostSink = (node: number, frame: Uint8Array, timePs: number, sentPs: number) => void;

/** A QP that sends. */
export interface SendingQp {
  readonly flow: FlowSettings;
  readonly requester: Requester;
  /** Current congestion control rate, bits per second. */
  readonly rateBps: () => number;
}

/** A QP that receives. */
export interface ReceivingQp {
  readonly flow: FlowSettings;
  readonly responder: Responder;
}

/** Counters of a host, except those of its port. */
export interface HostCounters {
  /** Frames received. */
  received: number;
  /** Data packets received with CE. */
  marked: number;
  /** CNPs sent. */
  cnpsSent: number;
  /** CNPs received. */
  cnps: number;
  /** Fast CNPs received. */
  fastCnps: number;
  /** Frames dropped because of a wrong ICRC. */
  icrcWrong: number;
  /** Frames dropped because they are not RoCEv2, or for no QP here. */
  strays: number;
}

/** State of a sending QP. */
export interface Sender extends SendingQp {
  readonly congestionControl: CongestionControl;
  /** Whether the sender's window and size allow another packet. */
  readonly maySend: boolean;
  readonly frames: DataFrames;
  /** When the sender's rate allows the next packet. */
  nextSendPs: number;
  /** When its window last opened: packets held back by it are sent no earlier. */
  openPs: number;
}

/** State of a receiving QP. */
export interface Receiver extends ReceivingQp {
  readonly frames: ResponseFrames;
}

/** State of one host. */
export interface Host {
  readonly settings: HostSettings;
  readonly nic: Nic;
  readonly senders: Sender[];
  readonly sendersByQpn: Map<number, Sender>;
  /** Senders by the QPN in Fast CNPs, that of the data: senders and receivers never share one. */
  readonly sendersByPeerQpn: Map<number, Sender>;
  readonly receiversByQpn: Map<number, Receiver>;
  readonly counters: HostCounters;
  /** Endpoint number of the host in its engines. */
  readonly endpoint: number;
  /** Index of the sender to serve next. */
  turn: number;
}

/** Opens the QPs of hosts. */
export class HostQps {
  readonly #senders: Engine;
  readonly #receivers: Engine;
  readonly #settings: HostsSettings;

  /** @param senders engine of the senders. @param receivers engine of the receivers. */
  constructor(senders: Engine, receivers: Engine, settings: HostsSettings) {
    this.#senders = senders;
    this.#receivers = receivers;
    this.#settings = settings;
  }

  /** @returns the host's endpoint number in both engines. */
  addHost(address: Uint8Array): number {
    this.#receivers.addEndpoint([address]);
    return this.#senders.addEndpoint([address]);
  }

  addSender(host: Host, flow: FlowSettings): void {
    const { shape, windowPackets, timeoutPs } = this.#settings;
    const { senderQpn, receiverQpn, parameterSet, destination, packets, startPs } = flow;
    const qp = this.#senders.openQp({
      endpoint: host.endpoint,
      localQpn: senderQpn,
      peerAddress: this.#addressOf(destination),
      peerQpn: receiverQpn,
      parameterSet: `p${parameterSet}`,
    });
    const congestionControl = new CongestionControl(this.#senders, qp, flow, this.#settings);
    const requester = new Requester({ packets, windowPackets, timeoutPs });
    const sender: Sender = {
      flow,
      congestionControl,
      requester,
      frames: new DataFrames(this.#path(host, flow, destination, receiverQpn), shape),
      rateBps: () => congestionControl.rateBps,
      get maySend() {
        return requester.maySend && congestionControl.allows(requester.inFlight);
      },
      nextSendPs: startPs,
      openPs: startPs,
    };
    host.senders.push(sender);
    host.sendersByQpn.set(senderQpn, sender);
    host.sendersByPeerQpn.set(receiverQpn, sender);
  }

  addReceiver(host: Host, flow: FlowSettings): void {
    const { senderQpn, receiverQpn, source } = flow;
    const peerAddress = this.#addressOf(source);
    this.#receivers.openQp({ endpoint: host.endpoint, localQpn: receiverQpn, peerAddress, peerQpn: senderQpn });
    const frames = new ResponseFrames(this.#path(host, flow, source, senderQpn), TRACE_IN_HEADER_BYTES);
    host.receiversByQpn.set(receiverQpn, { flow, responder: new Responder(), frames });
  }

  #path({ settings: { mac, peerMac, address } }: Host, { dscp, udpSourcePort, parameterSet }: FlowSettings,
    peer: number, destQpn: number): QpPath {
    const { hopByHop, icrcPolicy, parameterSets } = this.#settings;
    return {
      link: { source: mac, destination: peerMac },
      source: address,
      destination: this.#addressOf(peer),
      dscp,
      udpSourcePort,
      destQpn,
      hopByHop: factsOf(parameterSets[parameterSet]).telemetry === undefined ? NO_BYTES : hopByHop,
      icrcPolicy,
    };
  }

  #addressOf(node: number): Uint8Array {
    const host = this.#settings.hosts.find((one) => one.node === node);
    if (host === undefined) throw new RangeError(`node ${node} is not a host`);
    return host.address;
  }
}

/**
 * Creates the engine of all senders or of all receivers. With both ends of a QP in one engine, data arriving at the
 * receiver would be mistaken for data sent by the sender.
 *
 * @param hosts number of emulated hosts.
 */
export function hostEngine(settings: HostsSettings, hosts: number): Engine {
  const { parameterSets, flows, cnpIntervalPs, acceptsFastCnps, duplicateWindowPs, seed } = settings;
  return createEngineSync({
    parameterSets: Object.fromEntries(parameterSets.map((set, index) => [`p${index}`, set])),
    capacity: {
      qps: Math.max(1, flows.length),
      endpoints: hosts,
      addresses: hosts,
      events: 1,
      packets: 1,
      frameBytes: 65_536,
    },
    parser: { icrc: 'check', icrcWithExtensionHeaders: settings.icrcPolicy },
    ...(settings.hopByHop.length > 0 && { telemetry: TRACES }),
    notificationPoint: { minTimeBetweenCnpsPs: cnpIntervalPs },
    fastCnp: { enabled: acceptsFastCnps, defaultAction: 'allow', duplicateWindowPs },
    rateActions: false,
    lateEvents: 'clamp',
    hashSeed: seed,
  });
}
