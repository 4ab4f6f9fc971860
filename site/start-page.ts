/** The start page: what the project is, a live chart, and entries for each kind of reader. */
import { ALGORITHMS } from '../src/config/algorithms/registry.js';
import { drawing, keyNumbers } from './client/drawing.js';
import { runExperiment } from './client/experiment.js';
import { FIRST_SETTINGS, PRESETS } from './client/scenario.js';
import { escapeHtml } from '../src/view/format.js';
import type { TextPage } from './section-pages.js';

const TITLE = 'roce-cc';
const ALGORITHM_TITLES = Object.values(ALGORITHMS).map(({ title }) => title);
const ABOUT =
  'Congestion control for RoCEv2: an engine, a packet-level simulator that runs in a browser tab, and the packet formats.';

/** Entries for readers: their role, what they find, and its page. */
const READERS: readonly (readonly [who: string, what: string, path: string])[] = [
  [
    'You write a simulator or emulator',
    `Embed the engine: ${ALGORITHM_TITLES.length} algorithms, 12 ns per event.`,
    'simulator-author',
  ],
  ['You use ns-3 or htsim', 'Run your own files, equal to the nanosecond where that is claimed.', 'ns3-htsim'],
  [
    'You have a capture from a NIC',
    'Which flows were marked, which CNPs slowed them, and by how much.',
    'nic-engineer',
  ],
  ['You operate switches and hosts', 'Check settings of a path, compare hosts, compute headroom.', 'operator'],
  ['You build AI clusters', 'Collectives and training jobs over your fabric; where the time goes.', 'ai-cluster'],
  ['You teach', 'Experiments for a lecture: change a number, see the queue move.', 'teacher'],
];

export function startPage(): TextPage {
  return {
    path: 'index.html',
    title: 'roce-cc: congestion control for RoCEv2',
    about: ABOUT,
    html: html(),
    parts: [],
    headings: [{ level: 1, text: TITLE, anchor: '', body: ABOUT }],
    scripts: ['experiment-panel'],
  };
}

function html(): string {
  return `<div class="hero">
<section class="what">
<h1>Congestion control for RoCEv2, packet by packet</h1>
<p>A NIC-side congestion-control engine, a packet-level simulator and RoCEv2 codecs. The same code, with bit-identical results, in Node, Bun,
Deno and browsers.</p>
<p class="actions"><a class="button" href="lab/index.html">Open the lab</a>
<a class="button second" href="getting-started/index.html">Getting started</a></p>
<pre tabindex="0" role="group" aria-label="Commands"><code>npx roce-cc          # try it
npm install roce-cc  # the library</code></pre>
</section>
${experimentHtml()}
<section class="readers" aria-labelledby="readers-title">
<h2 id="readers-title">Where to begin</h2>
<ul class="cards">${
    READERS.map(([who, what, page]) =>
      `<li><a href="getting-started/${page}.html"><strong>${who}</strong><span>${what}</span></a></li>`
    ).join('\n')
  }</ul>
</section>
</div>
<ul class="facts">
<li>${ALGORITHM_TITLES.join(', ')}</li>
<li><a href="internals/verification.html">Checked</a> against two ns-3 simulators, uet-htsim, tshark and scapy</li>
<li>4 to 15 million packet-hops per second, <a href="benchmarks/index.html">measured</a></li>
<li>No dependencies</li>
</ul>
`;
}

function experimentHtml(): string {
  const result = runExperiment(FIRST_SETTINGS);
  const numbers = keyNumbers(result).map(([title, text]) => `<div><dt>${title}</dt><dd>${text}</dd></div>`);
  const presets = PRESETS.map(([value, title]) => `<option value="${value}">${title}</option>`);
  return `<section id="experiment" aria-labelledby="experiment-title" data-hash="${result.hash}">
<h2 id="experiment-title">Flows to one receiver at 100 Gb/s, one starting every 0.3 ms</h2>
<div class="controls">
<label>Algorithm <select id="experiment-preset" autocomplete="off">${presets.join('')}</select></label>
<label>Flows <output id="experiment-senders-value">${FIRST_SETTINGS.senders}</output>
<input id="experiment-senders" type="range" min="2" max="8" step="1" value="${FIRST_SETTINGS.senders}" autocomplete="off"></label>
<label>Kmin <output id="experiment-kmin-value">${FIRST_SETTINGS.kminKB} kB</output>
<input id="experiment-kmin" type="range" min="10" max="400" step="10" value="${FIRST_SETTINGS.kminKB}" autocomplete="off"></label>
</div>
<div id="experiment-drawing">${drawing(result, FIRST_SETTINGS)}</div>
<dl id="experiment-numbers">${numbers.join('')}</dl>
<p class="under"><span id="experiment-status" role="status">${
    escapeHtml('Move a slider: the simulator runs here.')
  }</span> <a id="experiment-lab" href="lab/index.html">More of it in the lab</a></p>
</section>`;
}
