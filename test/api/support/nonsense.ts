/** Values that callers without types pass. */

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

/** Invalid values by name; each is created again for each call. */
export const NONSENSE: Readonly<Record<string, () => unknown>> = {
  'undefined': () => undefined,
  'null': () => null,
  'true': () => true,
  'NaN': () => NaN,
  '-1': () => -1,
  '0.5': () => 0.5,
  '2^32+7': () => 2 ** 32 + 7,
  '2^53': () => 2 ** 53,
  'Infinity': () => Infinity,
  'no text': () => '',
  'a text': () => '5',
  '5n': () => 5n,
  '{}': () => ({}),
  'an object without prototype': () => Object.create(null) as unknown,
  '[]': () => [],
  '[null]': () => [null],
  'a cyclic object': cyclic,
  'a symbol': () => Symbol('s'),
  'a function': () => () => 0,
  'a date': () => new Date(NaN),
  'three bytes': () => new Uint8Array(3),
  'detached bytes': detached,
  'shared bytes': () => new Uint8Array(new SharedArrayBuffer(8)),
};
