/* Raw frames: copied into the engine's arena, parsed and applied there. */
#include "engine.h"

_Static_assert(sizeof(roce_frame_report) == ABI_PACKET_BYTES, "as the engine writes it");
_Static_assert(offsetof(roce_frame_report, why) == ABI_PACKET_WHY && offsetof(roce_frame_report, icrc) == ABI_PACKET_ICRC &&
                 offsetof(roce_frame_report, ip_offset) == ABI_PACKET_IP_OFFSET && offsetof(roce_frame_report, bth_offset) == ABI_PACKET_BTH_OFFSET &&
                 offsetof(roce_frame_report, original_destination_offset) == ABI_PACKET_ORIGINAL_DESTINATION_OFFSET &&
                 offsetof(roce_frame_report, ioam_offset) == ABI_PACKET_IOAM_OFFSET && offsetof(roce_frame_report, dest_qpn) == ABI_PACKET_DEST_QPN &&
                 offsetof(roce_frame_report, qp) == ABI_PACKET_QP && offsetof(roce_frame_report, outcome) == ABI_PACKET_OUTCOME &&
                 offsetof(roce_frame_report, from_receiver) == ABI_PACKET_FROM_RECEIVER && offsetof(roce_frame_report, end_offset) == ABI_PACKET_END_OFFSET,
               "in the same places");
_Static_assert(ROCE_LINK_ETHERNET == ABI_LINK_ETHERNET && ROCE_LINK_RAW_IP == ABI_LINK_RAW_IP, "the engine's links");

/* Frames begin on 8 bytes. */
static uint64_t arena_bytes(uint32_t captured_bytes) {
  return ((uint64_t)captured_bytes + 7) & ~UINT64_C(7);
}

static roce_status check_frames(roce_engine *engine, const roce_frame *frames, uint32_t count) {
  uint64_t bytes = 0;
  if (count > 0 && !frames) return fail(engine->error, ROCE_INVALID_ARGUMENT, "frames is NULL");
  if (count > engine->config->capacity[CAPACITY_PACKETS])
    return fail(engine->error, ROCE_CAPACITY, "a batch of this engine holds %.0f frames, not %u", engine->config->capacity[CAPACITY_PACKETS],
                count);
  for (uint32_t index = 0; index < count; index++) {
    const roce_frame *frame = &frames[index];
    if (frame->captured_bytes > 0 && !frame->bytes) return fail(engine->error, ROCE_INVALID_ARGUMENT, "the bytes of frame %u are NULL", index);
    if (frame->link > ROCE_LINK_RAW_IP) return fail(engine->error, ROCE_INVALID_ARGUMENT, "the link of frame %u must be a ROCE_LINK_*", index);
    if (!is_event_time(frame->time_ps)) return fail(engine->error, ROCE_INVALID_ARGUMENT, "the time of frame %u must be whole", index);
    if (bytes + frame->captured_bytes > engine->config->capacity[CAPACITY_FRAME_BYTES])
      return fail(engine->error, ROCE_CAPACITY, "a batch of this engine holds %.0f bytes of frames", engine->config->capacity[CAPACITY_FRAME_BYTES]);
    bytes += arena_bytes(frame->captured_bytes);
  }
  return ROCE_OK;
}

static void put_frames(roce_engine *engine, const roce_frame *frames, uint32_t count) {
  uint32_t arena = engine_region(engine, ABI_REGION_FRAMES);
  uint32_t at = engine_region(engine, ABI_REGION_DESCRIPTORS);
  uint32_t offset = 0;
  for (uint32_t index = 0; index < count; index++, at += ABI_DESCRIPTOR_BYTES) {
    const roce_frame *frame = &frames[index];
    if (frame->captured_bytes) memcpy(engine_at(engine, arena + offset), frame->bytes, frame->captured_bytes);
    engine_set_f64(engine, at + ABI_DESCRIPTOR_TIME, frame->time_ps);
    engine_set_u32(engine, at + ABI_DESCRIPTOR_OFFSET, offset);
    engine_set_u32(engine, at + ABI_DESCRIPTOR_CAPTURED, frame->captured_bytes);
    engine_set_u32(engine, at + ABI_DESCRIPTOR_ORIGINAL, frame->original_bytes ? frame->original_bytes : frame->captured_bytes);
    engine_set_u32(engine, at + ABI_DESCRIPTOR_LINK, frame->link);
    offset += (uint32_t)arena_bytes(frame->captured_bytes);
  }
}

roce_status roce_apply_frames(roce_engine *engine, const roce_frame *frames, uint32_t count, roce_frame_report *reports,
                              uint32_t *actions) {
  roce_status status = engine_enter(engine);
  if (status) return status;
  status = check_frames(engine, frames, count);
  if (status) return engine_leave(engine, status);
  put_frames(engine, frames, count);
  WITH_TRAPS(engine->faulted = true; return engine_leave(engine, fail(engine->error, ROCE_FAULT, "the engine stopped at an internal error")))
  engine->action_count = Z_engineZ_applyPackets(&engine->module, count);
  END_TRAPS
  if (reports && count) memcpy(reports, engine_at(engine, engine_region(engine, ABI_REGION_PACKETS)), count * sizeof *reports);
  if (actions) *actions = engine->action_count;
  return engine_leave(engine, ROCE_OK);
}

static const char *name_of(const char *const *names, size_t count, uint32_t code) {
  return code < count && names[code] ? names[code] : "unknown";
}

#define COUNT(names) (sizeof(names) / sizeof *(names))

const char *roce_class_name(uint32_t frame_class) {
  static const char *const NAMES[] = ABI_CLASS_NAMES;
  return name_of(NAMES, COUNT(NAMES), frame_class);
}

const char *roce_outcome_name(uint32_t outcome) {
  static const char *const NAMES[] = ABI_OUTCOME_NAMES;
  return name_of(NAMES, COUNT(NAMES), outcome);
}

const char *roce_why_name(uint32_t why) {
  static const char *const NAMES[] = ABI_WHY_NAMES;
  return name_of(NAMES, COUNT(NAMES), why);
}
