/**
 * Bytes as a text of printable characters, for modules that are inlined into JavaScript.
 *
 * Close to one character a byte, and smaller than hexadecimal or base64 once compressed: the bytes stay bytes. The 84 most
 * frequent ones are a character each; two characters lead the other 172 in groups of 86. The text begins with all 256 bytes,
 * most frequent first, in hexadecimal. scripts/byte-text.mjs writes it.
 */

/** The characters are 87 from `(` on, without the backslash. */
const FIRST = 40;
const BACKSLASH = 92;
/** Bytes of one character; characters. */
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
