/** Light or dark theme: the system's, until the user chooses. */
import { h } from '../../src/view/charts/dom.js';
import { forgetPalette, isDark } from '../../src/view/charts/palette.js';

/** @param onChange called when the colours have changed. */
export function themeButton(onChange: () => void): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet', id: 'theme' });
  const name = (): void => {
    forgetPalette();
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `${isDark() ? 'Light' : 'Dark'} colours`);
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    name();
    onChange();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    name();
    onChange();
  });
  name();
  return button;
}
