/** Colours of lines: told apart by eyes that see fewer of them, and by dashes besides; dark on light and light on dark. */

const ON_LIGHT = ['#0062b8', '#b84300', '#00705a', '#8a2f8f', '#7a5c00', '#b00040'];
const ON_DARK = ['#6cb6ff', '#ff9d5c', '#4fd1ab', '#e09be6', '#e2c04c', '#ff8fa8'];
const DASHES: readonly (readonly number[])[] = [[], [9, 4], [3, 3], [12, 3, 3, 3], [6, 2], [2, 5]];
/** Turns the hue so that neighbours differ most. */
const GOLDEN_ANGLE = 137.508;

function isDark(): boolean {
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

export function runColor(run: number): string {
  const colors = isDark() ? ON_DARK : ON_LIGHT;
  return colors[run % colors.length] ?? 'currentColor';
}

export function runDash(run: number): number[] {
  return [...(DASHES[run % DASHES.length] ?? [])];
}

/** One of many thin lines. */
export function flowColor(flow: number): string {
  return `hsl(${Math.round(flow * GOLDEN_ANGLE) % 360} 55% ${isDark() ? 65 : 42}%)`;
}

/** A custom property of the page's style. */
export function styleColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
