/** Recognises the errors of ioredis and Redis while Redis restarts; other errors end a sweep. */
const RESTARTING = /\bLOADING\b|Connection is closed|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT/;

export function isRestarting(error: unknown): boolean {
  return RESTARTING.test(String(error));
}
