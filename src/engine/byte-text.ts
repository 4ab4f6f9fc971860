/**
 * Encodes bytes as printable text, for modules that are inlined into JavaScript.
 *
 * Uses close to one character per byte, and compresses better than hexadecimal or base64. The 84 most frequent bytes
 * take one character each; two prefix characters select the other 172 in groups of 86. The text begins with all 256
 * byte values, most frequent first, in hexadecimal. scripts/byte-text.mjs writes it.
 */

/** The alphabet: 87 characters starting at `(`, without the backslash. */
const FIRST = 40;
const BACKSLASH = 92;
/** Number of bytes with a single character; size of the alphabet. */
const SINGLES = 84;
const CHARACTERS = 86;
const ORDER_DIGITS = 512;

export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let at = ORDER_DIGITS; at < text.length; at++) {
    const lead = digitAt(text, at);
    const rank = lead < SINGLES ? lead : lead * CHARACTERS - SINGLES * (CHARACTERS - 1) + digitAt(text, ++at);
    bytes.push(Number.parseInt(text.slice(2 * rank, 2 * rank + 2), 16));
  }
  return Uint8Array.from(bytes);
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code - FIRST - Number(code > BACKSLASH);
}
