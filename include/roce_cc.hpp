/*
 * roce_cc.h for C++11 or later: owners of engines and congestion points, and errors as exceptions.
 *
 *   roce::Engine engine({{"default", "dcqcn-sigcomm15", "lineRateBps=100e9"}}, roce::Capacity().qps(16));
 *   uint32_t qp = engine.openQp(17);
 *   double next = engine.sent(20e6, qp, 1082);
 *
 * Units, ranges and errors are those of roce_cc.h. What it has and this lacks is called with `engine.get()`.
 */
#ifndef ROCE_CC_HPP
#define ROCE_CC_HPP

#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "roce_cc.h"

namespace roce {

/* A status below 0 with its text. */
class Error : public std::runtime_error {
 public:
  Error(roce_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
  roce_status status() const { return status_; }

 private:
  roce_status status_;
};

using Address = std::array<uint8_t, ROCE_ADDRESS_BYTES>;

/* Reads an IPv4 or IPv6 address. @throws Error */
inline Address address(const std::string &text) {
  Address bytes;
  roce_status status = roce_address(text.c_str(), bytes.data());
  if (status != ROCE_OK) throw Error(status, roce_last_error(nullptr));
  return bytes;
}

/* How large an engine is, and its settings; what is not set is the default. */
class Capacity {
 public:
  Capacity &qps(uint32_t count) { return set(&roce_options::qps, count); }
  Capacity &endpoints(uint32_t count) { return set(&roce_options::endpoints, count); }
  Capacity &addresses(uint32_t count) { return set(&roce_options::addresses, count); }
  Capacity &events(uint32_t count) { return set(&roce_options::events, count); }
  Capacity &packets(uint32_t count) { return set(&roce_options::packets, count); }
  Capacity &frameBytes(uint32_t bytes) { return set(&roce_options::frame_bytes, bytes); }
  /* "key=value key=value", as roce_options.settings. */
  Capacity &settings(std::string text) {
    settings_ = std::move(text);
    return *this;
  }

 private:
  friend class Engine;
  Capacity &set(uint32_t roce_options::*field, uint32_t value) {
    options_.*field = value;
    return *this;
  }
  roce_options options_ = ROCE_OPTIONS_INIT;
  std::string settings_;
};

/* Owns an engine; may be moved, not copied. */
class Engine {
 public:
  /* @throws Error */
  explicit Engine(std::initializer_list<roce_parameter_set> sets, const Capacity &capacity = Capacity()) {
    roce_options options = capacity.options_;
    options.parameter_sets = sets.begin();
    options.parameter_set_count = static_cast<uint32_t>(sets.size());
    options.settings = capacity.settings_.c_str();
    roce_status status = roce_engine_create(&options, &engine_);
    if (status != ROCE_OK) throw Error(status, roce_last_error(nullptr));
  }
  Engine(Engine &&other) noexcept : engine_(other.engine_) { other.engine_ = nullptr; }
  Engine &operator=(Engine &&other) noexcept {
    std::swap(engine_, other.engine_);
    return *this;
  }
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;
  ~Engine() { roce_engine_destroy(engine_); }

  roce_engine *get() const { return engine_; }

  /* Number of the new endpoint. */
  uint32_t addEndpoint(const std::vector<Address> &addresses = {}) {
    std::vector<uint8_t> bytes;
    for (const Address &one : addresses) bytes.insert(bytes.end(), one.begin(), one.end());
    uint32_t endpoint = 0;
    check(roce_add_endpoint(engine_, reinterpret_cast<const uint8_t(*)[ROCE_ADDRESS_BYTES]>(bytes.data()),
                            static_cast<uint32_t>(addresses.size()), &endpoint));
    return endpoint;
  }

  /* Number of the new QP. */
  uint32_t openQp(const roce_qp_options &options) {
    uint32_t qp = ROCE_NONE;
    check(roce_open_qp(engine_, &options, &qp));
    return qp;
  }
  uint32_t openQp(uint32_t localQpn) {
    roce_qp_options options = ROCE_QP_INIT;
    options.local_qpn = localQpn;
    return openQp(options);
  }
  void closeQp(uint32_t qp) { check(roce_close_qp(engine_, qp)); }

  /* When the next packet may leave, picoseconds. */
  double sent(double timePs, uint32_t qp, uint32_t lenBytes) {
    double next = 0;
    check(roce_sent(engine_, timePs, qp, lenBytes, &next));
    return next;
  }
  /* The rate now, bits per second; so of the next four. */
  double cnp(double timePs, uint32_t qp) {
    double rate = 0;
    check(roce_cnp(engine_, timePs, qp, &rate));
    return rate;
  }
  double touch(double timePs, uint32_t qp) {
    double rate = 0;
    check(roce_touch(engine_, timePs, qp, &rate));
    return rate;
  }
  double ack(double timePs, uint32_t qp, const roce_ack_info &info) {
    double rate = 0;
    check(roce_ack(engine_, timePs, qp, &info, &rate));
    return rate;
  }
  double nack(double timePs, uint32_t qp, const roce_nack_info &info) {
    double rate = 0;
    check(roce_nack(engine_, timePs, qp, &info, &rate));
    return rate;
  }
  double loss(double timePs, uint32_t qp, bool timeout = false) {
    double rate = 0;
    check(roce_loss(engine_, timePs, qp, timeout, &rate));
    return rate;
  }
  /* Whether the pull number was news. */
  bool credit(double timePs, uint32_t qp, double pullNumber) {
    int applied = 0;
    check(roce_credit(engine_, timePs, qp, pullNumber, &applied));
    return applied != 0;
  }
  /* Whether a CNP is to be sent to the peer now. */
  bool marked(double timePs, uint32_t qp, uint32_t pKey = 0xffff) {
    int due = 0;
    check(roce_marked(engine_, timePs, qp, pKey, &due));
    return due != 0;
  }
  /* The QP that reacted, or ROCE_NONE. */
  uint32_t fastCnp(double timePs, const roce_fast_cnp_info &info) {
    uint32_t qp = ROCE_NONE;
    check(roce_fast_cnp(engine_, timePs, &info, &qp));
    return qp;
  }

  double rateBps(uint32_t qp) const { return roce_rate_bps(engine_, qp); }
  double nextSendPs(uint32_t qp) const { return roce_next_send_ps(engine_, qp); }
  double windowBytes(uint32_t qp) const { return roce_window_bytes(engine_, qp); }
  double creditBytes(uint32_t qp) const { return roce_credit_bytes(engine_, qp); }
  double nextDeadlinePs(uint32_t qp) const { return roce_next_deadline_ps(engine_, qp); }
  bool maySend(uint32_t qp, double inFlightBytes) const {
    int may = roce_may_send(engine_, qp, inFlightBytes);
    if (may < 0) check(static_cast<roce_status>(may));
    return may != 0;
  }
  /* The pull number to ask the receiver for, quanta of 256 bytes. */
  double pullTarget(uint32_t qp, double backlogBytes, uint32_t senders = 1) const {
    double target = 0;
    check(roce_pull_target(engine_, qp, backlogBytes, senders, &target));
    return target;
  }

  /* Actions of the last call, until the next one. */
  std::pair<const roce_action *, uint32_t> actions() const {
    const roce_action *first = nullptr;
    uint32_t count = roce_actions(engine_, &first);
    return {first, count};
  }
  void apply(const std::vector<roce_event> &events) {
    check(roce_apply_events(engine_, events.data(), static_cast<uint32_t>(events.size()), nullptr));
  }

  std::string stateHash() const {
    char hash[ROCE_HASH_CHARS];
    check(roce_state_hash(engine_, hash));
    return hash;
  }
  std::vector<uint8_t> snapshot() const {
    size_t size = 0;
    roce_snapshot(engine_, nullptr, 0, &size);
    std::vector<uint8_t> bytes(size);
    check(roce_snapshot(engine_, bytes.data(), bytes.size(), &size));
    return bytes;
  }
  void restore(const std::vector<uint8_t> &bytes) { check(roce_restore(engine_, bytes.data(), bytes.size())); }

 private:
  void check(roce_status status) const {
    if (status != ROCE_OK) throw Error(status, roce_last_error(engine_));
  }
  roce_engine *engine_ = nullptr;
};

/* What a scenario gives: its hash, and its result as JSON. */
struct ScenarioResult {
  std::string hash;
  std::string json;
};

/* Throws Error; the library needs scenarios in it: roce_sim_run_json. */
inline ScenarioResult runScenario(const std::string &scenario) {
  char hash[ROCE_HASH_CHARS];
  char *json = nullptr;
  roce_status status = roce_sim_run_json(scenario.c_str(), hash, &json);
  if (status != ROCE_OK) throw Error(status, roce_last_error(nullptr));
  ScenarioResult result{hash, json};
  roce_free(json);
  return result;
}

}  // namespace roce

#endif
