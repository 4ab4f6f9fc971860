// Bytes as a text of printable characters; src/engine/instantiate.ts documents the format, and reads it.

const CHARACTERS = Array.from({ length: 87 }, (_, index) => String.fromCharCode(40 + index)).filter((one) =>
  one !== '\\'
);
const SINGLES = 84;

/** The text of some bytes. */
export function textOfBytes(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const order = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
  const words = [];
  for (const [rank, byte] of order.entries()) words[byte] = wordOf(rank);
  return Buffer.from(order).toString('hex') + Array.from(bytes, (byte) => words[byte]).join('');
}

function wordOf(rank) {
  if (rank < SINGLES) return CHARACTERS[rank];
  const behind = rank - SINGLES;
  return CHARACTERS[SINGLES + Math.floor(behind / CHARACTERS.length)] + CHARACTERS[behind % CHARACTERS.length];
}
