/** A close-up of one link: every packet on it at the current instant, in both directions. */
import { fill, h } from '../../../src/view/charts/dom.js';
import { PS_PER_SECOND } from '../../../src/units.js';
import type { Lab } from '../lab.js';
import { flowColor, palette, type Palette } from '../../../src/view/charts/palette.js';
import type { RunData } from '../run-data.js';
import { PACKET_KINDS, type LinkPackets, type PortFacts } from '../../protocol/run-protocol.js';
import { timeText } from '../../../src/view/format.js';

const HEIGHT_PX = 96;
const BITS = 8;
const [LEFT, RIGHT] = [8, 8];

export class LinkView {
  readonly button = h('button', { type: 'button', class: 'quiet', id: 'zoom-link' }, 'Packets of this link');
  readonly element: HTMLElement;
  readonly #lab: Lab;
  readonly #canvas = h('canvas', {
    role: 'img',
    'aria-label': 'Packets on the link',
    'aria-describedby': 'link-words',
  });
  readonly #words = h('p', { class: 'words', id: 'link-words' });
  readonly #steps: HTMLElement;
  #packets: LinkPackets | undefined;
  #ofRun = '';

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#steps = h('div', { class: 'buttons' }, h('button', {
      type: 'button',
      class: 'quiet',
      click: () => {
        this.#step(-1);
      },
    }, 'Packet before'), h('button', {
      type: 'button',
      class: 'quiet',
      click: () => {
        this.#step(1);
      },
    }, 'Next packet'));
    this.element = h('div', { class: 'link-view', hidden: true }, this.#canvas, this.#words, this.#steps);
    this.button.addEventListener('click', () => void this.#load());
  }

  show(data: RunData | undefined): void {
    this.button.disabled = data?.outcome === undefined;
    if (data?.outcome?.hash !== this.#ofRun) {
      this.element.hidden = true;
      this.#packets = undefined;
      return;
    }
    if (this.#packets !== undefined) this.#draw(data, this.#packets);
  }

  async #load(): Promise<void> {
    const { client, ranText } = this.#lab.chosen.value;
    const data = client.data.value;
    if (data?.outcome === undefined) return;
    const { ports } = data.facts;
    const at = Math.max(0, ports.findIndex(({ name }) => name === this.#lab.view.value.port));
    const port = ports[this.#lab.view.value.port === '' ? data.peakPort : at];
    const back = ports[port?.peerPort ?? 0];
    if (port === undefined || back === undefined) return;
    this.button.disabled = true;
    this.#packets = await client.packets(ranText, [port.name, back.name]);
    this.#ofRun = data.outcome.hash;
    this.element.hidden = false;
    if (this.#lab.view.value.timePs < 0) this.#lab.show({ timePs: data.peakTimePs(ports.indexOf(port)) });
    this.show(data);
  }

  #draw(data: RunData, packets: LinkPackets): void {
    const ports = packets.ports.map((name) => data.facts.ports.find((port) => port.name === name));
    const [port, back] = ports;
    const width = Math.max(240, this.element.clientWidth);
    const context = sized(this.#canvas, width);
    if (context === null || port === undefined || back === undefined) return;
    const timePs = this.#lab.view.value.timePs < 0 ? data.reportedPs : this.#lab.view.value.timePs;
    const colors = palette();
    const ends = [port.node, port.peerNode].map((node) => data.facts.nodes[node]?.name ?? '');
    drawWire(context, width, ends, colors);
    const counts = new Map<string, number>();
    for (const index of onLink(packets, [port, back], timePs)) {
      const of = packets.side[index] === 0 ? port : back;
      drawPacket(context, { packets, index, of, sincePs: timePs - (packets.timePs[index] ?? 0), width, colors });
      const kind = PACKET_KINDS[packets.kind[index] ?? 0] ?? 'data';
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    fill(this.#words, wordsOf(packets, port, timePs, counts));
  }

  /** Moves to the instant at which the next or previous packet leaves. */
  #step(step: number): void {
    const times = this.#packets?.timePs;
    if (times === undefined) return;
    const now = this.#lab.view.value.timePs;
    const later = times.findIndex((timePs) => timePs > now);
    const from = later < 0 ? times.length : later;
    const next = step > 0 ? times[from] : times[times.findIndex((timePs) => timePs >= now) - 1];
    if (next !== undefined) this.#lab.show({ timePs: next });
  }
}

/** Indices of packets that are at least partly on the link. */
function onLink({ timePs, side, lenBytes }: LinkPackets, ports: readonly [PortFacts, PortFacts],
  nowPs: number): number[] {
  const found: number[] = [];
  for (let index = 0; index < timePs.length; index++) {
    const leftPs = timePs[index] ?? 0;
    if (leftPs > nowPs) break;
    const of = ports[side[index] === 0 ? 0 : 1];
    if (leftPs + of.delayPs + txPs(lenBytes[index] ?? 0, of) >= nowPs) found.push(index);
  }
  return found;
}

function wordsOf({ ports, leftOut }: LinkPackets, { delayPs }: PortFacts, timePs: number,
  counts: ReadonlyMap<string, number>): string {
  const listed = counts.size === 0 ? 'no packet' : [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const later = leftOut === 0 ? '' : ` ${leftOut.toLocaleString('en')} later packets are not kept.`;
  return `${ports[0]} above, ${ports[1]} below, ${timeText(delayPs)} one way, at ${
    timeText(Number(timePs.toPrecision(6)))
  }: ${listed} on the link. Hollow: marked.${later}`;
}

const txPs = (lenBytes: number, { rateBps }: PortFacts): number => (lenBytes * BITS * PS_PER_SECOND) / rateBps;

function sized(canvas: HTMLCanvasElement, width: number): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = HEIGHT_PX * scale;
  canvas.style.height = `${HEIGHT_PX}px`;
  const context = canvas.getContext('2d');
  context?.scale(scale, scale);
  return context;
}

function drawWire(context: CanvasRenderingContext2D, width: number, [from = '', to = '']: readonly string[],
  colors: Palette): void {
  context.fillStyle = colors.panel;
  context.fillRect(LEFT, 22, width - LEFT - RIGHT, 24);
  context.fillRect(LEFT, 54, width - LEFT - RIGHT, 24);
  context.fillStyle = colors.muted;
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'left';
  context.fillText(from, LEFT, 14);
  context.textAlign = 'right';
  context.fillText(to, width - RIGHT, 14);
}

interface PacketShape {
  readonly packets: LinkPackets;
  readonly index: number;
  readonly of: PortFacts;
  readonly sincePs: number;
  readonly width: number;
  readonly colors: Palette;
}

function drawPacket(context: CanvasRenderingContext2D,
  { packets, index, of, sincePs, width, colors }: PacketShape): void {
  const span = width - LEFT - RIGHT;
  const whole = Math.max(1, of.delayPs);
  const head = Math.min(1, sincePs / whole);
  const tail = Math.max(0, (sincePs - txPs(packets.lenBytes[index] ?? 0, of)) / whole);
  const isForth = packets.side[index] === 0;
  const [from, to] = isForth ? [tail, head] : [1 - head, 1 - tail];
  const kind = PACKET_KINDS[packets.kind[index] ?? 0];
  const flow = packets.flow[index] ?? -1;
  const color = kind === 'pause' || kind === 'resume' ? colors.paused : kind === 'data' ? flowColor(flow) : colors.text;
  const [x, y, wide] = [LEFT + from * span, isForth ? 24 : 56, Math.max(1.5, (to - from) * span - 0.5)];
  context.fillStyle = color;
  context.strokeStyle = color;
  if (packets.isMarked[index] === 1) context.strokeRect(x + 0.5, y + 0.5, Math.max(1, wide - 1), 19);
  else context.fillRect(x, y, wide, 20);
}
