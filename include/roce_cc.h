/*
 * roce-cc for C and everything that calls C: congestion control of RoCEv2 queue pairs (QPs), and a packet-level simulator.
 *
 * Needs     C99 or later, or C++; libroce_cc.a or libroce_cc.so (npm run native, or the sources with their Makefile).
 * Units     times: whole picoseconds from 0 to ROCE_TIME_MAX_PS (2.5 hours) in doubles; rates: bits per second; sizes: bytes.
 * Addresses 16 bytes in network order; IPv4 as ::ffff:a.b.c.d. `roce_address` reads text.
 * QPs       numbers from 0, as roce_open_qp returns them; queue pair numbers (QPNs) are those of packets, 24 bits.
 * Results   equal to the bit to those of the npm package on every machine: rates, actions, hashes, snapshots.
 *
 * Errors    Functions return a status: ROCE_OK, which is 0, or one below 0. `roce_status_text` names it, `roce_last_error` says what was
 *           wrong. A call that fails has changed nothing but counters. Getters that return a double return NaN instead.
 * Misuse    NULL, a destroyed handle, options of another version, a second thread in the same engine: a status, not a crash. A destroyed
 *           handle is recognised until 1,024 others have been destroyed after it.
 * Threads   An engine belongs to one thread at a time; different engines may be used in different threads. There is no global state but the
 *           list of destroyed handles.
 * Memory    An engine's memory is allocated when it is created and never grows. On 64-bit POSIX systems it is a reservation of 8 GiB of
 *           addresses, of which only what is used takes memory.
 *
 * A page on how to embed it: docs/guides/embedding-in-c.md.
 */
#ifndef ROCE_CC_H
#define ROCE_CC_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(ROCE_CC_SHARED)
#define ROCE_API __declspec(dllimport)
#elif defined(__GNUC__) && defined(ROCE_CC_BUILDING)
#define ROCE_API __attribute__((visibility("default")))
#else
#define ROCE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a function or a record of this header changes in a way that compiled programs notice. */
#define ROCE_CC_ABI 2u

#define ROCE_TIME_MAX_PS 9007199254740991.0
/* No QP, no endpoint, nothing found, nothing left to do. */
#define ROCE_NONE 0xffffffffu
#define ROCE_ADDRESS_BYTES 16
/* Hexadecimal digits of a hash, and the 0 behind them. */
#define ROCE_HASH_CHARS 17

typedef enum roce_status {
  ROCE_OK = 0,
  /* An argument is NULL, or not in its range. */
  ROCE_INVALID_ARGUMENT = -1,
  /* A parameter or setting is unknown, out of range, or contradicts another one. */
  ROCE_INVALID_CONFIG = -2,
  /* No room left in the engine, or no memory on this machine. */
  ROCE_CAPACITY = -3,
  /* The local QPN, or the pair of peer address and peer QPN, is in use at that endpoint. */
  ROCE_DUPLICATE_QP = -4,
  /* Not the number of an open QP. */
  ROCE_UNKNOWN_QP = -5,
  /* The event's time is before its QP's last event. */
  ROCE_TIME_BACKWARDS = -6,
  /* No parameter set of this engine reads what was passed. */
  ROCE_UNSUPPORTED = -7,
  /* Not a snapshot, or one of another build or configuration. */
  ROCE_SNAPSHOT_MISMATCH = -8,
  /* The handle has been destroyed. */
  ROCE_CLOSED = -9,
  /* Another thread is using this engine. */
  ROCE_BUSY = -10,
  /* Compiled against another version of this header, or a plan of another version. */
  ROCE_VERSION = -11,
  /* The engine stopped at an internal error and can only be destroyed. */
  ROCE_FAULT = -12
} roce_status;

/* An engine with its endpoints and QPs. */
typedef struct roce_engine roce_engine;
/* A switch's congestion point. */
typedef struct roce_cp roce_cp;
/* A simulated network. */
typedef struct roce_sim roce_sim;

/* The ABI of the library, to compare with ROCE_CC_ABI. */
ROCE_API uint32_t roce_abi(void);
/* The release, such as "0.2.0", and the first 16 hexadecimal digits of the SHA-256 of the engine.wasm that it equals. */
ROCE_API const char *roce_version(void);
ROCE_API const char *roce_build(void);
/* A status as text, such as "invalid-argument". Never NULL. */
ROCE_API const char *roce_status_text(roce_status status);
/*
 * What was wrong with the last call that failed: of this engine, or with NULL of the calling thread (creation, simulations, congestion
 * points, handles that are not open). Empty if none failed. Valid until the next failing call. Never NULL.
 */
ROCE_API const char *roce_last_error(const roce_engine *engine);
/* Reads an IPv4 or IPv6 address, such as "192.0.2.1" or "2001:db8::2". ROCE_INVALID_ARGUMENT for any other text. */
ROCE_API roce_status roce_address(const char *text, uint8_t address[ROCE_ADDRESS_BYTES]);

/* ---- Engines */

/*
 * A parameter set of an algorithm: a preset, and what shall differ from it.
 *
 * preset     dcqcn-sigcomm15, dcqcn-ns3, dcqcn-connectx, dcqcn-irdma, hpcc-sigcomm19, hpcc-ns3, hpcc-pint-ns3, hpcc-pp-draft,
 *            hpcc-pp-fast-cnp, timely-sigcomm15, timely-ns3, dctcp-ns3, swift-sigcomm20, nscc-uet, nscc-mrc,
 *            rccc-uet: `roce_preset_name` lists them.
 * overrides  "key=value key=value": inputs of the preset (lineRateBps always; baseRttPs of HPCC and its kin, NSCC and RCCC; mssBytes and
 *            rttPs of dcqcn-irdma; set of dcqcn-ns3 and hpcc-ns3) and any parameter by its name in docs/guides/scenarios.md, in the units of this
 *            header: "lineRateBps=100e9 minRateBps=1e8". true, false, words and numbers; commas separate pairs as well.
 */
typedef struct roce_parameter_set {
  /* Chosen by roce_open_qp; unique in its engine. */
  const char *name;
  const char *preset;
  const char *overrides;
} roce_parameter_set;

/* Begin with ROCE_OPTIONS_INIT; a capacity of 0 is the default. */
typedef struct roce_options {
  /* sizeof(roce_options) and ROCE_CC_ABI, by which another version is recognised. */
  uint32_t struct_bytes;
  uint32_t abi;
  /* QPs, 1 to 16,777,215; default 1,024. */
  uint32_t qps;
  /* Local ports, 1 to 65,535, default 64; addresses of all of them, default 128 or twice the endpoints. */
  uint32_t endpoints;
  uint32_t addresses;
  /* Events and frames of one batch, 1 to 1,048,576, default 4,096; bytes of its frames, 64 to 2^30, default 8 MiB. */
  uint32_t events;
  uint32_t packets;
  uint32_t frame_bytes;
  /* 1 to 16; the first one is the default of roce_open_qp. */
  const roce_parameter_set *parameter_sets;
  uint32_t parameter_set_count;
  /*
   * Everything else as "key=value key=value", or NULL: hashSeed=1 (0 to 2^32-1; default random), lateEvents=clamp (default reject),
   * rateActions=false, notificationPoint.scope=qp|destination|port, notificationPoint.window=suppress|trailing,
   * notificationPoint.minTimeBetweenCnpsPs, notificationPoint.cnp.dscp and so on, fastCnp.enabled=true, fastCnp.allow=PREFIX and
   * fastCnp.deny=PREFIX (any number), fastCnp.defaultAction=allow, fastCnp.duplicateWindowPs, fastCnp.optionType1 and optionType2,
   * parser.mode=fast-cnp-domain|strict-a17, parser.icrc=check, parser.icrcWithExtensionHeaders=literal|omit|normalise.
   */
  const char *settings;
} roce_options;

#define ROCE_OPTIONS_INIT {sizeof(roce_options), ROCE_CC_ABI, 0, 0, 0, 0, 0, 0, NULL, 0, NULL}

/* Name of preset number `index` from 0, or NULL behind the last one. */
ROCE_API const char *roce_preset_name(uint32_t index);

/*
 * Creates an engine; `*engine` is NULL if it fails: ROCE_VERSION, ROCE_INVALID_CONFIG (roce_last_error(NULL) names the parameter, its
 * value and what is allowed), ROCE_CAPACITY.
 */
ROCE_API roce_status roce_engine_create(const roce_options *options, roce_engine **engine);
/* Frees an engine; NULL is allowed. Its handle gives ROCE_CLOSED afterwards. */
ROCE_API roce_status roce_engine_destroy(roce_engine *engine);
/* Bytes that QPs and tables take. */
ROCE_API roce_status roce_state_bytes(roce_engine *engine, uint64_t *bytes);

/*
 * Adds a local port with `count` addresses, which raw frames are matched by; `*endpoint`: its number, from 0. Engines that get events only
 * need none: endpoint 0 exists from the start. ROCE_CAPACITY, ROCE_INVALID_ARGUMENT (an address that another endpoint has).
 */
ROCE_API roce_status roce_add_endpoint(roce_engine *engine, const uint8_t (*addresses)[ROCE_ADDRESS_BYTES], uint32_t count,
                                       uint32_t *endpoint);

/* Begin with ROCE_QP_INIT. */
typedef struct roce_qp_options {
  uint32_t endpoint;
  /* Its own QPN, 1 to 2^24-1, by which CNPs are addressed; unique per endpoint. */
  uint32_t local_qpn;
  /* The other end's, 0 to 2^24-1, by which Fast CNPs find the QP; ROCE_NONE = as local_qpn. */
  uint32_t peer_qpn;
  /* 16 bytes, or NULL: unknown, so no Fast CNP finds the QP. */
  const uint8_t *peer_address;
  /* Name of its parameter set, or NULL: the first one. */
  const char *parameter_set;
} roce_qp_options;

#define ROCE_QP_INIT {0, 0, ROCE_NONE, NULL, NULL}

/*
 * Opens a QP at line rate; `*qp`: its number, the lowest free one. ROCE_CAPACITY, ROCE_DUPLICATE_QP, ROCE_INVALID_ARGUMENT.
 */
ROCE_API roce_status roce_open_qp(roce_engine *engine, const roce_qp_options *options, uint32_t *qp);
/* Closes a QP; its number may be given to another one. ROCE_UNKNOWN_QP. */
ROCE_API roce_status roce_close_qp(roce_engine *engine, uint32_t qp);

/* ---- One event at once: what a host model calls per packet */

/*
 * Each applies what is due for the QP up to `time_ps`, then the event. Times of a QP must not go back: ROCE_TIME_BACKWARDS, unless the
 * settings say lateEvents=clamp. A time out of range: ROCE_INVALID_ARGUMENT. Results are optional: pointers may be NULL. A new rate is
 * in roce_actions as well.
 */

/* A data packet of `len_bytes` (on the wire, 0 to 2^28-1) left; `*next_send_ps`: when the next may, 0 = at once. */
ROCE_API roce_status roce_sent(roce_engine *engine, double time_ps, uint32_t qp, uint32_t len_bytes, double *next_send_ps);
/* A congestion notification packet (CNP) for the QP arrived; `*rate_bps`: its rate now. */
ROCE_API roce_status roce_cnp(roce_engine *engine, double time_ps, uint32_t qp, double *rate_bps);
/* Only time passed; `*rate_bps`: its rate now. */
ROCE_API roce_status roce_touch(roce_engine *engine, double time_ps, uint32_t qp, double *rate_bps);
/* A packet was lost: `timeout` 0 = found by a NAK or selective acknowledgement, 1 = by a timeout. */
ROCE_API roce_status roce_loss(roce_engine *engine, double time_ps, uint32_t qp, int timeout, double *rate_bps);
/* A CE-marked data packet with this P_Key (0 to 65,535) arrived; `*cnp_due`: 1 if a CNP is to be sent to the peer now. */
ROCE_API roce_status roce_marked(roce_engine *engine, double time_ps, uint32_t qp, uint32_t p_key, int *cnp_due);

#define ROCE_TELEMETRY_NONE 0
/* Hops in full precision. */
#define ROCE_TELEMETRY_EXACT 1
/* Raw fields of the 64-bit records of HPCC's reference simulator. */
#define ROCE_TELEMETRY_INT64 2
#define ROCE_EXACT_HOPS_MAX 16
#define ROCE_INT64_HOPS_MAX 5
#define ROCE_NO_PINT_POWER 0xffffffffu
/* For NSCC, in `pint_power`: the penalty that the receiver demands, ROCE_WINDOW_PENALTY + 0 to 127; with ROCE_RESTORES_WINDOW and a
   penalty of 0 the window from before the first penalty returns. */
#define ROCE_WINDOW_PENALTY 0x10000u
#define ROCE_RESTORES_WINDOW 0x80u

#ifndef ROCE_CC_ALGORITHM_H
/* One hop of an acknowledged packet's path, from the sender on. */
typedef struct roce_hop {
  /* When the packet left the hop, 0 to 2^53-1; any origin, the same for all packets. */
  double time_ps;
  /* Bytes that the port had sent by then, and bytes in its queue. */
  double tx_bytes;
  double queue_bytes;
  /* At least 1, or 0 = not known: the hop does not count. */
  double line_rate_bps;
  uint32_t hop_id;
  uint32_t port;
} roce_hop;

/* The same under ROCE_TELEMETRY_INT64: 3, 24, 20 and 17 bits. */
typedef struct roce_raw_hop {
  uint32_t line_rate_code;
  uint32_t time;
  uint32_t bytes;
  uint32_t queue;
} roce_raw_hop;
#else
typedef struct roce_hop roce_hop;
typedef struct roce_raw_hop roce_raw_hop;
#endif

/* An acknowledgement; begin with ROCE_ACK_INIT. What the QP's algorithm does not read is ignored. */
typedef struct roce_ack_info {
  /* First sequence number that is not acknowledged, and the next one to be sent; an InfiniBand ACK names the last received: PSN + 1. */
  uint32_t ack_seq;
  uint32_t snd_nxt;
  /* When the acknowledged packet left; NaN = not known. Read by TIMELY, Swift and NSCC. */
  double sent_ps;
  /* Part of the round trip that the hosts took, and packets newly acknowledged. Read by Swift. */
  double host_delay_ps;
  double acked_packets;
  /* Payload newly acknowledged; NaN = not known. Read by NSCC. */
  double acked_bytes;
  /* Nodes on the path. Read by Swift. */
  uint32_t path_hops;
  /* Encoded utilisation, or ROCE_NO_PINT_POWER. Read by HPCC-PINT. For NSCC a receiver's penalty, ROCE_WINDOW_PENALTY. */
  uint32_t pint_power;
  /* 1: the acknowledged packet was marked. Read by DCTCP and NSCC. */
  uint8_t ecn_echo;
  /* ROCE_TELEMETRY_*. Read by HPCC and HPCC++. */
  uint8_t telemetry;
  /* 1: hops of the path are missing here, so HPCC++ may lower a rate, not raise it. */
  uint8_t partial;
  uint8_t reserved;
  /* Records at `hops`, or `raw_hops`; of the latter hop_count may be above 5: slots were overwritten. */
  uint32_t hop_count;
  const roce_hop *hops;
  const roce_raw_hop *raw_hops;
  /* Identity of the path; another one resets what is kept of its hops. 0 = none given. */
  uint32_t path_id;
  uint32_t reserved2;
} roce_ack_info;

#define ROCE_ACK_INIT {0, 0, 0.0 / 0.0, 0, 1, 0.0 / 0.0, 0, ROCE_NO_PINT_POWER, 0, 0, 0, 0, 0, NULL, NULL, 0, 0}

/*
 * An acknowledgement arrived; `*rate_bps`: the rate now. The gap after the last packet may have moved: roce_next_send_ps.
 * ROCE_UNSUPPORTED when no parameter set reads acknowledgements.
 */
ROCE_API roce_status roce_ack(roce_engine *engine, double time_ps, uint32_t qp, const roce_ack_info *ack, double *rate_bps);

/* A NACK: the receiver got a packet of which a switch left the headers only. Begin with ROCE_NACK_INIT. */
typedef struct roce_nack_info {
  /* When the trimmed packet left, whole; NaN = not known. */
  double sent_ps;
  /* Payload that was cut off, whole. */
  double trimmed_bytes;
  /* 1: the last switch on the path trimmed it. */
  uint32_t last_hop;
  uint32_t reserved;
} roce_nack_info;

#define ROCE_NACK_INIT {0.0 / 0.0, 0, 0, 0}

/*
 * A NACK arrived; `*rate_bps`: the rate now. To an algorithm other than NSCC it is a loss, not found by a timeout. ROCE_UNSUPPORTED as
 * of roce_ack.
 */
ROCE_API roce_status roce_nack(roce_engine *engine, double time_ps, uint32_t qp, const roce_nack_info *nack, double *rate_bps);

#define ROCE_PULL_QUANTUM_BYTES 256u
#define ROCE_PULL_NUMBER_MAX 35184372088831.0

/*
 * Credit arrived: the receiver's cumulative pull number, quanta of 256 bytes, whole, 0 to 2^45-1; `*applied`: 1 if it was news, 0 for a
 * number no higher than the last one and for an algorithm without credit. Read by RCCC. ROCE_UNSUPPORTED as of roce_ack.
 */
ROCE_API roce_status roce_credit(roce_engine *engine, double time_ps, uint32_t qp, double pull_number, int *applied);

/* A Fast CNP, parsed by the caller. */
typedef struct roce_fast_cnp_info {
  /* Port that received it. */
  uint32_t endpoint;
  /* Of the BTH, 24 bits: the peer's QPN. */
  uint32_t dest_qpn;
  /* IPv6 source address, and destination of the congested packet. */
  uint8_t source[ROCE_ADDRESS_BYTES];
  uint8_t original_destination[ROCE_ADDRESS_BYTES];
  /* Hops of the congested packet up to the switch, for HPCC++; 0 = none. */
  uint32_t hop_count;
  uint32_t path_id;
  const roce_hop *hops;
} roce_fast_cnp_info;

/*
 * A Fast CNP arrived; `*qp`: the QP that reacted, or ROCE_NONE, and roce_actions has the reason. Settings must allow Fast CNPs.
 */
ROCE_API roce_status roce_fast_cnp(roce_engine *engine, double time_ps, const roce_fast_cnp_info *fast_cnp, uint32_t *qp);

/* ---- What a QP has now; NaN for what is not an open QP */

/* Rate as of its last event. */
ROCE_API double roce_rate_bps(const roce_engine *engine, uint32_t qp);
/* When it may send its next packet; 0 = at once. A window may hold it back longer: roce_may_send. */
ROCE_API double roce_next_send_ps(const roce_engine *engine, uint32_t qp);
/* Payload bytes that may be unacknowledged; 0 = no window (DCQCN, TIMELY, DCTCP and RCCC have none). */
ROCE_API double roce_window_bytes(const roce_engine *engine, uint32_t qp);
/* Bytes on the wire that its receiver has granted (RCCC); below 0 by what the last packet took beyond them. NaN: it has no credit. */
ROCE_API double roce_credit_bytes(const roce_engine *engine, uint32_t qp);
/* When its rate can next change without an event; infinity when it can't. */
ROCE_API double roce_next_deadline_ps(roce_engine *engine, uint32_t qp);
/*
 * Whether its window lets another packet leave, with that many payload bytes unacknowledged (0 to 2^53-1), or under RCCC its credit: 1 or
 * 0, or a status below 0.
 */
ROCE_API int roce_may_send(roce_engine *engine, uint32_t qp, double in_flight_bytes);
/*
 * The pull number that a QP under RCCC asks its receiver for; its next data packet carries it. `backlog_bytes`: bytes on the wire still
 * to be sent, packets to be retransmitted included, whole, 0 to 2^53-1; `senders`: QPs that wait for the same port, this one included.
 * `*target`: quanta of 256 bytes, below 0 where a new QP's credit exceeds its backlog. ROCE_UNSUPPORTED for an algorithm without credit.
 */
ROCE_API roce_status roce_pull_target(roce_engine *engine, uint32_t qp, double backlog_bytes, uint32_t senders, double *target);
/* Whether this is the number of an open QP: 1 or 0. */
ROCE_API int roce_is_open(const roce_engine *engine, uint32_t qp);

typedef struct roce_qp_state {
  double rate_bps;
  double window_bytes;
  double credit_bytes;
  double next_send_ps;
  double last_event_ps;
  /* 1: a rate limiter is in place; of DCQCN from a CNP until the line rate is reached again, else always. */
  uint32_t is_limited;
  /* Index of its parameter set. */
  uint32_t parameter_set;
  uint32_t endpoint;
  uint32_t local_qpn;
  uint32_t peer_qpn;
  uint8_t peer_address[ROCE_ADDRESS_BYTES];
  uint32_t reserved;
} roce_qp_state;

/* Everything above at once, and what the QP was opened with. */
ROCE_API roce_status roce_qp_get(roce_engine *engine, uint32_t qp, roce_qp_state *state);
/* The QP with this peer, as Fast CNPs find it; ROCE_NONE: there is none. */
ROCE_API roce_status roce_find_flow(roce_engine *engine, uint32_t endpoint, const uint8_t peer_address[ROCE_ADDRESS_BYTES],
                                    uint32_t peer_qpn, uint32_t *qp);
/* The QP with this local QPN, as CNPs find it; ROCE_NONE: there is none. */
ROCE_API roce_status roce_find_local(roce_engine *engine, uint32_t endpoint, uint32_t local_qpn, uint32_t *qp);

/* ---- Batches */

#define ROCE_EVENT_SENT 0u
#define ROCE_EVENT_CNP 1u
#define ROCE_EVENT_FAST_CNP 2u
#define ROCE_EVENT_MARKED 3u
#define ROCE_EVENT_TOUCH 4u
#define ROCE_EVENT_ACK 5u
#define ROCE_EVENT_LOSS 6u
#define ROCE_EVENT_NACK 7u
#define ROCE_EVENT_CREDIT 8u

/* An event of a batch, 32 bytes. */
typedef struct roce_event {
  double time_ps;
  /* Of a Fast CNP the endpoint. */
  uint32_t qp;
  /* ROCE_EVENT_*. */
  uint32_t kind;
  /* Of a sent packet its length, of a marked one its P_Key, of a loss 1 for a timeout; 0 to 2^28-1. */
  uint32_t value;
  uint32_t reserved;
  /* Of an ACK, a Fast CNP, a NACK or credit what it carries; read by the call only. */
  union {
    const roce_ack_info *ack;
    const roce_fast_cnp_info *fast_cnp;
    const roce_nack_info *nack;
    double pull_number;
    uint64_t none;
  } of;
} roce_event;

/*
 * Applies events in order; more than options.events at a time: ROCE_CAPACITY. Events that can't be applied (unknown QP, time out of
 * order) are counted by outcome; those with fields out of range reject the whole batch before any is applied. `*actions`: their number.
 */
ROCE_API roce_status roce_apply_events(roce_engine *engine, const roce_event *events, uint32_t count, uint32_t *actions);

/* An event as the engine reads it, 16 bytes: kind in the top four bits of `kind_value`, value in the others. */
typedef struct roce_packed_event {
  double time_ps;
  uint32_t qp;
  uint32_t kind_value;
} roce_packed_event;

#define ROCE_PACKED(kind, value) (((uint32_t)(kind) << 28) | (uint32_t)(value))

/*
 * The engine's own event buffer, of options.events records, for callers that fill it without a copy; kinds without records only (not
 * ACK, NACK, credit and Fast CNP). NULL when the handle is not open. It stays where it is.
 */
ROCE_API roce_packed_event *roce_event_buffer(roce_engine *engine);
/* Applies the first `count` events of that buffer, whose content is lost. */
ROCE_API roce_status roce_apply_buffer(roce_engine *engine, uint32_t count, uint32_t *actions);

#define ROCE_LINK_ETHERNET 0u
#define ROCE_LINK_RAW_IP 1u

typedef struct roce_frame {
  double time_ps;
  const uint8_t *bytes;
  uint32_t captured_bytes;
  /* On the wire; 0 = as captured. */
  uint32_t original_bytes;
  /* ROCE_LINK_*. */
  uint32_t link;
  uint32_t reserved;
} roce_frame;

/* What a frame is and what became of it, 32 bytes; codes as in docs/reference/abi.md, names by the functions below. */
typedef struct roce_frame_report {
  uint8_t frame_class;
  uint8_t why;
  /* 4, 6, or 0. */
  uint8_t ip_version;
  /* DSCP in the high six bits, ECN in the low two. */
  uint8_t traffic_class;
  uint8_t opcode;
  /* 0 not checked, 1 right, 2 wrong, 3 absent. */
  uint8_t icrc;
  uint16_t ip_offset;
  /* 0 = there is none; so are the next three. */
  uint16_t bth_offset;
  uint16_t original_destination_offset;
  uint16_t ioam_offset;
  uint16_t ioam_bytes;
  uint32_t dest_qpn;
  /* The QP that it led to, or ROCE_NONE. */
  uint32_t qp;
  uint8_t outcome;
  /* 1: its source is the original destination that its Fast CNP option carries. */
  uint8_t from_receiver;
  uint16_t end_offset;
  uint32_t reserved;
} roce_frame_report;

/*
 * Parses and applies frames in order; more than options.packets or options.frame_bytes at a time: ROCE_CAPACITY. `reports`: NULL, or room
 * for `count`. Any bytes are allowed. Frames inside of tunnels are not looked into.
 */
ROCE_API roce_status roce_apply_frames(roce_engine *engine, const roce_frame *frames, uint32_t count, roce_frame_report *reports,
                                       uint32_t *actions);
/* Names of codes, such as "cnp" and "cnp-handled"; "unknown" for others. */
ROCE_API const char *roce_class_name(uint32_t frame_class);
ROCE_API const char *roce_outcome_name(uint32_t outcome);
ROCE_API const char *roce_why_name(uint32_t why);

/*
 * Applies everything that is due up to and including `time_ps`, for all QPs, from position `from` on; `*next`: ROCE_NONE when all is done,
 * or where to continue once the actions have been read. Begin with 0.
 */
ROCE_API roce_status roce_advance(roce_engine *engine, double time_ps, uint32_t from, uint32_t *next);

#define ROCE_ACTION_RATE 0u
#define ROCE_ACTION_CNP 1u
#define ROCE_ACTION_FAST_CNP_ACCEPTED 2u
#define ROCE_ACTION_FAST_CNP_REJECTED 3u

/* What the engine reports, 24 bytes. */
typedef struct roce_action {
  double time_ps;
  uint32_t qp;
  /* ROCE_ACTION_*. */
  uint8_t kind;
  /*
   * Of a rate its cause: 0 time, 1 bytes, 2 CNP, 3 Fast CNP, 4 ACK, 5 loss. Of an accepted Fast CNP its origin: 0 receiver, 1 network.
   * Of a rejected one the outcome.
   */
  uint8_t reason;
  uint16_t reserved;
  /* Of a rate bits per second, of a CNP the P_Key of the marked packet, of a Fast CNP its place in the batch. */
  double value;
} roce_action;

/* Actions of the last call that applied anything; `*actions` points at them until the next one. Returns their number, 0 on misuse. */
ROCE_API uint32_t roce_actions(const roce_engine *engine, const roce_action **actions);

/* ---- Counters, hash, snapshots */

typedef struct roce_stats {
  double events_in;
  double packets_in;
  double packet_bytes_in;
  /* in = handled + ignored + rejected. */
  double handled;
  double ignored;
  double rejected;
  double ecn_marked_packets;
  double cnps_sent;
  double cnps_suppressed;
  double cnps_handled;
  double data_sent;
  double timer_steps;
  double late_clamped;
  /* By outcome and by class of frame. */
  double outcomes[48];
  double classes[16];
} roce_stats;

ROCE_API roce_status roce_stats_get(roce_engine *engine, roce_stats *stats);
/* Fingerprint of the state of all open QPs: 16 hexadecimal digits, equal in every language and on every machine. */
ROCE_API roce_status roce_state_hash(roce_engine *engine, char hash[ROCE_HASH_CHARS]);
/*
 * Writes everything that the engine knows; events not yet applied are not part of it. `*written`: bytes needed; with a smaller capacity
 * nothing is written and the status is ROCE_CAPACITY, so a first call with NULL and 0 asks for the size. The bytes are those of the npm
 * package's `engine.snapshot()`, and either side restores them.
 */
ROCE_API roce_status roce_snapshot(roce_engine *engine, uint8_t *bytes, size_t capacity, size_t *written);
/* Goes back to a snapshot of an engine with the same build, options and capacity. ROCE_SNAPSHOT_MISMATCH: nothing has changed. */
ROCE_API roce_status roce_restore(roce_engine *engine, const uint8_t *bytes, size_t length);

/* ---- A switch's congestion point: per packet at an egress queue, whether to mark it and whether to send a Fast CNP */

/*
 * `settings` "key=value ...": kminBytes, kmaxBytes, pmax, enabled, flowRatePerSecond, flowBurst, portRatePerSecond, portBurst,
 * markWhenUnknown, markWhenLimited, seed; NULL: the defaults. Ports and flows: 1 to 10^8. ROCE_INVALID_CONFIG, ROCE_CAPACITY.
 */
ROCE_API roce_status roce_cp_create(uint32_t ports, uint32_t flows, const char *settings, roce_cp **cp);
ROCE_API roce_status roce_cp_destroy(roce_cp *cp);

#define ROCE_CAPABILITY_UNKNOWN 0u
#define ROCE_CAPABILITY_ABLE 1u
#define ROCE_CAPABILITY_UNABLE 2u

typedef struct roce_cp_packet {
  double time_ps;
  double queue_bytes;
  uint32_t port;
  uint32_t flow;
  /* ECN field, 0 to 3. */
  uint32_t ecn;
  /* Whether the sender handles Fast CNPs: ROCE_CAPABILITY_*. */
  uint32_t capability;
  uint32_t is_ipv6;
  uint32_t reserved;
} roce_cp_packet;

typedef struct roce_cp_decision {
  uint8_t mark_ce;
  uint8_t send_fast_cnp;
  /* 0 not congested, 1 Fast CNP, 2 disabled, 3 IPv4, 4 sender unable, 5 flow limited, 6 port limited, 7 Not-ECT, 8 bad argument. */
  uint8_t reason;
  uint8_t reserved;
} roce_cp_decision;

ROCE_API roce_status roce_cp_decide(roce_cp *cp, const roce_cp_packet *packet, roce_cp_decision *decision);

/* ---- The simulator: a network of a plan, and flows through it */

/*
 * A plan is a compiled scenario (`nativePlan` and `openNativePlan` of roce-cc/sim; examples/native/make-plan.mjs): the network, and either
 * its flows, or room for flows that roce_sim_send adds while another program owns the time. roce_sim_open_json below needs none.
 *
 * Loads a plan, whose bytes are not needed afterwards. ROCE_INVALID_ARGUMENT (not a plan, or damaged), ROCE_VERSION (of another build of
 * the simulator), ROCE_CAPACITY.
 */
ROCE_API roce_status roce_sim_open(const uint8_t *plan, size_t length, roce_sim **sim);
/* The same from a file. */
ROCE_API roce_status roce_sim_open_file(const char *path, roce_sim **sim);
ROCE_API roce_status roce_sim_close(roce_sim *sim);

/* Hosts by number from 0, and algorithms of flows that are added; NULL beyond the last one. */
ROCE_API const char *roce_sim_host_name(const roce_sim *sim, uint32_t host);
ROCE_API const char *roce_sim_algorithm_name(const roce_sim *sim, uint32_t algorithm);
/* Number of a host by name, or ROCE_NONE. */
ROCE_API uint32_t roce_sim_find_host(const roce_sim *sim, const char *name);

/* A flow to send; begin with ROCE_SIM_FLOW_INIT. */
typedef struct roce_sim_flow {
  /* Hosts. */
  uint32_t from;
  uint32_t to;
  /* Payload, whole, from 1. */
  double size_bytes;
  /* When it begins, not before roce_sim_now; below 0 = now. */
  double start_ps;
  uint32_t algorithm;
  /* 1 to 7; 0 = the scenario's. */
  uint32_t traffic_class;
} roce_sim_flow;

#define ROCE_SIM_FLOW_INIT {0, 0, 0, -1, 0, 0}

/*
 * Adds a flow; `*flow`: its number, from 0. May be called by a callback of roce_sim_advance. ROCE_INVALID_ARGUMENT, ROCE_CAPACITY,
 * ROCE_UNSUPPORTED for a plan with its own flows.
 */
ROCE_API roce_status roce_sim_send(roce_sim *sim, const roce_sim_flow *flow, uint32_t *number);

typedef struct roce_sim_completion {
  uint32_t flow;
  uint32_t reserved;
  /* When its last ACK arrived, and how long after its start. */
  double finish_ps;
  double completion_ps;
} roce_sim_completion;

/* Called for each flow that is done, in order of time, when roce_sim_now is that time. */
typedef void roce_sim_on_done(void *context, const roce_sim_completion *completion);

/* Handles all events before `until_ps`, which is not before roce_sim_now and is it afterwards. `on_done`: NULL, or called for each flow. */
ROCE_API roce_status roce_sim_advance(roce_sim *sim, double until_ps, roce_sim_on_done *on_done, void *context);
/*
 * Runs until a flow is done, at the latest to `until_ps`; roce_sim_now is then the time of its end. `completion->flow` is ROCE_NONE when
 * no flow was done. Plans with their own flows don't stop at flows: roce_sim_run.
 */
ROCE_API roce_status roce_sim_next(roce_sim *sim, double until_ps, roce_sim_completion *completion);
/* Runs to the end: until all flows are done, or the plan's time is over. */
ROCE_API roce_status roce_sim_run(roce_sim *sim);
/* The time that has been reached; NaN on misuse. */
ROCE_API double roce_sim_now(const roce_sim *sim);

typedef struct roce_sim_flow_state {
  double size_bytes;
  double start_ps;
  /* NaN: not done. */
  double finish_ps;
  double delivered_bytes;
  double retransmitted_packets;
  double timeouts;
  /* Now, or when it ended. */
  double rate_bps;
  uint32_t cnps;
  uint32_t fast_cnps;
  uint32_t is_done;
  /* 1: it gave up after its last retry. */
  uint32_t has_failed;
} roce_sim_flow_state;

ROCE_API roce_status roce_sim_flow_get(roce_sim *sim, uint32_t flow, roce_sim_flow_state *state);

typedef struct roce_sim_totals {
  /* Of the last event. */
  double time_ps;
  double events;
  double packet_hops;
  double flows_done;
  double delivered_bytes;
  double packets_dropped;
  double timeouts;
  double flows;
} roce_sim_totals;

ROCE_API roce_status roce_sim_totals_get(roce_sim *sim, roce_sim_totals *totals);
/* Fingerprint of all counters of flows and ports: `stateHash()` of openSimulation, or of the kernel that ran the same scenario. */
ROCE_API roce_status roce_sim_hash(roce_sim *sim, char hash[ROCE_HASH_CHARS]);

/* ---- Scenarios: JSON as in docs/guides/scenarios.md */

/*
 * These need a library with scenarios (`npm run native -- --scenarios`, or `make SCENARIOS=1`) on a 64-bit POSIX system: others give
 * ROCE_UNSUPPORTED. The npm package's own code compiles the scenario and reads the result, so both are equal to the byte; the kernel is the
 * library's. ROCE_INVALID_CONFIG names the setting; ROCE_CAPACITY.
 *
 * Runs a scenario to its end. `*result`: its result as JSON (docs/result.schema.json), freed by roce_free; `hash`: the result's hash.
 */
ROCE_API roce_status roce_sim_run_json(const char *json, char hash[ROCE_HASH_CHARS], char **result);
/*
 * Opens a scenario as a simulation. `options` NULL: with the scenario's own flows, as a plan of `nativePlan`. Else the scenario has no workload,
 * flows come by roce_sim_send, and `options` is JSON with the room for them: "{\"flows\": 1024}" (`OpenOptions` of roce-cc/sim; "{}": defaults).
 */
ROCE_API roce_status roce_sim_open_json(const char *json, const char *options, roce_sim **sim);
/* Frees what roce_sim_run_json gave; NULL: nothing. */
ROCE_API void roce_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
