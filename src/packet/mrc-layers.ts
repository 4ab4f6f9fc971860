/** The layers of MRC, a part of the table of layers. */
import { MrcBth } from '../wire/mrc/bth.js';
import { MrcCcState, Seth, Eeth, Neth } from '../wire/mrc/response-headers.js';
import { Erth, Meth, Peth, Tseth } from '../wire/mrc/request-headers.js';
import type { Neighbours } from './neighbours.js';
import { BYTES } from './layer-codec.js';

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
