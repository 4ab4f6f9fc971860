/** Colours of the page's style, told apart by eyes that see fewer of them; dashes tell variants apart besides. */

const FLOW_HUE_STEP = 137.508;

/** A custom property of the page's style. */
function styleColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'dark' || chosen === 'light') return chosen === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

/** One of many thin lines; neighbours differ most. */
export function flowColor(flow: number): string {
  return `hsl(${Math.round(flow * FLOW_HUE_STEP) % 360} 55% ${isDark() ? 65 : 42}%)`;
}

/** Colours of a drawing, read from the style once. */
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly paper: string;
  readonly panel: string;
  readonly grid: string;
  readonly accent: string;
  readonly a: string;
  readonly b: string;
  readonly idle: string;
  readonly low: string;
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
  'a',
  'b',
  'idle',
  'low',
  'marking',
  'full',
  'paused',
];

let known: Palette | undefined;

/** Of the present theme; read from the style once, as each reading makes the browser compute styles. */
export function palette(): Palette {
  known ??= Object.fromEntries(NAMES.map((name) => [name, styleColor(`--${name}`)])) as unknown as Palette;
  return known;
}

/** To be called when the theme is another one. */
export function forgetPalette(): void {
  known = undefined;
}
