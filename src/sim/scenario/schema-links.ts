/** Rate and propagation delay of links. */
import type * as z from 'zod';
import { DEFAULT_LINK, type LinkSettings } from '../topology/network.js';
import { alsoUnderUet, common, numberIn, optional, record, type Optional } from './schema-parts.js';

type LinkShape = Optional<{ rateGbps: z.ZodNumber; delayNs: z.ZodNumber }>;

/** Keys of a link. Without `defaults`, unset keys are those of another link. */
export const linkShape = (defaults?: LinkSettings): LinkShape =>
  optional({
    rateGbps: alsoUnderUet(numberIn(0.001, 8000, 'Rate, Gb/s.', defaults?.rateGbps)),
    delayNs: alsoUnderUet(numberIn(0, 1e12, 'One-way propagation delay, ns.', defaults?.delayNs)),
  });

/** A link whose values are the defaults of other links. */
export const LINK = common('LinkSpec', 'Rate and propagation delay of links.', linkShape(DEFAULT_LINK));

/** A link whose unset keys are those of another link. */
export const link = (meaning: string): z.ZodObject<LinkShape, z.core.$strict> =>
  record(linkShape(), meaning, 'LinkSpec');
