/**
 * Message extended header of MRC, METH: after the BTH of every request (OCP MRC 1.0; docs/specs/mrc-formats.md, section
 * 2.6).
 *
 *   0 RQMSN (2) | 2 MSN (2)
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';

/** The message extended header: 4 bytes. RQMSN is written as 0 by default. */
export const Meth = /* @__PURE__ */ defineHeader({
  title: 'METH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.6',
  layer: 'meth',
  fields: (field) => ({
    /** Counts messages of WRITE with immediate, modulo 2^16; unused (0) in a plain WRITE. */
    rqmsn: field.bits(16, 0),
    /** Counts messages, modulo 2^16; the same in all packets of a message. */
    msn: field.bits(16),
  }),
});

/** The message extended header, as a value. */
export interface Meth extends ValueOf<typeof Meth> {}
