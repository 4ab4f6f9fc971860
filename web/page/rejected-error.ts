/** An error that a worker reports. */
import type { CodeFault } from '../protocol/algorithm-protocol.js';
import type { RejectedSetting, Rejection } from '../protocol/run-protocol.js';

export class RejectedError extends Error implements Rejection {
  declare readonly where: string;
  declare readonly code?: CodeFault;
  declare readonly fault?: RejectedSetting;

  constructor({ message, ...rest }: Rejection) {
    super(message);
    Object.assign(this, rest);
  }
}
