/** Random Ultra Ethernet packets, from the header after UDP or IP to the payload, which a dissection recovers. */
import fc from 'fast-check';
import type { LayerKind, LayerSpec } from '../../../src/packet/index.js';
import type { HeaderLayout } from '../../../src/wire/header/define-header.js';
import * as pds from '../../../src/wire/uet/pds.js';
import * as ses from '../../../src/wire/uet/ses.js';

/** The IP protocol of native Ultra Ethernet in these stacks. */
export const UET_PROTOCOL = 253;

type Layers = fc.Arbitrary<readonly LayerSpec[]>;
type Fixed = Readonly<Record<string, number | boolean>>;

const SIGNED: readonly string[] = ['clearPsnOffset', 'ackPsnOffset', 'sackPsnOffset'];
const EXTENDED_STATE_BYTES = 16;

/** A header with random bits in every field that is not fixed. */
function header(kind: LayerKind, layout: HeaderLayout & { readonly forms: Readonly<Record<string, string>> },
  fixed: Fixed = {}): Layers {
  const fields = layout.fields.map(({ name, bits }) => {
    if (name in fixed) return [name, fc.constant(fixed[name])] as const;
    const form = layout.forms[name];
    if (form === 'flag') return [name, fc.boolean()] as const;
    if (form === 'bytes') return [name, fc.uint8Array({ minLength: bits / 8, maxLength: bits / 8 })] as const;
    if (bits > 32) return [name, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })] as const;
    const min = SIGNED.includes(name) ? -(2 ** (bits - 1)) : 0;
    return [name, fc.integer({ min, max: min + 2 ** bits - 1 })] as const;
  });
  const value = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
  return value.map((fieldsOf) => [{ kind, value: fieldsOf } as unknown as LayerSpec]);
}

const bytesOf = (kind: 'payload' | 'uet-cc-unknown', length: number): Layers =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => [{ kind, value: { bytes } }]);
const payload = (length: number): Layers => (length === 0 ? fc.constant([]) : bytesOf('payload', length));
const joined = (...parts: readonly Layers[]): Layers => fc.tuple(...parts).map((lists) => lists.flat());

const PLAIN = 1;
const READ = 2;
const FETCHING = 4;
const RENDEZVOUS = 6;
const CSWAP = 0x0d;
const lengths = fc.integer({ min: 0, max: 40 });

/** Semantic headers with their extensions and payload, by next-header number. */
const semantics: Readonly<Record<number, Layers>> = {
  0: lengths.chain(payload),
  1: fc.oneof(
    lengths.chain((requestLength) =>
      joined(header('uet-ses-small', ses.UetSesSmall, { sesOperation: PLAIN, requestLength }), payload(requestLength))
    ),
    header('uet-ses-small', ses.UetSesSmall, { sesOperation: READ }),
  ),
  2: lengths.chain((requestLength) =>
    joined(header('uet-ses-medium', ses.UetSesMedium, { sesOperation: FETCHING, requestLength }),
      header('uet-atomic', ses.UetAtomic, { atomicOperation: 0 }), payload(requestLength))
  ),
  3: fc.oneof(lengths.chain((length) =>
    joined(header('uet-ses-standard', ses.UetSesStandard, {
      sesOperation: PLAIN,
      startOfMessage: true,
      endOfMessage: true,
      requestLength: length,
    }), payload(length))
  ), lengths.chain((length) =>
    joined(header('uet-ses-standard', ses.UetSesStandard, {
      sesOperation: PLAIN,
      startOfMessage: true,
      endOfMessage: false,
    }), payload(length))
  ), lengths.chain((length) =>
    joined(header('uet-ses-continued', ses.UetSesContinued, {
      sesOperation: PLAIN,
      startOfMessage: false,
      payloadLength: length,
    }), payload(length))
  ), lengths.chain((length) =>
    joined(header('uet-ses-standard', ses.UetSesStandard, {
      sesOperation: RENDEZVOUS,
      startOfMessage: true,
      endOfMessage: true,
    }), header('uet-rendezvous', ses.UetRendezvous, { eagerLength: length }), payload(length))
  ), joined(header('uet-ses-standard', ses.UetSesStandard, {
    sesOperation: FETCHING,
    startOfMessage: true,
    endOfMessage: true,
    requestLength: 0,
  }), header('uet-atomic', ses.UetAtomic, { atomicOperation: CSWAP }), header('uet-compare-swap', ses.UetCompareSwap))),
  4: header('uet-ses-response', ses.UetSesResponse),
  5: lengths.chain((payloadLength) =>
    joined(header('uet-ses-response-data', ses.UetSesResponseData, { payloadLength }), payload(payloadLength))
  ),
  6: lengths.chain((payloadLength) =>
    joined(header('uet-ses-response-data-small', ses.UetSesResponseDataSmall, { payloadLength }),
      payload(payloadLength))
  ),
  9: lengths.chain(payload),
};

const state = fc.constantFrom(0, 1, 7).chain((ccType) =>
  joined(header('uet-sack', pds.UetSack, { ccType }), ccType === 0 ?
    header('uet-nscc-state', pds.UetNsccState) :
    ccType === 1 ?
    header('uet-credit-state', pds.UetCreditState) :
    bytesOf('uet-cc-unknown', 8))
);
const extendedState = joined(header('uet-sack', pds.UetSack), bytesOf('uet-cc-unknown', EXTENDED_STATE_BYTES));

/** The packet delivery headers of a type, before the semantic header of this number. */
function delivery(pdsType: number, pdsNextHeader: number): Layers {
  const announced = { pdsType, pdsNextHeader };
  switch (pdsType) {
    case 2:
    case 3:
      return header('uet-request', pds.UetRequest, announced);
    case 4:
    case 5:
      return header('uet-rudi', pds.UetRudi, announced);
    case 6:
      return header('uet-uud', pds.UetUud, announced);
    case 7:
      return header('uet-ack', pds.UetAck, announced);
    case 8:
      return joined(header('uet-ack', pds.UetAck, announced), state);
    case 9:
      return joined(header('uet-ack', pds.UetAck, announced), extendedState);
    case 10:
      return header('uet-nack', pds.UetNack, announced);
    case 12:
      return joined(header('uet-nack', pds.UetNack, announced), bytesOf('uet-cc-unknown', EXTENDED_STATE_BYTES));
    default:
      return joined(header('uet-request', pds.UetRequest, announced), header('uet-request-cc', pds.UetRequestCc));
  }
}

const announcing = fc.tuple(fc.constantFrom(2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14),
  fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 9)).chain(([pdsType, next]) =>
    joined(delivery(pdsType, next), semantics[next]!)
  );
const encrypted = fc.oneof(header('uet-security', pds.UetSecurity, { pdsType: 1, hasSource: false }),
  header('uet-security-source', pds.UetSecuritySource, { pdsType: 1, hasSource: true }));

/** An Ultra Ethernet packet without the headers around it. */
export const uetPacket: Layers = fc.oneof({ weight: 6, arbitrary: announcing },
  joined(header('uet-control', pds.UetControl, { pdsType: 11 }), lengths.chain(payload)),
  joined(encrypted, lengths.chain(payload)));

/** The same after an entropy header, for packets directly over IP. */
export const nativeUetPacket: Layers = joined(header('uet-entropy', pds.UetEntropy), uetPacket);
