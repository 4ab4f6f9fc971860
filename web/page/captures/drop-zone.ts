/** The area where captures are dropped or chosen. The code that reads and shows them is loaded with the first one. */
import { fill, h } from '../../../src/view/charts/dom.js';
import type { Lab } from '../lab.js';
import type { CapturePanel } from './capture-panel.js';

export class CaptureDropZone {
  readonly #lab: Lab;
  readonly #status = h('p', { id: 'capture-status', role: 'status', class: 'words' });
  readonly #report = h('div', { id: 'capture-report' });
  readonly #sample = h('button', { type: 'button', class: 'quiet', id: 'capture-sample' },
    "Try it with this run's packets");
  #panel: CapturePanel | undefined;

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    const input = h('input', {
      type: 'file',
      id: 'capture-file',
      multiple: true,
      accept: '.pcap,.pcapng,.cap,.gz,.csv',
    });
    input.addEventListener('change', () => void this.#take([...input.files ?? []]));
    this.#sample.addEventListener('click', () => void this.#takeSample());
    const drop = h('div', { class: 'drop' },
      h('label', { for: 'capture-file' },
        'Drop a pcap or pcapng here, or choose one. It is read in this browser and sent nowhere. ' +
          'Connections are found by their frames, or listed in a CSV (sender_addr, sender_qpn, peer_addr, peer_qpn), ' +
          'to see the rates DCQCN would set in response to their CNPs. '), input, this.#sample);
    host.append(drop, this.#status, this.#report);
    this.#listen(drop);
  }

  restyle(): void {
    this.#panel?.restyle();
  }

  #listen(drop: HTMLElement): void {
    for (const name of ['dragenter', 'dragover']) {
      document.addEventListener(name, (event) => {
        event.preventDefault();
        drop.classList.add('over');
      });
    }
    document.addEventListener('dragleave', () => {
      drop.classList.remove('over');
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      void this.#take([...event.dataTransfer?.files ?? []]);
    });
  }

  async #take(files: readonly File[]): Promise<void> {
    try {
      const { CapturePanel } = await import('./capture-panel.js');
      this.#panel ??= new CapturePanel(this.#status, this.#report);
      await this.#panel.take(files);
    } catch (error) {
      fill(this.#status, error instanceof Error ? error.message : String(error));
    }
  }

  /** Takes the packets of both directions of the chosen port's link, from the run that is shown. */
  async #takeSample(): Promise<void> {
    const { client } = this.#lab.chosen.value;
    const data = client.data.value;
    const { port } = this.#lab.view.value;
    if (data?.outcome === undefined) {
      fill(this.#status, 'Run the scenario first: its packets are the sample.');
      return;
    }
    fill(this.#status, 'The scenario runs once more, with a capture of the link …');
    this.#sample.disabled = true;
    try {
      const name = port === '' ? data.facts.ports[data.peakPort]?.name ?? '' : port;
      const file = await client.exported('link-pcap', name);
      await this.#take([new File([file.blob], file.name)]);
    } catch (error) {
      fill(this.#status, error instanceof Error ? error.message : String(error));
    }
    this.#sample.disabled = false;
  }
}
