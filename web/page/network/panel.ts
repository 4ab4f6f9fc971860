/** The network's picture. The user chooses an instant or plays the run, and selects ports by pointer or keys. */
import type { ScenarioFacts } from '../../protocol/run-protocol.js';
import { h, oncePerFrame, saveFile } from '../../../src/view/charts/dom.js';
import type { Lab } from '../lab.js';
import { palette } from '../../../src/view/charts/palette.js';
import type { RunData } from '../run-data.js';
import { bytesText, percentText, rateText, timeText } from '../../../src/view/format.js';
import { limitOf, type Limit } from '../ports/bottleneck.js';
import { drawLimit, drawScene } from './draw.js';
import { layOut, type NetworkLayout, portAt, PORT_STATES, sceneOf, WIDTH_WORDS,
  type Scene } from '../../../src/view/network/scene.js';
import { redrawWaitMs } from '../run-pace.js';
import { LinkView } from './link-view.js';
import { Player } from './player.js';
import { portPictures, portState } from './port-pictures.js';

const NEAR_PX = 9;
const WIDTH_MIN = 240;
const [HEIGHT_MIN, HEIGHT_MAX] = [240, 460];

export class NetworkPanel {
  readonly #lab: Lab;
  readonly #canvas = h('canvas', {
    id: 'network',
    tabindex: 0,
    role: 'img',
    'aria-label': 'The network. Arrow keys choose the next port.',
    'aria-describedby': 'network-words',
  });
  readonly #words = h('p', { id: 'network-words', class: 'words', 'aria-live': 'polite' });
  readonly #svg = h('button', {
    type: 'button',
    class: 'quiet',
    disabled: true,
    click: () => {
      void this.#saveSvg();
    },
  }, 'Network as SVG');
  readonly #player: Player;
  readonly #link: LinkView;
  #layout: { readonly facts: ScenarioFacts; readonly layout: NetworkLayout } | undefined;
  #scene: Scene | undefined;
  #hovered = -1;
  #drawnMs = 0;
  #frameWidth = 0;

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#player = new Player(lab);
    this.#link = new LinkView(lab);
    const frame = h('div', { class: 'network-frame' }, this.#canvas);
    host.append(frame, legend(), this.#player.element, this.#words,
      h('div', { class: 'buttons' }, this.#svg, this.#link.button), this.#link.element);
    const draw = oncePerFrame(() => {
      this.draw();
    }, { isPicture: true });
    lab.changed.onChange(() => {
      if (this.#isDue()) draw();
    });
    lab.view.onChange(draw);
    lab.chosen.onChange(draw);
    lab.a.facts.onChange(draw);
    // Reading the width from the element would force a layout in the middle of a frame's work.
    new ResizeObserver(([entry]) => {
      this.#frameWidth = entry?.contentRect.width ?? 0;
      draw();
    }).observe(frame);
    this.#listen(draw);
  }

  draw(): void {
    const { client, facts: checked } = this.#lab.chosen.value;
    const data = client.data.value;
    const facts = data?.facts ?? checked.value;
    if (facts === undefined) return;
    this.#player.show(data);
    const colors = palette();
    const layout = this.#layoutOf(facts);
    const width = Math.max(WIDTH_MIN, this.#frameWidth);
    const height = Math.round(Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, width * 0.5)));
    const timePs = this.#instant(data);
    const chosen = this.#chosenPorts(facts, data);
    this.#scene = sceneOf(facts, layout, portPictures(data, facts, timePs), { width, height, colors, chosen });
    this.#svg.disabled = false;
    const { outcome } = data ?? {};
    this.#paint(this.#scene, outcome && limitOf(facts, outcome));
    this.#words.textContent = this.#wordsOf(facts, data, timePs);
    this.#link.show(data);
  }

  /** Whether to redraw now: during a run only occasionally, so that the page stays responsive. */
  #isDue(): boolean {
    if (redrawWaitMs([this.#lab.chosen.value.client], this.#drawnMs) > 0) return false;
    this.#drawnMs = performance.now();
    return true;
  }

  #instant(data: RunData | undefined): number {
    const { timePs } = this.#lab.view.value;
    return timePs < 0 ? data?.reportedPs ?? 0 : timePs;
  }

  #layoutOf(facts: ScenarioFacts): NetworkLayout {
    if (this.#layout?.facts !== facts) this.#layout = { facts, layout: layOut(facts) };
    return this.#layout.layout;
  }

  #paint(scene: Scene, limit: Limit | undefined): void {
    const scale = devicePixelRatio;
    const [wide, high] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
    if (this.#canvas.width !== wide) this.#canvas.width = wide;
    if (this.#canvas.height !== high) this.#canvas.height = high;
    this.#canvas.style.height = `${scene.height}px`;
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    drawScene(context, scene, palette().paper);
    if (limit !== undefined) drawLimit(context, scene, limit, palette());
  }

  #chosenPorts(facts: ScenarioFacts, data: RunData | undefined): Set<number> {
    const { port, flow } = this.#lab.view.value;
    const chosen = new Set(facts.ports.flatMap(({ name }, index) => (name === port ? [index] : [])));
    if (this.#hovered >= 0) chosen.add(this.#hovered);
    const flows = data?.outcome?.flows;
    if (flow >= 0 && flows !== undefined) {
      facts.ports.forEach(({ node, peerNode }, index) => {
        const [from, to] = [facts.nodes[node]?.name, facts.nodes[peerNode]?.name];
        if (from === flows.from[flow] || to === flows.to[flow]) chosen.add(index);
      });
    }
    return chosen;
  }

  #wordsOf(facts: ScenarioFacts, data: RunData | undefined, timePs: number): string {
    const wanted = facts.ports.findIndex(({ name }) => name === this.#lab.view.value.port);
    const port = this.#hovered >= 0 ? this.#hovered : wanted >= 0 ? wanted : data?.peakPort ?? -1;
    const of = facts.ports[port];
    if (of === undefined || data === undefined) return 'Click on a link, or choose one by the arrow keys.';
    const sample = data.sampleAt(timePs);
    const isPaused = data.pausedAt(timePs).has(port);
    const isUnmarked = data.outcome?.metrics.marks === 0;
    const [marking, full] = isUnmarked && !of.sendsFastCnps ?
      ['above Kmin, nothing is marked', 'above Kmax, nothing is marked'] :
      of.sendsFastCnps ?
      ['above Kmin, sends Fast CNPs', 'above Kmax, sends Fast CNPs'] :
      ['above Kmin, marks', 'above Kmax, marks all'];
    const states = { idle: 'idle', sending: 'sending', marking, full, paused: 'paused' };
    return `${of.name}, ${rateText(of.rateBps)}, at ${timeText(Number(timePs.toPrecision(4)))}: queue ${
      bytesText(data.queueAt(sample, port))
    }, sending ${percentText(data.busyAt(sample, port))} of the time, ${
      states[portState(facts, data, { port, sample, isPaused })]
    }. Longest queue ${bytesText(data.peakOf(port))}.`;
  }

  #listen(draw: () => void): void {
    const canvas = this.#canvas;
    const portOf = (event: PointerEvent | MouseEvent): number =>
      this.#scene === undefined ? -1 : portAt(this.#scene, event.offsetX, event.offsetY, NEAR_PX);
    canvas.addEventListener('pointermove', (event) => {
      const port = portOf(event);
      if (port === this.#hovered) return;
      this.#hovered = port;
      canvas.classList.toggle('on-port', port >= 0);
      draw();
    });
    canvas.addEventListener('pointerleave', () => {
      this.#hovered = -1;
      draw();
    });
    canvas.addEventListener('click', (event) => {
      const port = portOf(event);
      const facts = this.#lab.chosen.value.facts.value;
      if (port >= 0) this.#lab.show({ port: facts?.ports[port]?.name ?? '' });
    });
    canvas.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.#step(step);
    });
  }

  /** Selects the next port that sends anything. */
  #step(step: number): void {
    const facts = this.#lab.chosen.value.facts.value;
    if (facts === undefined) return;
    const count = facts.ports.length;
    const at = facts.ports.findIndex(({ name }) => name === this.#lab.view.value.port);
    const next = at < 0 ? this.#lab.chosen.value.client.data.value?.peakPort ?? 0 : (at + step + count) % count;
    this.#lab.show({ port: facts.ports[next]?.name ?? '' });
  }

  async #saveSvg(): Promise<void> {
    if (this.#scene === undefined) return;
    // Loaded when first used, as few runs are saved as drawings.
    const { sceneSvg } = await import('../../../src/view/network/svg.js');
    const text = sceneSvg(this.#scene, palette(), { title: this.#words.textContent });
    saveFile('network.svg', new Blob([text], { type: 'image/svg+xml' }));
  }
}

function legend(): HTMLElement {
  const entries = PORT_STATES.map(([state, words]) => h('li', {}, h('i', { class: `key ${state}` }), words));
  return h('ul', { class: 'network-legend', 'aria-label': 'Colours and widths of links' }, ...entries,
    h('li', {}, WIDTH_WORDS),
    h('li', {}, h('i', { class: 'key selected' }), 'selected port, or ends of the selected flow'),
    h('li', {}, h('i', { class: 'key limit' }), 'bottleneck, or deadlock'));
}
