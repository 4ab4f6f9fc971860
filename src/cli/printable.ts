/**
 * Makes external text safe for a terminal: nothing in a file or packet (names, descriptions, file names, …) can send
 * control sequences to it.
 *
 * Replaces the control characters of ASCII and ISO 6429 (including ESC, and the one-byte CSI and OSC), and the Unicode
 * controls that reverse the direction of text.
 */

const LINE_FEED = 0x0a;
/** Control characters, line and paragraph separators, and marks and overrides of text direction. */
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Those of them that JSON.stringify does not escape. */
const COMMANDS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** A colour or bold sequence as this program writes it, or one character to replace. */
const STYLE_OR_COMMAND = new RegExp(`\\u001b\\[[\\d;]*m|${COMMANDS.source}`, 'g');
const HEX_DIGITS = 4;

/** Text for one line. Each character is replaced by one `?`, so columns stay aligned. */
export function printable(text: string): string {
  return text.replace(COMMANDS, '?');
}

/** Text that may have line breaks. */
export function printableLines(text: string): string {
  return text.replace(COMMANDS, (character) => (character.charCodeAt(0) === LINE_FEED ? character : '?'));
}

/** A page of this program's output: keeps bold and colours, and replaces all other control characters. */
export function printablePage(text: string): string {
  return text.replace(STYLE_OR_COMMAND, (found) => (found === '\n' || found.length > 1 ? found : '?'));
}

/** Equivalent JSON, with control characters in strings escaped. */
export function printableJson(json: string): string {
  return json.replace(COMMANDS_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0')}`);
}
