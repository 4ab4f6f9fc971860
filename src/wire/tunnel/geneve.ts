/**
 * GENEVE (RFC 8926, section 3.4), in UDP.
 *
 *   0 version, length of the options in words | 1 flags | 2 protocol type, an EtherType (2) | 4 VNI (3) | 7 reserved | 8 options
 */
import { defineHeader } from '../header/define-header.js';

/** UDP port of GENEVE (RFC 8926, section 3.3). */
export const GENEVE_PORT = 6081;

/** The GENEVE header. */
export const Geneve = /* @__PURE__ */ defineHeader({
  title: 'GENEVE',
  source: 'RFC 8926, section 3.4',
  layer: 'geneve',
  followedBy: 'options, 4 bytes for each unit of the length',
  fields: (field) => ({
    geneveVersion: field.bits(2, 0),
    /** Bytes of the options / 4. */
    optionsLength: field.length(6, { unitBytes: 4, uncountedBytes: 8 }),
    /** Whether it is a control packet. */
    control: field.flag(false),
    /** Whether an option is critical. */
    critical: field.flag(false),
    reserved6: field.bits(6, 0),
    /** EtherType of the contents; 0x6558 = Ethernet. */
    protocolType: field.bits(16),
    /** Virtual network identifier, 24 bits. */
    vni: field.bits(24),
    reserved8: field.bits(8, 0),
    /** Tunnel options, each of class, type, length and data. */
    options: field.rest(252, new Uint8Array(0)),
  }),
});
