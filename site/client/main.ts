/** Script of every page: theme and search, which is loaded on first use. */
import { startTheme } from './theme.js';

const field = document.querySelector<HTMLInputElement>('#search');
startTheme();

/** Loads and starts the search. */
const openSearch = async (): Promise<void> => {
  const { startSearch } = await import('./search.js');
  await startSearch();
};

field?.addEventListener('focus', () => void openSearch(), { once: true });

addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  field?.focus();
});
