import { CHART_LANGUAGE } from '../markdown/render.js';
import type { BarChart } from './bar-chart.js';

/** A chart in the text of a page. */
export function chartBlock(chart: BarChart): string {
  return `\`\`\`${CHART_LANGUAGE}\n${JSON.stringify(chart)}\n\`\`\`\n`;
}
