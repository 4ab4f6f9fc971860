/**
 * What one would write for raw frames without the engine: parse into an object, key as text, QP objects in Maps.
 */
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import { us } from '../../src/units.js';
import type { EventStream } from './event-stream.js';
import { localQpn, peerAddress, peerQpn, type FrameStream } from './frames.js';
import { copyState, QpObject } from './map-of-objects.js';

interface ParsedFrame {
  readonly kind: 'data' | 'cnp' | 'fast-cnp' | 'ack' | 'other';
  readonly source: string;
  readonly destination: string;
  readonly original?: string;
  readonly destQpn: number;
  readonly marked: boolean;
}

const OTHER: ParsedFrame = { kind: 'other', source: '', destination: '', destQpn: 0, marked: false };
const CNP_INTERVAL_PS = us(50);
const DUPLICATE_WINDOW_PS = us(50);

class Flow {
  readonly reactionPoint: QpObject;
  nextCnpPs = 0;
  notifiedPs = -Infinity;

  constructor(private readonly parameters: DcqcnParameters) {
    this.reactionPoint = new QpObject(parameters);
  }

  copyFrom(other: Flow): void {
    copyState(other.reactionPoint, this.reactionPoint);
    this.nextCnpPs = other.nextCnpPs;
    this.notifiedPs = other.notifiedPs;
  }

  copy(): Flow {
    const flow = new Flow(this.parameters);
    flow.copyFrom(this);
    return flow;
  }
}

export class MapOfPackets {
  readonly #byPeer = new Map<string, Flow>();
  readonly #byLocalQpn = new Map<number, Flow>();
  readonly #local: string;
  told: { readonly timePs: number; readonly flow: Flow; readonly what: string }[] = [];

  constructor(qps: number, parameters: DcqcnParameters, local: Uint8Array) {
    this.#local = textOf(new DataView(local.buffer, local.byteOffset), 0);
    for (let qp = 0; qp < qps; qp++) {
      const flow = new Flow(parameters);
      const peer = peerAddress(qp);
      this.#byPeer.set(`${textOf(new DataView(peer.buffer), 0)}/${peerQpn(qp)}`, flow);
      this.#byLocalQpn.set(localQpn(qp), flow);
    }
  }

  /** Applies a stream of CNPs by QP number. */
  limitAll(cnps: EventStream): void {
    cnps.qp.forEach((qp, i) => this.#byLocalQpn.get(localQpn(qp))?.reactionPoint.onCnp(cnps.timePs[i] ?? 0));
  }

  save(): readonly Flow[] {
    return [...this.#byLocalQpn.values()].map((flow) => flow.copy());
  }

  restore(saved: readonly Flow[]): void {
    this.told = [];
    saved.forEach((flow, qp) => this.#byLocalQpn.get(localQpn(qp))?.copyFrom(flow));
  }

  apply(stream: FrameStream, from: number, to: number): void {
    this.told = [];
    for (let i = from; i < to; i++) {
      const view = new DataView(stream.bytes.buffer, stream.bytes.byteOffset + (stream.offset[i] ?? 0),
        stream.captured[i]);
      this.#applyFrame(parse(view), stream.timePs[i] ?? 0, stream.original[i] ?? 0);
    }
  }

  #applyFrame(frame: ParsedFrame, timePs: number, lenBytes: number): void {
    if (frame.kind === 'data' && frame.source === this.#local) this.#sent(frame, timePs, lenBytes);
    else if (frame.destination !== this.#local) return;
    else if (frame.kind === 'data' && frame.marked) this.#marked(frame, timePs);
    else if (frame.kind === 'cnp') this.#notify(this.#byLocalQpn.get(frame.destQpn), timePs);
    else if (frame.kind === 'fast-cnp') {
      this.#notify(this.#byPeer.get(`${frame.original ?? ''}/${frame.destQpn}`), timePs);
    }
  }

  #sent(frame: ParsedFrame, timePs: number, lenBytes: number): void {
    const flow = this.#byPeer.get(`${frame.destination}/${frame.destQpn}`);
    if (flow?.reactionPoint.onSent(timePs, lenBytes)) this.told.push({ timePs, flow, what: 'rate' });
  }

  #marked(frame: ParsedFrame, timePs: number): void {
    const flow = this.#byLocalQpn.get(frame.destQpn);
    if (flow === undefined || timePs < flow.nextCnpPs) return;
    flow.nextCnpPs = timePs + CNP_INTERVAL_PS;
    this.told.push({ timePs, flow, what: 'cnp' });
  }

  #notify(flow: Flow | undefined, timePs: number): void {
    if (flow === undefined || timePs - flow.notifiedPs < DUPLICATE_WINDOW_PS) return;
    flow.notifiedPs = timePs;
    if (flow.reactionPoint.onCnp(timePs)) this.told.push({ timePs, flow, what: 'rate' });
  }
}

function textOf(view: DataView, at: number): string {
  return [0, 4, 8, 12].map((offset) => view.getUint32(at + offset).toString(16)).join(':');
}

function parse(view: DataView): ParsedFrame {
  if (view.byteLength < 74 || view.getUint16(12) !== 0x86dd) return OTHER;
  const withOptions = view.getUint8(20) === 60;
  const udp = withOptions ? 54 + (view.getUint8(55) + 1) * 8 : 54;
  if (view.byteLength < udp + 20 || view.getUint16(udp + 2) !== 4791) return OTHER;
  const opcode = view.getUint8(udp + 8);
  const common = {
    source: textOf(view, 22),
    destination: textOf(view, 38),
    destQpn: view.getUint32(udp + 12) & 0xffffff,
    marked: ((view.getUint8(15) >> 4) & 3) === 3,
  };
  if (opcode === 0x81) {
    return withOptions ?
      { ...common, kind: 'fast-cnp', original: textOf(view, 62) } :
      { ...common, kind: 'cnp' };
  }
  return { ...common, kind: opcode === 0x11 ? 'ack' : 'data' };
}
