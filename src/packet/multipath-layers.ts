/** The layers of MRC and Ultra Ethernet Transport, a part of the table of layers. */
import { MrcBth } from '../wire/mrc/bth.js';
import { Erth, Meth, Peth, Tseth } from '../wire/mrc/request-headers.js';
import { MrcCcState, Seth, Eeth, Neth } from '../wire/mrc/response-headers.js';
import { UetAck, UetControl, UetCreditState, UetEntropy, UetNack, UetNsccState, UetRequest, UetRequestCc, UetRudi,
  UetSack, UetSecurity, UetSecuritySource, UetUud } from '../wire/uet/pds.js';
import { UetAtomic, UetCompareSwap, UetRendezvous, UetSesContinued, UetSesMedium, UetSesResponse, UetSesResponseData,
  UetSesResponseDataSmall, UetSesSmall, UetSesStandard } from '../wire/uet/ses.js';
import { BYTES } from './layer-codec.js';
import { ackTypeBefore, nackTypeBefore, pdsNextHeaderBefore, requestTypeBefore,
  type Neighbours } from './neighbours.js';

const CC_UNKNOWN: Uint8Array = new Uint8Array(MrcCcState.lenBytes);

/** Every kind of layer that exists only in MRC. */
export const MRC_LAYERS = {
  'mrc-bth': {
    title: 'Base Transport Header of MRC',
    codec: MrcBth,
    follows: { padCount: ({ padBytes }: Neighbours) => padBytes },
  },
  meth: { title: 'MRC message extended header (METH)', codec: Meth },
  tseth: { title: 'MRC timestamp extended header (TSETH)', codec: Tseth },
  seth: {
    title: 'MRC SACK extended header (SETH)',
    codec: {
      forms: { ...Seth.forms, probeId: 'number' },
      read: (bytes: Uint8Array, start: number): Seth => Seth.read(bytes, start),
      write: Seth.write,
    },
  },
  'mrc-cc-state': { title: 'MRC congestion control state', codec: MrcCcState },
  'mrc-cc-unknown': {
    title: 'MRC congestion control state of an unknown form',
    codec: BYTES,
    follows: { bytes: CC_UNKNOWN },
  },
  neth: { title: 'MRC NACK extended header (NETH)', codec: Neth },
  peth: { title: 'MRC probe extended header (PETH)', codec: Peth },
  erth: { title: 'MRC endpoint request header (ERTH)', codec: Erth },
  eeth: {
    title: 'MRC endpoint response header (EETH)',
    codec: {
      forms: Eeth.forms,
      read: (bytes: Uint8Array, start: number): Eeth => Eeth.read(bytes, start),
      write: Eeth.write,
    },
  },
} as const;

const announces = { pdsNextHeader: pdsNextHeaderBefore };
/** Every kind of layer that exists only in Ultra Ethernet. */
export const UET_LAYERS = {
  'uet-request': {
    title: 'UET RUD or ROD request',
    codec: UetRequest,
    follows: { pdsType: requestTypeBefore, ...announces },
  },
  'uet-request-cc': { title: 'UET congestion control state of a request', codec: UetRequestCc },
  'uet-ack': { title: 'UET ACK', codec: UetAck, follows: { pdsType: ackTypeBefore, ...announces } },
  'uet-sack': { title: 'UET selective acknowledgements', codec: UetSack },
  'uet-nscc-state': { title: 'UET state of NSCC', codec: UetNsccState },
  'uet-credit-state': { title: 'UET state of credit-based congestion control', codec: UetCreditState },
  'uet-cc-unknown': { title: 'UET congestion control state of an unknown form', codec: BYTES },
  'uet-nack': { title: 'UET NACK', codec: UetNack, follows: { pdsType: nackTypeBefore } },
  'uet-control': { title: 'UET control packet', codec: UetControl },
  'uet-rudi': { title: 'UET RUDI request or response', codec: UetRudi, follows: announces },
  'uet-uud': { title: 'UET UUD request', codec: UetUud, follows: announces },
  'uet-security': { title: 'UET transport security', codec: UetSecurity },
  'uet-security-source': { title: 'UET transport security with a source', codec: UetSecuritySource },
  'uet-entropy': { title: 'UET entropy', codec: UetEntropy },
  'uet-ses-standard': { title: 'UET standard request, first packet', codec: UetSesStandard },
  'uet-ses-continued': { title: 'UET standard request, further packet', codec: UetSesContinued },
  'uet-ses-medium': { title: 'UET medium request', codec: UetSesMedium },
  'uet-ses-small': { title: 'UET small request', codec: UetSesSmall },
  'uet-ses-response': { title: 'UET response', codec: UetSesResponse },
  'uet-ses-response-data': { title: 'UET response with data', codec: UetSesResponseData },
  'uet-ses-response-data-small': { title: 'UET small response with data', codec: UetSesResponseDataSmall },
  'uet-atomic': { title: 'UET atomic extension', codec: UetAtomic },
  'uet-compare-swap': { title: 'UET compare-and-swap extension', codec: UetCompareSwap },
  'uet-rendezvous': { title: 'UET rendezvous extension', codec: UetRendezvous },
} as const;
