/** Finds where a text stops being JSON (RFC 8259), the same in every browser, unlike messages of `JSON.parse`. */

/** Kinds of tokens: brackets, comma and colon are their own; a string, a number or word, the end, and what is no token. */
const [STRING, ATOM, END, BAD] = ['"', '0', '$', '!'];
/** Allowed next tokens, by context. */
const VALUE = `{[${STRING}${ATOM}`;
const FIRST: Readonly<Record<string, string>> = { '{': `${STRING}}`, '[': `${VALUE}]` };
const AFTER_COMMA: Readonly<Record<string, string>> = { '{': STRING, '[': VALUE };
const AFTER_VALUE: Readonly<Record<string, string>> = { '{': ',}', '[': ',]', '': END };

const SPACE = /[ \t\n\r]*/y;
const NUMBER_OR_WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** @returns the offset of the first invalid character, or the length of an incomplete text; undefined for JSON. */
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
    // A string where no other value is allowed is a key.
    else allowed = kind === STRING && !allowed.includes(ATOM) ? ':' : AFTER_VALUE[inside];
    at = end;
  }
}

/** Kind and end of a token; for an invalid one, the offset of its first invalid character. */
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
    // The string ends early, or contains a control character or an invalid escape.
    if (end === at) return [BAD, at];
    at = end;
  }
}

/** End of the pattern's match at an offset, or the offset itself. */
function lengthened(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
