/** Escapes text for HTML and SVG, such as names of scenarios. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A sentence of the library, which writes plain ASCII, as pages write units. */
export function pageText(text: string): string {
  return text.replaceAll(/(?<=\d )us\b/g, 'µs');
}

/** The same as HTML. */
export function pageHtml(text: string): string {
  return escapeHtml(pageText(text));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
