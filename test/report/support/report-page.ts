/** Renders reports of given results as the command line does. */
import { PAGE_SCRIPT, PAGE_STYLE } from '../../../src/cli/report/page-assets.js';
import { reportHtml } from '../../../src/cli/report/report-html.js';
import type { SimResult } from '../../../src/sim/result.js';

export const ASSETS = {
  script: PAGE_SCRIPT,
  style: PAGE_STYLE,
  version: '1.2.3',
  commands: ['roce-cc run a.json b.json --compare'],
};

export const html = (results: readonly SimResult[]): string => reportHtml(results, ASSETS);
