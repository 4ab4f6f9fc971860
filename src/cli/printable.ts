/**
 * What came from outside, as a terminal may have it: names, descriptions, file names and whatever else a file or a packet
 * says are text, and none of it is a command to the terminal.
 *
 * Replaced are the control characters of ASCII and ISO 6429 (ESC, and the one-byte CSI and OSC among them), and those of
 * Unicode that turn the order of what is shown around.
 */

const LINE_FEED = 0x0a;
/** Controls, line and paragraph separators, marks and overrides of direction. */
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** What JSON.stringify leaves as it is. */
const COMMANDS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Colours and bold, as this program writes them itself, or one character. */
const STYLE_OR_COMMAND = new RegExp(`\\u001b\\[[\\d;]*m|${COMMANDS.source}`, 'g');
const HEX_DIGITS = 4;

/** Text for one line: one for one, so that columns stay. */
export function printable(text: string): string {
  return text.replace(COMMANDS, '?');
}

/** Text that may have line breaks. */
export function printableLines(text: string): string {
  return text.replace(COMMANDS, (character) => (character.charCodeAt(0) === LINE_FEED ? character : '?'));
}

/** A whole page of this program: bold and colours stay, all other terminal control sequences are escaped. */
export function printablePage(text: string): string {
  return text.replace(STYLE_OR_COMMAND, (found) => (found === '\n' || found.length > 1 ? found : '?'));
}

/** JSON that means the same: what its strings hold is escaped. */
export function printableJson(json: string): string {
  return json.replace(COMMANDS_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0')}`);
}
