/** Checks the input of every importer: a text and an options object. */
import { RoceError } from '../../errors.js';
import { checkRecord } from '../field-rules.js';

/** @throws RoceError `invalid-settings` unless `text` is a string, `invalid-config` unless `options` is an object. */
export function checkInput(text: unknown, options: unknown): void {
  if (typeof text !== 'string')
    throw new RoceError('invalid-settings', { where: 'text', got: text, allowed: 'a string' });
  checkRecord(options, 'options');
}
