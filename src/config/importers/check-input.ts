/** Checks the input of every importer: a text and a record of options. */
import { RoceError } from '../../errors.js';
import { checkRecord } from '../field-rules.js';

/** @throws RoceError `invalid-settings` for what is not a text, `invalid-config` for what is no record of options. */
export function checkInput(text: unknown, options: unknown): void {
  if (typeof text !== 'string')
    throw new RoceError('invalid-settings', { where: 'text', got: text, allowed: 'a string' });
  checkRecord(options, 'options');
}
