/** Before anything is drawn: the colours that the reader chose. The API's pages keep the choice under the same name. */

const chosen = localStorage.getItem('tsd-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
