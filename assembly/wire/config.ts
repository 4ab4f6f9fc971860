/**
 * Settings of the parser, which are set once and read for each frame.
 *
 * The two `...Word` values are the first bytes of the two common Destination Options headers of a Fast CNP with
 * option 1, so that the common path recognises one with a single comparison.
 */
import { ICRC_LITERAL, PARSE_FAST_CNP_DOMAIN, PARSE_STRICT_A17 } from '../../src/abi/codes';

/** Whether the parser is in strict Annex A17 mode. */
export let strictMode: bool = false;
/** IPv6 option types of Fast CNP options 1 and 2; if they are equal, the length distinguishes them. */
export let optionType1: u32 = 0x9e;
export let optionType2: u32 = 0x9e;
/** Whether each frame's ICRC is computed. */
export let icrcChecked: bool = false;
/** ICRC_LITERAL, ICRC_OMIT or ICRC_NORMALISE. */
export let icrcPolicy: u32 = <u32>ICRC_LITERAL;
/** Next header 17, length 2, then option 1; its address is at offset 4 of the header. */
export let optionFirstWord: u32 = 0;
/** Next header 17, length 2, PadN of four, then option 1; its address is at offset 8 of the header. */
export let optionAlignedWord: u64 = 0;

const UDP_NEXT_AND_LENGTH_2: u64 = 0x0211;
const PAD_FOUR: u64 = 0x00000201;
const OPTION_1_LENGTH: u64 = 16;

/**
 * Sets the parser's rules for all frames that follow.
 *
 * @param mode - PARSE_STRICT_A17 or PARSE_FAST_CNP_DOMAIN
 * @param type1 - IPv6 option type of Fast CNP option 1, 2..255 (0 and 1 are padding)
 * @param type2 - IPv6 option type of Fast CNP option 2, 2..255
 * @param icrcCheck - 0 ignores the ICRC, 1 computes it
 * @param policy - which bytes the ICRC covers when extension headers are present, ICRC_LITERAL and so on
 */
export function configureParser(mode: u32, type1: u32, type2: u32, icrcCheck: u32, policy: u32): void {
  assert(mode == PARSE_STRICT_A17 || mode == PARSE_FAST_CNP_DOMAIN);
  assert(type1 > 1 && type1 < 256 && type2 > 1 && type2 < 256);
  strictMode = mode == PARSE_STRICT_A17;
  optionType1 = type1 & 0xff;
  optionType2 = type2 & 0xff;
  icrcChecked = icrcCheck != 0;
  icrcPolicy = policy;
  const option: u64 = <u64>optionType1 | (OPTION_1_LENGTH << 8);
  optionFirstWord = <u32>(UDP_NEXT_AND_LENGTH_2 | (option << 16));
  optionAlignedWord = UDP_NEXT_AND_LENGTH_2 | (PAD_FOUR << 16) | (option << 48);
}
