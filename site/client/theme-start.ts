/**
 * Applies the theme that the user chose before anything is drawn. The API's pages store the choice under the same key.
 */

const chosen = localStorage.getItem('tsd-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
