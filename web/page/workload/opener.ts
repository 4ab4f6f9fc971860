/** The control that opens a workload file as the experiment. */
import { fill, h } from '../../../src/view/charts/dom.js';
import { JOB_FORMATS } from '../../../src/workloads/job-formats.js';
import type { Lab } from '../lab.js';

const ENDINGS = Object.values(JOB_FORMATS).flatMap(({ endings }) => endings);

export function workloadOpener(lab: Lab): HTMLElement {
  const status = h('p', { id: 'workload-status', role: 'status', class: 'words' });
  const input = h('input', { type: 'file', id: 'workload-file', accept: [...ENDINGS, '.gz', '.zst'].join(',') });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    fill(status);
    lab.openWorkload(file).catch((error: unknown) => {
      fill(status, error instanceof Error ? error.message : String(error));
    });
  });
  return h('div', { class: 'opener' },
    h('label', { for: 'workload-file', class: 'words' }, `Or a workload file (${ENDINGS.join(', ')}) `), input, status);
}
