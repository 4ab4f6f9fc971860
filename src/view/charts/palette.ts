/** Colours of lines and of the page's style. Lines differ for colour-blind eyes as well, and also by dashes. */

const ON_LIGHT = ['#0062b8', '#b84300', '#00705a', '#8a2f8f', '#7a5c00', '#b00040'];
const ON_DARK = ['#6cb6ff', '#ff9d5c', '#4fd1ab', '#e09be6', '#e2c04c', '#ff8fa8'];
const DASHES: readonly (readonly number[])[] = [[], [9, 4], [3, 3], [12, 3, 3, 3], [6, 2], [2, 5]];
/** Hue step in degrees between flows, the golden angle: neighbours differ strongly. */
const FLOW_HUE_STEP = 137.508;

/** Value of a custom property in the page's style. */
export function styleColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'dark' || chosen === 'light') return chosen === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Colour of a run's lines. @param run index among the compared runs. */
export function runColor(run: number): string {
  const colors = isDark() ? ON_DARK : ON_LIGHT;
  return colors[run % colors.length] ?? 'currentColor';
}

/** Dash pattern of a run's lines: lengths of strokes and gaps in pixels; empty for a solid line. */
export function runDash(run: number): number[] {
  return [...(DASHES[run % DASHES.length] ?? [])];
}

/** Colour of a flow's line among many; neighbours differ strongly. */
export function flowColor(flow: number): string {
  return `hsl(${Math.round(flow * FLOW_HUE_STEP) % 360} 55% ${isDark() ? 65 : 42}%)`;
}

/** Colours of a drawing. */
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly paper: string;
  readonly panel: string;
  readonly grid: string;
  readonly accent: string;
  readonly idle: string;
  readonly sending: string;
  readonly marking: string;
  readonly full: string;
  readonly paused: string;
}

const NAMES: readonly (keyof Palette)[] = [
  'text',
  'muted',
  'paper',
  'panel',
  'grid',
  'accent',
  'idle',
  'sending',
  'marking',
  'full',
  'paused',
];

let known: Palette | undefined;

/** Colours of the current theme. Cached, as reading them makes the browser recompute styles. */
export function palette(): Palette {
  known ??= Object.fromEntries(NAMES.map((name) => [name, styleColor(`--${name}`)])) as unknown as Palette;
  return known;
}

/** Drops the cached colours; call it when the theme changes. */
export function forgetPalette(): void {
  known = undefined;
}
