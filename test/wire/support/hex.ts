/** Bytes from hexadecimal text; blanks are ignored. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
}

/** Lower-case hexadecimal text. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Published vectors: IP datagrams whose last four bytes are the ICRC. */
export const V1 = fromHex(`
  45c2003c 718c4000 40119161 0a001101 0a001201 000012b7 00280000 8100ffff 40000118 00000000
  00000000 00000000 00000000 00000000 82fd002a`);
export const V2 = fromHex(`
  45010040 04784000 4011b4d5 c0a80007 c0a80007 c00012b7 002caca2 2460ffff 000000d3 00cf1710
  4630818b e28935d9 0e9a9550 5401be88 5e500000 78f353f3`);
export const V3 = fromHex(`
  6e21face 002c11ff 20220000 00000000 00000000 00001023 20230000 00000000 00000000 00001024
  c00012b7 002ce7c5 2460ffff 000000d3 00cf1710 4630818b e28935d9 0e9a9550 5401be88 5e500000 3e5b743b`);

/** A Fast CNP without its ICRC, and the ICRC under each policy. */
export const FAST_CNP_WITHOUT_ICRC = fromHex(`
  6c112345 00403c40 20010db8 ffff0000 00000000 00000001 20010db8 00010000 00000000 00000010
  11020102 00009e10 20010db8 00020000 00000000 00000020 c00112b7 00280000 8100ffff 40000118 00000000
  00000000 00000000 00000000 00000000`);
export const FAST_CNP_ICRC = { literal: '01b560d6', omit: 'b7279da8', normalise: 'ff1f70b2' } as const;
