// Ultra Ethernet Transport (UET): headers of packet delivery, transport security and semantics, and their numbers.

export { UET_PORT, UetControlType, UetNextHeader, UetOperation, UetType, type UetTypeName, isUetCompareSwap,
  uetAtomicName, uetAtomicTypeName, uetNackName, uetResponseName, uetReturnName } from './codes.js';
export { UetAck, UetControl, UetCreditState, UetEntropy, UetNack, UetNsccState, UetRequest, UetRequestCc, UetRudi,
  UetSack, UetSecurity, UetSecuritySource, type UetSyn, UetUud } from './pds.js';
export { UetAtomic, UetCompareSwap, UetRendezvous, UetSesContinued, UetSesMedium, UetSesResponse, UetSesResponseData,
  UetSesResponseDataSmall, UetSesSmall, UetSesStandard } from './ses.js';
