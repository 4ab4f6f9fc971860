/*
 * A network backend for ASTRA-sim over roce_cc.h: its AstraNetworkAPI, with the packet-level simulator of a plan below it.
 *
 *   #include "astra-sim/system/AstraNetworkAPI.hh"      (or another declaration of that interface)
 *   #include "roce_cc_astra.hpp"
 *
 *   roce::astra::Network network("fabric.plan");         one per simulation, with the clock and all messages in flight
 *   roce::astra::Backend backend(network, rank);         one per rank, for its Sys object
 *   ... network.run();                                   until nothing is left to happen
 *
 * The interface     AstraNetworkAPI(rank); sim_send and sim_recv(buffer, count, type, peer, tag, request, msg_handler, fun_arg);
 *                   sim_schedule(delta, fun_ptr, fun_arg); sim_get_time(). Times are timespec_t, nanoseconds in time_val.
 * A message         is a flow of `count` bytes from the rank's host to the peer's; ranks are the plan's hosts in their order. The sender's
 *                   handler is called when the last ACK has arrived, the receiver's then or when it posts its receive, whichever is later;
 *                   messages of one (sender, receiver, tag) match receives in their order.
 * Order             what happens at one instant: what was scheduled, in the order of scheduling, then flows that are done.
 * A message to itself  is delivered at once.
 */
#ifndef ROCE_CC_ASTRA_HPP
#define ROCE_CC_ASTRA_HPP

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "roce_cc.h"

namespace roce {
namespace astra {

using Handler = void (*)(void *);

/* The clock, the network of a plan, and the messages in it. */
class Network {
 public:
  /* @throws std::runtime_error with the library's text. */
  explicit Network(const std::string &planFile) { check(roce_sim_open_file(planFile.c_str(), &sim_)); }
  ~Network() { roce_sim_close(sim_); }
  Network(const Network &) = delete;
  Network &operator=(const Network &) = delete;

  /* Ranks: the plan's hosts. */
  int size() const {
    uint32_t hosts = 0;
    while (roce_sim_host_name(sim_, hosts) != nullptr) hosts++;
    return static_cast<int>(hosts);
  }

  double nowPs() const { return nowPs_; }

  void schedule(double delayPs, Handler handler, void *argument) {
    timers_.push({nowPs_ + delayPs, order_++, handler, argument});
  }

  void send(int from, int to, int tag, uint64_t bytes, Handler handler, void *argument) {
    Message message = {from, to, tag, handler, argument};
    if (from == to) {
      arrive(message);
      return;
    }
    roce_sim_flow flow = ROCE_SIM_FLOW_INIT;
    flow.from = static_cast<uint32_t>(from);
    flow.to = static_cast<uint32_t>(to);
    flow.size_bytes = bytes > 0 ? static_cast<double>(bytes) : 1;
    flow.start_ps = nowPs_;
    uint32_t number = 0;
    check(roce_sim_send(sim_, &flow, &number));
    inFlight_[number] = message;
  }

  void receive(int from, int to, int tag, Handler handler, void *argument) {
    Queues &queues = queues_[Key(from, to, tag)];
    if (queues.arrived > 0) {
      queues.arrived--;
      schedule(0, handler, argument);
    } else {
      queues.receives.push_back({handler, argument});
    }
  }

  /* Runs until no timer and no message is left. */
  void run() {
    for (;;) {
      double timerPs = timers_.empty() ? ROCE_TIME_MAX_PS : timers_.top().timePs;
      if (!inFlight_.empty() && stepNetwork(timerPs)) continue;
      if (timers_.empty()) break;
      Timer timer = timers_.top();
      timers_.pop();
      nowPs_ = timer.timePs;
      timer.handler(timer.argument);
    }
  }

 private:
  using Key = std::tuple<int, int, int>;
  struct Call {
    Handler handler;
    void *argument;
  };
  struct Message {
    int from, to, tag;
    Handler handler;
    void *argument;
  };
  struct Timer {
    double timePs;
    uint64_t order;
    Handler handler;
    void *argument;
    bool operator<(const Timer &other) const {
      return timePs != other.timePs ? timePs > other.timePs : order > other.order;
    }
  };
  struct Queues {
    uint64_t arrived = 0;
    std::deque<Call> receives;
  };

  static void check(roce_status status) {
    if (status != ROCE_OK) throw std::runtime_error(roce_last_error(nullptr));
  }

  /* To the next message that is done before a time; false: there is none. A flow may be sent at that time, so the network stays before it. */
  bool stepNetwork(double untilPs) {
    if (untilPs < roce_sim_now(sim_)) return false;
    roce_sim_completion completion;
    check(roce_sim_next(sim_, untilPs, &completion));
    if (completion.flow == ROCE_NONE) return false;
    Message message = inFlight_[completion.flow];
    inFlight_.erase(completion.flow);
    nowPs_ = completion.finish_ps;
    arrive(message);
    return true;
  }

  void arrive(const Message &message) {
    Queues &queues = queues_[Key(message.from, message.to, message.tag)];
    Call receive = {nullptr, nullptr};
    if (queues.receives.empty()) {
      queues.arrived++;
    } else {
      receive = queues.receives.front();
      queues.receives.pop_front();
    }
    if (message.handler != nullptr) schedule(0, message.handler, message.argument);
    if (receive.handler != nullptr) schedule(0, receive.handler, receive.argument);
  }

  roce_sim *sim_ = nullptr;
  double nowPs_ = 0;
  uint64_t order_ = 0;
  std::priority_queue<Timer> timers_;
  std::map<uint32_t, Message> inFlight_;
  std::map<Key, Queues> queues_;
};

/* The interface of one rank. */
class Backend : public AstraSim::AstraNetworkAPI {
 public:
  Backend(Network &network, int rank) : AstraSim::AstraNetworkAPI(rank), network_(network), rank_(rank) {}

  int sim_send(void *, uint64_t count, int, int destination, int tag, AstraSim::sim_request *, Handler msg_handler,
               void *fun_arg) override {
    network_.send(rank_, destination, tag, count, msg_handler, fun_arg);
    return 0;
  }

  int sim_recv(void *, uint64_t, int, int source, int tag, AstraSim::sim_request *, Handler msg_handler, void *fun_arg) override {
    network_.receive(source, rank_, tag, msg_handler, fun_arg);
    return 0;
  }

  /* A fraction of a picosecond is rounded up, so that nothing happens too early. */
  void sim_schedule(AstraSim::timespec_t delta, Handler fun_ptr, void *fun_arg) override {
    network_.schedule(std::ceil(static_cast<double>(delta.time_val) * 1000), fun_ptr, fun_arg);
  }

  AstraSim::timespec_t sim_get_time() override {
    AstraSim::timespec_t time;
    time.time_res = AstraSim::NS;
    time.time_val = network_.nowPs() / 1000;
    return time;
  }

 private:
  Network &network_;
  int rank_;
};

}  // namespace astra
}  // namespace roce

#endif
