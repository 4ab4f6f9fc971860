/**
 * Every property is checked with one seed, so that a commit passes or fails whenever it is tested. `ROCE_SEED` takes another one;
 * `npm run fuzz` searches without end.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.ROCE_SEED ?? 1) });
