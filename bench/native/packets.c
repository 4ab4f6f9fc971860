/*
 * From raw frames to state in C: one frame after the other, parse, look up, apply (assembly/batch/packets.ts and the
 * common path of assembly/wire/parser.ts). Frames outside the common path are left alone and end the batch: the
 * benchmark has none. ICRCs are not computed, as is the engine's default.
 */
#include "reaction-point.h"
#include "tables.h"

enum { CLASS_DATA = 1, CLASS_ACK = 2, CLASS_NAK = 3, CLASS_CNP = 4, CLASS_FAST_CNP_1 = 5 };
enum { ICRC_NOT_CHECKED = 0, ICRC_ABSENT = 3 };
enum { UDP_BYTES = 8, BTH_BYTES = 12, AETH_BYTES = 4, ICRC_BYTES = 4 };
enum { OPCODE_ACK = 0x11, OPCODE_ATOMIC_ACK = 0x12, OPCODE_CNP = 0x81 };
enum { ROCE_V2_PORT = 4791, PROTOCOL_UDP = 17, PROTOCOL_DESTINATION_OPTIONS = 60, OPTION_TYPE = 0x9e };

typedef struct {
  double timePs;
  uint32_t offset, captured, original, link;
} Descriptor;

typedef struct {
  uint8_t class, why, ipVersion, trafficClass, opcode, icrc;
  uint16_t ipOffset, bthOffset, originalDestinationOffset, ioamOffset, ioamBytes;
  uint32_t destQpn, qp;
  uint8_t outcome, fromReceiver;
  uint16_t endOffset;
  uint32_t unused;
} Packet;

typedef struct {
  uint64_t high, low, allow;
} Range;

_Static_assert(sizeof(Descriptor) == 24 && sizeof(Packet) == 32 && sizeof(Range) == 24, "record sizes");

static inline uint64_t load64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, 8);
  return value;
}

static inline uint32_t load32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}

static inline uint32_t be16(const uint8_t *at) { return (uint32_t)at[0] << 8 | at[1]; }
static inline uint32_t be32(const uint8_t *at) { return __builtin_bswap32(load32(at)); }

static bool finishParse(const uint8_t *frame, const Descriptor *descriptor, uint32_t udp, uint32_t end, Packet *packet) {
  uint32_t bth = udp + UDP_BYTES, captured = descriptor->captured;
  if (bth + BTH_BYTES > captured || be16(frame + udp + 2) != ROCE_V2_PORT) return false;
  uint32_t udpBytes = be16(frame + udp + 4);
  if (udp + udpBytes != end || udpBytes < UDP_BYTES + BTH_BYTES + ICRC_BYTES || end > descriptor->original) return false;
  uint32_t opcode = frame[bth], qpn = be32(frame + bth + 4) & 0xffffff, option = packet->originalDestinationOffset;
  if (!qpn) return false;
  if (opcode == OPCODE_CNP) {
    packet->class = option ? CLASS_FAST_CNP_1 : CLASS_CNP;
    if (option) packet->fromReceiver = !memcmp(frame + packet->ipOffset + 8, frame + option, 16);
  } else if (option || (opcode >= 0x80 && opcode >> 5 != 5)) {
    return false;
  } else if (opcode == OPCODE_ACK || opcode == OPCODE_ATOMIC_ACK) {
    uint32_t aeth = bth + BTH_BYTES;
    if (aeth + AETH_BYTES > captured || aeth + AETH_BYTES + ICRC_BYTES > end) return false;
    uint32_t kind = frame[aeth] & 0xe0;
    packet->class = kind == 0x60 || kind == 0x20 ? CLASS_NAK : CLASS_ACK;
  } else {
    packet->class = CLASS_DATA;
  }
  packet->opcode = (uint8_t)opcode;
  packet->icrc = end > captured ? ICRC_ABSENT : ICRC_NOT_CHECKED;
  packet->bthOffset = (uint16_t)bth;
  packet->destQpn = qpn;
  packet->endOffset = (uint16_t)end;
  return true;
}

static bool parseIpv6(const uint8_t *frame, const Descriptor *descriptor, uint32_t ip, Packet *packet) {
  const uint8_t *header = frame + ip;
  if (descriptor->captured < ip + 40 || header[0] >> 4 != 6) return false;
  packet->ipVersion = 6;
  packet->trafficClass = (uint8_t)(be16(header) >> 4);
  uint32_t end = ip + 40 + be16(header + 4), udp = ip + 40;
  if (header[6] == PROTOCOL_DESTINATION_OPTIONS) {
    const uint8_t *options = header + 40;
    if (descriptor->captured < ip + 64 || options[0] != PROTOCOL_UDP || options[1] != 2) return false;
    bool aligned = options[2] == 1 && options[3] == 2 && options[6] == OPTION_TYPE && options[7] == 16;
    if (!aligned && (options[2] != OPTION_TYPE || options[3] != 16 || options[20] != 1 || options[21] != 2)) return false;
    packet->originalDestinationOffset = (uint16_t)(ip + (aligned ? 48 : 44));
    udp = ip + 64;
  } else if (header[6] != PROTOCOL_UDP) {
    return false;
  }
  return finishParse(frame, descriptor, udp, end, packet);
}

static bool parseIpv4(const uint8_t *frame, const Descriptor *descriptor, uint32_t ip, Packet *packet) {
  const uint8_t *header = frame + ip;
  if (descriptor->captured < ip + 20 || header[0] != 0x45 || be16(header + 6) != 0x4000 || header[9] != PROTOCOL_UDP) return false;
  packet->ipVersion = 4;
  packet->trafficClass = header[1];
  return finishParse(frame, descriptor, ip + 20, ip + be16(header + 2), packet);
}

static bool parse(const uint8_t *frame, const Descriptor *descriptor, Packet *packet) {
  memset(packet, 0, sizeof *packet);
  packet->qp = NONE;
  if (descriptor->captured < 58) return false;
  uint32_t ip = 14, etherType = be16(frame + 12);
  if (etherType == 0x8100) {
    ip = 18;
    etherType = be16(frame + 16);
  }
  packet->ipOffset = (uint16_t)ip;
  if (etherType == 0x86dd) return parseIpv6(frame, descriptor, ip, packet);
  return etherType == 0x0800 && parseIpv4(frame, descriptor, ip, packet);
}

typedef struct {
  uint64_t low, high;
} Address;

static inline Address addressOf(const uint8_t *frame, const Packet *packet, bool destination) {
  const uint8_t *ip = frame + packet->ipOffset;
  if (packet->ipVersion == 6) {
    const uint8_t *at = ip + (destination ? 24 : 8);
    return (Address){load64(at), load64(at + 8)};
  }
  return (Address){0, 0xffff0000ull | (uint64_t)load32(ip + (destination ? 16 : 12)) << 32};
}

static inline uint32_t endpointAt(Address address) {
  const FlowEntry *entry = findEntry(engine.endpoints, address.low, address.high, 0, hashAddress(address.low, address.high, 0));
  return entry ? valueOf(entry) : NONE;
}

static inline FlowEntry *flowOf(Address peer, uint32_t endpoint, uint32_t qpn) {
  uint64_t word = flowWord(endpoint, qpn);
  return findEntry(engine.flows, peer.low, peer.high, word, hashAddress(peer.low, peer.high, word));
}

static uint32_t applyData(const uint8_t *frame, const Descriptor *descriptor, Packet *packet) {
  uint32_t sender = endpointAt(addressOf(frame, packet, false));
  Address destination = addressOf(frame, packet, true);
  uint32_t receiver = endpointAt(destination);
  if (sender == NONE && receiver == NONE) return OUTCOME_NOT_LOCAL;
  uint32_t outcome = OUTCOME_UNKNOWN_QP;
  if (sender != NONE) {
    const FlowEntry *entry = flowOf(destination, sender, packet->destQpn);
    if (entry) {
      packet->qp = valueOf(entry);
      outcome = sent(packet->qp, descriptor->timePs, descriptor->original & 0x0fffffff);
      if (outcome == OUTCOME_SENT) count(COUNTER_DATA_SENT, 1);
    }
  }
  if (receiver == NONE) return outcome;
  if ((packet->trafficClass & 3) != 3) return outcome == OUTCOME_UNKNOWN_QP ? OUTCOME_RECEIVED : outcome;
  uint64_t word = flowWord(receiver, packet->destQpn);
  uint32_t qp = findQpn(word, hashWord(word));
  if (qp == NONE) return outcome;
  packet->qp = qp;
  return marked(qp, descriptor->timePs, be16(frame + packet->bthOffset + 2));
}

static uint32_t applyCnp(const uint8_t *frame, const Descriptor *descriptor, Packet *packet) {
  uint32_t receiver = endpointAt(addressOf(frame, packet, true));
  if (receiver == NONE) return OUTCOME_NOT_LOCAL;
  uint64_t word = flowWord(receiver, packet->destQpn);
  packet->qp = findQpn(word, hashWord(word));
  return cnpReceived(packet->qp, descriptor->timePs);
}

static bool isAllowed(const uint8_t *source) {
  uint64_t high = __builtin_bswap64(load64(source)), low = __builtin_bswap64(load64(source + 8));
  const Range *range = (const Range *)engine.ranges;
  for (uint32_t n = engine.accessRanges; n > 1;) {
    uint32_t half = n >> 1;
    const Range *middle = range + half;
    if (middle->high < high || (middle->high == high && middle->low <= low)) range = middle;
    n -= half;
  }
  return (uint32_t)range->allow != 0;
}

static uint32_t notifyFlow(FlowEntry *entry, double timePs) {
  if (!entry) return OUTCOME_FAST_CNP_UNKNOWN_FLOW;
  if (entry->stamp && isRepeated(entry->stamp, timePs)) return OUTCOME_FAST_CNP_DUPLICATE;
  uint32_t outcome = congestionNotified(valueOf(entry), timePs, CAUSE_FAST_CNP);
  if (outcome != OUTCOME_CNP_HANDLED) return outcome;
  entry->stamp = stampOf(timePs);
  return OUTCOME_FAST_CNP_ACCEPTED;
}

static uint32_t applyFastCnp(const uint8_t *frame, const Descriptor *descriptor, Packet *packet, uint32_t index) {
  uint32_t receiver = endpointAt(addressOf(frame, packet, true));
  if (receiver == NONE) return OUTCOME_NOT_LOCAL;
  uint32_t outcome = OUTCOME_FAST_CNP_DISABLED;
  if (engine.fastCnpEnabled) outcome = OUTCOME_FAST_CNP_DENIED;
  if (engine.fastCnpEnabled && isAllowed(frame + packet->ipOffset + 8)) {
    const uint8_t *original = frame + packet->originalDestinationOffset;
    FlowEntry *entry = flowOf((Address){load64(original), load64(original + 8)}, receiver, packet->destQpn);
    outcome = notifyFlow(entry, descriptor->timePs);
    if (entry) packet->qp = valueOf(entry);
  }
  if (outcome == OUTCOME_FAST_CNP_ACCEPTED) emit(descriptor->timePs, packet->qp, ACTION_FAST_CNP_ACCEPTED, !packet->fromReceiver, index);
  else emit(descriptor->timePs, NONE, ACTION_FAST_CNP_REJECTED, outcome, index);
  return outcome;
}

static uint32_t apply(const uint8_t *frame, const Descriptor *descriptor, Packet *packet, uint32_t index) {
  switch (packet->class) {
    case CLASS_DATA: return applyData(frame, descriptor, packet);
    case CLASS_CNP: return applyCnp(frame, descriptor, packet);
    case CLASS_FAST_CNP_1: return applyFastCnp(frame, descriptor, packet, index);
    case CLASS_ACK: return OUTCOME_ACK;
    default: return OUTCOME_NAK;
  }
}

/* Returns the number of actions; NONE when a frame was outside the common path. */
uint32_t native_apply_packets(uint32_t n) {
  const Descriptor *descriptors = (const Descriptor *)engine.descriptors;
  Packet *packets = (Packet *)engine.packets;
  engine_written = 0;
  for (uint32_t i = 0; i < n; i++) {
    const Descriptor *descriptor = descriptors + i;
    const uint8_t *frame = engine.frames + descriptor->offset;
    Packet *packet = packets + i;
    if (!parse(frame, descriptor, packet)) return NONE;
    uint32_t outcome = apply(frame, descriptor, packet, i);
    packet->outcome = (uint8_t)outcome;
    count(COUNTER_CLASSES + packet->class, 1);
    count(outcome, 1);
    count(COUNTER_PACKET_BYTES_IN, descriptor->original);
  }
  count(COUNTER_PACKETS_IN, n);
  return engine_written;
}
