/**
 * Errors of links: each frame that arrives at either end draws a number, and is lost if it is below the link's error rate.
 *
 * Quirk of the reference: a host draws a second, unused number after a data packet, or an ACK of a flow that was open.
 * Source: docs/specs/reference-lossy.md, section 8.
 */
import { nextUniform } from './mrg32k3a';
import { generators, lossyPort } from './network';
import { SimPort } from '../../records/network';
import { GENERATOR_BYTES } from '../../records/lossy';

@inline function generatorOf(port: SimPort): usize {
  return generators + <usize>lossyPort(port).generator * GENERATOR_BYTES;
}

/** Draws whether the frame that arrives over the link of this port is lost. */
export function vanishes(port: SimPort): bool {
  return nextUniform(generatorOf(port)) < lossyPort(port).errorShare;
}

/** Draws the number that a host leaves unused. */
export function drawUnused(port: SimPort): void {
  nextUniform(generatorOf(port));
}
