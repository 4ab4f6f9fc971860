// A simulator around the engine: senders, a switch and a receiver. Every number equals that of roce-cc/sim.
//
//   npx tsx examples/embed/compare.ts
import { createCongestionPointSync, createEngineSync, dcqcnSigcomm15, hpccSigcomm19, type ExactHop } from 'roce-cc';
import { Clock, LINK, Port, transmissionPs } from './network.js';

export type Control = 'dcqcn' | 'hpcc' | 'fast-cnp';
interface Flow {
  readonly host: number;
  readonly qp: number;
  readonly nic: Port<Packet>;
  readonly fromSwitch: Port<Packet>;
  sndNxt: number;
  sndUna: number;
  completionPs: number;
}
interface Packet {
  readonly kind: 'data' | 'ack' | 'cnp' | 'fast-cnp';
  readonly flow: Flow;
  readonly lenBytes: number;
  readonly sequence: number; // of data its first byte, of an ACK the first byte that is still missing
  readonly hops: ExactHop[];
  marked: boolean;
}

const MTU_BYTES = 1024;
const psnOf = (byte: number): number => Math.ceil(byte / MTU_BYTES);
const addressOf = (node: number): string => `fd00::${node.toString(16)}`;

function parametersOf(control: Control, headerBytes: number) {
  const lineRateBps = LINK.rateBps;
  if (control !== 'hpcc') return dcqcnSigcomm15({ lineRateBps });
  const baseRttPs = 4 * LINK.delayPs + 2 * (transmissionPs(MTU_BYTES + headerBytes) + transmissionPs(headerBytes + 4));
  return hpccSigcomm19({ lineRateBps, baseRttPs });
}

/** Nodes are numbered: the senders, the receiver, the switch. */
export function simulate(senders: number, control: Control,
  sizeBytes = 1_000_000): { completionPs: number[]; maxQueueBytes: number } {
  const isFast = control === 'fast-cnp';
  const headerBytes = control === 'hpcc' ? 130 : 82; // HPCC: with the IOAM trace of one switch
  const [receiver, hub, clock] = [senders, senders + 1, new Clock()];
  const engine = createEngineSync({
    parameterSets: { all: parametersOf(control, headerBytes) },
    capacity: { qps: senders, endpoints: senders },
    fastCnp: { enabled: isFast, defaultAction: 'allow' },
  });
  const marking = { kminBytes: 100_000, kmaxBytes: 400_000, pmax: 0.2, seed: isFast ? 1 + hub : 1 };
  const congestionPoint = createCongestionPointSync({ ports: hub, flows: senders, enabled: isFast, ...marking });
  const bottleneck = new Port<Packet>(clock, receive);
  const responses = new Port<Packet>(clock, (packet) => packet.flow.fromSwitch.send(packet));
  const flows = Array.from({ length: senders }, (_, host) => open(host));

  bottleneck.onDequeue = decide;
  for (const { nic } of flows) clock.at(0, () => nic.serve());
  clock.run();
  return { completionPs: flows.map(({ completionPs }) => completionPs), maxQueueBytes: bottleneck.maxQueueBytes };

  function open(host: number): Flow {
    const addresses = { endpoint: engine.addEndpoint([addressOf(host)]), peerAddress: addressOf(receiver) };
    const qp = engine.openQp({ ...addresses, localQpn: host + 1, peerQpn: host + 1 });
    const nic = new Port<Packet>(clock, (packet) => bottleneck.send(packet));
    const begin = { sndNxt: 0, sndUna: 0, completionPs: NaN };
    const flow = { host, qp, nic, fromSwitch: new Port(clock, respond), ...begin };
    nic.next = () => nextOf(flow);
    return flow;
  }

  /** At the sender: the next packet, once the window and the gap after the last one let it leave. */
  function nextOf(flow: Flow): Packet | undefined {
    const { qp, sndNxt: sequence, sndUna, nic } = flow;
    if (sequence === sizeBytes || !engine.maySend(qp, sequence - sndUna)) return undefined;
    const gapEndPs = engine.nextSendPs(qp);
    if (gapEndPs > clock.nowPs) {
      clock.at(gapEndPs, () => nic.serve());
      return undefined;
    }
    const payloadBytes = Math.min(MTU_BYTES, sizeBytes - sequence);
    flow.sndNxt += payloadBytes;
    engine.sent(clock.nowPs, qp, payloadBytes + headerBytes);
    return { kind: 'data', flow, lenBytes: payloadBytes + headerBytes, sequence, hops: [], marked: false };
  }

  /** At the switch, as a packet leaves its queue: telemetry, and a mark or a Fast CNP by what it leaves behind. */
  function decide(packet: Packet): void {
    const [{ flow }, { queueBytes, txBytes }, { nowPs: timePs }] = [packet, bottleneck, clock];
    packet.hops.push({ timePs, txBytes, qlenBytes: queueBytes, lineRateBps: LINK.rateBps });
    const capability = isFast ? 'able' : 'unable';
    const event = { timePs, port: receiver, flow: flow.host, queueBytes, ecn: 2, capability, isIpv6: true } as const;
    const { markCe, sendFastCnp } = congestionPoint.decide(event);
    packet.marked = markCe;
    if (sendFastCnp) flow.fromSwitch.send({ ...packet, kind: 'fast-cnp', lenBytes: 122 });
  }

  /** At the receiver: a CNP where one is due, and an ACK. */
  function receive(packet: Packet): void {
    const isCnpDue = packet.marked && engine.marked(clock.nowPs, packet.flow.qp);
    if (isCnpDue) responses.send({ ...packet, kind: 'cnp', lenBytes: 98 });
    const expected = packet.sequence + packet.lenBytes - headerBytes;
    responses.send({ ...packet, kind: 'ack', lenBytes: headerBytes + 4, sequence: expected });
  }

  /** At the sender: ACKs, CNPs and Fast CNPs. */
  function respond({ kind, flow, sequence, hops }: Packet): void {
    const { host, qp, sndNxt } = flow;
    const addresses = { source: addressOf(hub), originalDestination: addressOf(receiver), destQpn: host + 1 };
    if (kind === 'cnp') engine.cnp(clock.nowPs, qp);
    if (kind === 'fast-cnp') engine.fastCnp(clock.nowPs, { endpoint: host, ...addresses });
    if (kind !== 'ack') return;
    flow.sndUna = sequence;
    if (sequence === sizeBytes) flow.completionPs = clock.nowPs;
    const acknowledged = {
      ackSeq: psnOf(sequence),
      sndNxt: psnOf(sndNxt),
      telemetry: { kind: 'exact', hops },
    } as const;
    if (control === 'hpcc') engine.ack(clock.nowPs, qp, acknowledged);
    flow.nic.serve();
  }
}
