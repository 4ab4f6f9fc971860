/** The layers of MRC, as part of the table of layers. */
import { MRC_BTH } from '../wire/mrc/bth.js';
import { MRC_CC_STATE, MRC_CC_STATE_BYTES } from '../wire/mrc/cc-state.js';
import { EETH, type Eeth, buildEeth, parseEeth } from '../wire/mrc/eeth.js';
import { ERTH } from '../wire/mrc/erth.js';
import { METH } from '../wire/mrc/meth.js';
import { NETH } from '../wire/mrc/neth.js';
import { PETH } from '../wire/mrc/peth.js';
import { SETH, type Seth, buildSeth, parseSeth } from '../wire/mrc/seth.js';
import { TSETH } from '../wire/mrc/tseth.js';
import type { Neighbours } from './neighbours.js';
import { BYTES } from './plain-bytes.js';

const CC_UNKNOWN: Uint8Array = new Uint8Array(MRC_CC_STATE_BYTES);

/** Every kind of layer that only MRC has. */
export const MRC_LAYERS = {
  'mrc-bth': {
    title: 'Base Transport Header of MRC',
    codec: MRC_BTH,
    follows: { padCount: ({ padBytes }: Neighbours) => padBytes },
  },
  meth: { title: 'MRC message extended header (METH)', codec: METH },
  tseth: { title: 'MRC timestamp extended header (TSETH)', codec: TSETH },
  seth: {
    title: 'MRC SACK extended header (SETH)',
    codec: {
      forms: { ...SETH.forms, probeId: 'number' },
      parse: (bytes: Uint8Array, start: number): Seth => parseSeth(bytes, start),
      build: buildSeth,
    },
  },
  'mrc-cc-state': { title: 'MRC congestion control state', codec: MRC_CC_STATE },
  'mrc-cc-unknown': {
    title: 'MRC congestion control state of an unknown form',
    codec: BYTES,
    follows: { bytes: CC_UNKNOWN },
  },
  neth: { title: 'MRC NACK extended header (NETH)', codec: NETH },
  peth: { title: 'MRC probe extended header (PETH)', codec: PETH },
  erth: { title: 'MRC endpoint request header (ERTH)', codec: ERTH },
  eeth: {
    title: 'MRC endpoint response header (EETH)',
    codec: {
      forms: EETH.forms,
      parse: (bytes: Uint8Array, start: number): Eeth => parseEeth(bytes, start),
      build: buildEeth,
    },
  },
} as const;
