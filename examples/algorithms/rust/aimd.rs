//! AIMD on echoes of congestion marks, as a module in Rust: what c/aimd.c does, to the bit.
//!
//!     rustc --edition 2021 --crate-type cdylib --target wasm32-unknown-unknown -C opt-level=3 -C panic=abort -C strip=symbols \
//!       -C link-arg=--import-memory -C link-arg=-zstack-size=24576 -C link-arg=--global-base=24576 aimd.rs -o aimd.wasm
//!
//! Under cargo: `crate-type = ["cdylib"]`, the target and the link arguments in `.cargo/config.toml`. Rust puts the stack first, from
//! its size down: with 24,576 bytes it begins in the region of modules, has 8 KiB there, and static data follows.
//!
//! Per ACK, in this order:
//!   1. cut in this round trip, and ack_seq beyond its end: that round trip is over
//!   2. no echo: R = min(L, R + R_AI)
//!   3. echo, not cut in this round trip: R = max(R_min, R b), until an ACK of what is sent from now on
//!
//! Source: Chiu, Jain, "Analysis of the increase and decrease algorithms for congestion avoidance in computer networks", Computer
//! Networks and ISDN Systems 17, 1989; one cut per round trip: RFC 3168, section 6.1.2.
#![no_std]

/// The declaration, in the custom section where roce-cc finds it.
const DECLARATION: &[u8] = br#"{
  "name": "aimd-rust",
  "title": "AIMD on marks",
  "source": "Chiu, Jain, 1989; RFC 3168, section 6.1.2",
  "parameters": {
    "minRateBps": { "default": 10e6, "min": 1000, "max": 400e9, "unit": "b/s", "description": "Floor of the rate." },
    "decreaseFactor": { "default": 0.5, "min": 0.000244140625, "max": 1, "description": "What a cut leaves of the rate." },
    "aiRateBps": { "default": 1e6, "min": 0, "max": 400e9, "unit": "b/s", "description": "Step per ACK without an echo." }
  },
  "state": { "isCut": 0, "cutUntilSeq": 0 },
  "reasons": ["echo of a mark", "no echo"]
}"#;

#[link_section = "roce_cc_algorithm"]
#[used]
static SECTION: [u8; DECLARATION.len()] = {
    let mut bytes = [0; DECLARATION.len()];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = DECLARATION[i];
        i += 1;
    }
    bytes
};

/// Parameters and state in the order of the declaration.
#[repr(C)]
pub struct Parameters {
    min_rate_bps: f64,
    decrease_factor: f64,
    ai_rate_bps: f64,
}

/// A QP as handlers get it, up to its state: include/roce_cc_algorithm.h explains the fields.
#[repr(C)]
pub struct Qp {
    rate_bps: f64,
    window_bytes: f64,
    next_send_ps: f64,
    timers_ps: [f64; 4],
    line_rate_bps: f64,
    last_event_ps: f64,
    last_len_bytes: u32,
    flags: u32,
    reason: u32,
    sequence: u32,
    engine: [f64; 5],
    until_ps: f64,
    is_cut: f64,
    cut_until_seq: f64,
}

/// The head of an acknowledgement.
#[repr(C)]
pub struct Ack {
    ack_seq: u32,
    snd_nxt: u32,
    sent_ps: f64,
    host_delay_ps: f64,
    acked_packets: f64,
    path_id: u32,
    path_hops: u32,
    pint_power: u32,
    ecn_echo: u8,
    telemetry: u8,
    hop_count: u8,
    is_partial: u8,
    acked_bytes: f64,
}

const USED: i32 = 0;
const NOT_USED: i32 = 1;
const REASON_ECHO: u32 = 1;
const REASON_NO_ECHO: u32 = 2;

/// Whether sequence number a is newer than b, as the QP counts.
fn is_newer(qp: &Qp, a: u32, b: u32) -> bool {
    if qp.sequence == 0 {
        return a > b;
    }
    let ahead = a.wrapping_sub(b) & 0xff_ffff;
    ahead > 0 && ahead < 0x80_0000
}

#[no_mangle]
pub extern "C" fn roce_abi_version() -> i32 {
    1
}

#[no_mangle]
pub extern "C" fn roce_ack(qp: &mut Qp, parameters: &Parameters, _time_ps: f64, ack: &Ack) -> i32 {
    if qp.is_cut != 0.0 && is_newer(qp, ack.ack_seq, qp.cut_until_seq as u32) {
        qp.is_cut = 0.0;
    }
    if ack.ecn_echo == 0 {
        let raised = qp.rate_bps + parameters.ai_rate_bps;
        qp.rate_bps = if qp.line_rate_bps < raised { qp.line_rate_bps } else { raised };
        qp.reason = REASON_NO_ECHO;
        return USED;
    }
    if qp.is_cut != 0.0 {
        return NOT_USED;
    }
    let cut = qp.rate_bps * parameters.decrease_factor;
    qp.rate_bps = if parameters.min_rate_bps > cut { parameters.min_rate_bps } else { cut };
    qp.reason = REASON_ECHO;
    qp.is_cut = 1.0;
    qp.cut_until_seq = f64::from(ack.snd_nxt);
    USED
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
