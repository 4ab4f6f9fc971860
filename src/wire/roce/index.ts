// InfiniBand transport over Ethernet: BTH and extended headers, ICRC, CNP, Fast CNP, RoCEv1.

export { Aeth, type AethKind, type NakName } from './aeth.js';
export { AtomicAckEth, AtomicEth, Deth, ExtendedHeaders, type ExtendedHeadersFields, Ieth, ImmediateData, Rdeth, Reth,
  Xrceth } from './extended-headers.js';
export { Bth } from './bth.js';
export { Cnp, type CnpFields, type ReadOptions } from './cnp.js';
export { type FastCnpAnswer, type OversizeTracePolicy, fastCnpFieldsFor, fastCnpFor, FastCnp, type FastCnpFields,
  type FastCnpForm, type FastCnpReadOptions } from './fast-cnp.js';
export { type FastCnpEncoding, FastCnpOption1, FastCnpOption1Compact, FastCnpOption2, type FastCnpOption,
  type FastCnpOptionTypes, type IoamTrace, type ReceivedFastCnpOption } from './fast-cnp-option.js';
export { Grh } from './roce-v1.js';
export { Icrc, type IcrcPolicy } from './icrc.js';
export { type ExtendedHeaderKind, Opcode, type TransportName } from './opcodes.js';
