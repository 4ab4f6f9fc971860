/** Errors of a module. */
import { RoceError, type RoceErrorFields } from '../../errors.js';

/**
 * An error with code `invalid-algorithm`. @param where the part of the module: `export roce_ack`,
 * `code section, byte 51`
 */
export function invalidModule(where: string, fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-algorithm', { ...fields, where });
}
