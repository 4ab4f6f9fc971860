/** A worker waits while Redis restarts, and ends at any other error. */
import { expect, it } from 'vitest';
import { isRestarting } from '../../src/cli/redis/connection.js';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:6379', true],
  ['read ECONNRESET', true],
  ['LOADING Redis is loading the dataset in memory', true],
  ['Connection is closed.', true],
  ['WRONGPASS invalid username-password pair or user is disabled.', false],
  ['getaddrinfo ENOTFOUND redis.example', false],
])('%s: Redis is restarting: %s', (message, isExpected) => {
  expect(isRestarting(new Error(message))).toBe(isExpected);
});
