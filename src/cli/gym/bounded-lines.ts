/** Splits a stream into lines up to a maximum length, so that an endless line does not exhaust memory. */

/** A line; undefined if it was too long and was skipped. */
export type BoundedLine = string | undefined;

/**
 * @param chunks text in UTF-8.
 * @param most maximum characters of a line.
 */
export async function* boundedLines(chunks: AsyncIterable<Uint8Array | string>,
  most: number): AsyncGenerator<BoundedLine> {
  const decoder = new TextDecoder();
  let rest = '';
  let isSkipping = false;
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first = '', ...others] = text.split('\n');
    rest += first;
    for (const next of others) {
      yield isSkipping || rest.length > most ? undefined : rest;
      isSkipping = false;
      rest = next;
    }
    if (rest.length <= most) continue;
    isSkipping = true;
    rest = '';
  }
  rest += decoder.decode();
  if (isSkipping || rest !== '') yield isSkipping ? undefined : rest;
}
