/** The engines of emulated hosts, and their QPs: in the engines, and as the hosts' senders and receivers. */
import { factsOf } from '../../config/algorithms/registry.js';
import type { TelemetrySettings } from '../../config/telemetry.js';
import { createEngineSync } from '../../engine/create.js';
import type { Engine } from '../../engine/engine.js';
import { TRACE_IN_HEADER_BYTES } from '../../switching/hop-trace.js';
import { CongestionControl } from './congestion-control.js';
import type { Host, Sender } from './host.js';
import { ResponseFrames, DataFrames, type QpPath } from './qp-frames.js';
import { Requester, Responder } from './reliable-connection.js';
import type { FlowSettings, HostsSettings } from './settings.js';

const NO_BYTES = new Uint8Array(0);
/** Where Fast CNPs with option 2 carry the trace of `src/switching/hop-trace.ts`. */
const TRACES: Partial<TelemetrySettings> = {
  txBytes: { field: 'namespace-data-wide', fromBit: 16, bits: 48, unit: 1 },
  lineRate: { field: 'namespace-data', fromBit: 0, bits: 32, unit: 1e6 },
};

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
