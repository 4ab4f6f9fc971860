/** Where a text stops being JSON (RFC 8259), the same in every browser: messages of `JSON.parse` differ. */

/** Kinds of tokens: brackets, comma and colon are their own; a string, a number or word, the end, and what is no token. */
const [STRING, ATOM, END, BAD] = ['"', '0', '$', '!'];
/** Tokens that may come next, by what has been read. */
const VALUE = `{[${STRING}${ATOM}`;
const FIRST: Readonly<Record<string, string>> = { '{': `${STRING}}`, '[': `${VALUE}]` };
const AFTER_COMMA: Readonly<Record<string, string>> = { '{': STRING, '[': VALUE };
const AFTER_VALUE: Readonly<Record<string, string>> = { '{': ',}', '[': ',]', '': END };

const SPACE = /[ \t\n\r]*/y;
const NUMBER_OR_WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** @returns the offset of the first character that can't be there, the length of a text that ends early; undefined: it is JSON. */
export function syntaxErrorAt(text: string): number | undefined {
  const open = [''];
  let [at, allowed] = [0, VALUE];
  for (;;) {
    const from = lengthened(SPACE, text, at);
    const [kind, end] = tokenAt(text, from);
    if (!allowed.includes(kind)) return kind === BAD ? end : from;
    if (kind === END) return undefined;
    if (kind === '}' || kind === ']') open.pop();
    const inside = open.at(-1) ?? '';
    if (kind === '{' || kind === '[') {
      open.push(kind);
      allowed = FIRST[kind];
    } else if (kind === ',') allowed = AFTER_COMMA[inside];
    else if (kind === ':') allowed = VALUE;
    // A string where no other value may be is a key.
    else allowed = kind === STRING && !allowed.includes(ATOM) ? ':' : AFTER_VALUE[inside];
    at = end;
  }
}

/** The kind of a token and its end; of a bad one, its first bad character. */
function tokenAt(text: string, from: number): readonly [string, number] {
  const first = text[from];
  if (first === undefined) return [END, from];
  if ('{}[],:'.includes(first)) return [first, from + 1];
  if (first === '"') return stringAt(text, from);
  const end = lengthened(NUMBER_OR_WORD, text, from);
  return end === from ? [BAD, from] : [ATOM, end];
}

function stringAt(text: string, from: number): readonly [string, number] {
  for (let at = from + 1;;) {
    const character = text[at];
    if (character === '"') return [STRING, at + 1];
    const end = character === '\\' ? lengthened(ESCAPE, text, at) : at + Number(character >= ' ');
    // Nothing, a control character, or no escape.
    if (end === at) return [BAD, at];
    at = end;
  }
}

/** The end of what the pattern finds at an offset, or the offset. */
function lengthened(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
