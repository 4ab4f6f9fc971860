/** Light or dark theme: the system's, until the user chooses. */

const KEY = 'tsd-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

export function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme');
  button?.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
    name(button);
  });
  systemIsDark.addEventListener('change', () => {
    name(button);
  });
  name(button);
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen === undefined ? systemIsDark.matches : chosen === 'dark';
}

function name(button: HTMLButtonElement | null): void {
  if (button === null) return;
  button.textContent = isDark() ? 'Light' : 'Dark';
  button.setAttribute('aria-label', `${isDark() ? 'Light' : 'Dark'} colours`);
}
