/** The schema of links; the types are in link-spec.ts. */
import type * as z from 'zod';
import { numberIn, optional, record } from './schema-parts.js';

export const LINK = optional({
  rateGbps: numberIn(0.001, 8000, 'Rate, Gb/s. Default 100.'),
  delayNs: numberIn(0, 1e12, 'One-way propagation delay, ns. Default 1,000.'),
});

export const link = (meaning: string): z.ZodObject<typeof LINK, z.core.$strict> => record(LINK, meaning);
