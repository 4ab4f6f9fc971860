/** The lab's page. */
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { CaptureDropZone } from './captures/drop-zone.js';
import { ChartPanel } from './charts/panel.js';
import { ComparePanel } from './compare/panel.js';
import { byId } from '../../src/view/charts/dom.js';
import { ExperimentPanel } from './experiment/panel.js';
import { GALLERY } from './gallery.js';
import { Lab } from './lab.js';
import { NetworkPanel } from './network/panel.js';
import { PortTable } from './ports/table.js';
import { miniChart } from './charts/mini-chart.js';
import { showVerdict } from './ports/verdict.js';
import { Bar } from './share/bar.js';
import { KeptState } from './share/kept-state.js';
import { readLink, type SharedState } from './share/link.js';
import { themeButton } from './theme.js';
import { watchFrames } from './frames.js';
import { WhyPanel } from './why.js';
import { viewTabs } from './view-tabs.js';

const lab = new Lab(GALLERY[0]?.a ?? '{}');
const bar = new Bar(lab, byId('bar'));
const experiment = new ExperimentPanel(lab, byId('experiment-body'));
const network = new NetworkPanel(lab, byId('network-body'));
const charts = new ChartPanel(lab, byId('charts-body'));
new PortTable(lab, byId('ports-body'));
const restyleMini = miniChart(lab, byId('mini'));
showVerdict(lab, byId('verdict'));
new ComparePanel(lab, byId('results-body'), byId('key-numbers'));
new WhyPanel(lab, byId('why-body'));
const captures = new CaptureDropZone(lab, byId('capture-body'));
byId('head-end').append(themeButton(() => {
  charts.restyle();
  restyleMini();
  network.draw();
  captures.restyle();
}));
const kept = new KeptState(lab, byId('head-end'));
const chooseView = viewTabs(byId('views'));
watchFrames();
void open();

/** Opens the experiment in the page's address, or the gallery's first. */
async function open(): Promise<void> {
  let trouble = '';
  try {
    const shared = await readLink(location.hash);
    if (shared !== undefined) show(shared);
  } catch (error) {
    trouble = error instanceof Error ? error.message : String(error);
  }
  kept.begin();
  lab.run();
  bar.warn(trouble);
}

function show({ a, b, code, view, hash }: SharedState): void {
  lab.dropCode();
  lab.a.begin(a);
  if (b === undefined) lab.removeB();
  else lab.addB(b);
  if (b !== undefined && code !== undefined) {
    lab.code.value = { text: code, isHeld: true };
    experiment.showAlgorithm();
    chooseView('experiment');
  }
  lab.view.value = view;
  lab.statedHash.value = hash;
}

addEventListener('hashchange', () => {
  void open();
});
