// InfiniBand transport over Ethernet: BTH and extended headers, ICRC, CNP, Fast CNP, RoCEv1.

export { Aeth, type AethKind, type NakName } from './aeth.js';
export { AtomicAckEth } from './atomic-ack-eth.js';
export { AtomicEth } from './atomic-eth.js';
export { Bth } from './bth.js';
export { Cnp, type CnpFields, type ReadOptions } from './cnp.js';
export { Deth } from './deth.js';
export { ExtendedHeaders, type ExtendedHeadersFields } from './extended-headers.js';
export { type FastCnpAnswer, type OversizeTracePolicy, fastCnpFieldsFor,
  fastCnpFor } from './fast-cnp-for-data-packet.js';
export { type FastCnpEncoding, FastCnpOption1, FastCnpOption1Compact, FastCnpOption2, type FastCnpOption,
  type FastCnpOptionTypes, type IoamTrace, type ReceivedFastCnpOption } from './fast-cnp-option.js';
export { FastCnp, type FastCnpFields, type FastCnpForm, type FastCnpReadOptions } from './fast-cnp.js';
export { Grh } from './grh.js';
export { Icrc, type IcrcPolicy } from './icrc.js';
export { Ieth } from './ieth.js';
export { ImmediateData } from './immediate-data.js';
export { type ExtendedHeaderKind, Opcode, type TransportName } from './opcodes.js';
export { Rdeth } from './rdeth.js';
export { Reth } from './reth.js';
export { Xrceth } from './xrceth.js';
