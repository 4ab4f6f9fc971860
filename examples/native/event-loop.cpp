// 16 senders share a link of 100 Gb/s: a whole discrete-event simulation around the engine. event-loop.mjs is its twin in JavaScript; both
// print the same hash.
//
//   c++ -std=c++11 -O2 -I include examples/native/event-loop.cpp build/native/libroce_cc.a -lm -o event-loop
#include <cmath>
#include <cstdio>
#include <queue>
#include <vector>

#include "roce_cc.hpp"

namespace {

const int SENDERS = 16;
const uint32_t PACKET_BYTES = 1082;
const double LINK_BPS = 100e9;
const double END_PS = 2e9;
const double DELAY_PS = 1e6;
const double MARK_FROM_BYTES = 20e3;

enum Kind { SEND, ARRIVE, CNP };

struct Event {
  double timePs;
  uint64_t order;
  Kind kind;
  uint32_t sender;
  bool marked;
};

struct Later {
  bool operator()(const Event &a, const Event &b) const {
    return a.timePs != b.timePs ? a.timePs > b.timePs : a.order > b.order;
  }
};

class Loop {
 public:
  Loop()
      : senders_({{"default", "dcqcn-sigcomm15", "lineRateBps=100e9"}},
                 roce::Capacity().qps(SENDERS).settings("hashSeed=1")),
        receiver_({{"default", "dcqcn-sigcomm15", "lineRateBps=100e9"}},
                  roce::Capacity().qps(SENDERS).settings("hashSeed=1")) {
    for (uint32_t sender = 0; sender < SENDERS; sender++) {
      senders_.openQp(sender + 1);
      receiver_.openQp(sender + 1);
      schedule(sender * 1000.0, SEND, sender, false);
    }
  }

  void run() {
    while (!events_.empty() && events_.top().timePs < END_PS) {
      Event event = events_.top();
      events_.pop();
      if (event.kind == SEND) send(event);
      else if (event.kind == ARRIVE) arrive(event);
      else senders_.cnp(event.timePs, event.sender);
    }
  }

  void print() const {
    double sum = 0;
    for (uint32_t sender = 0; sender < SENDERS; sender++) sum += senders_.rateBps(sender);
    std::printf("%llu packets, rates %.0f bit/s, senders %s, receiver %s\n", static_cast<unsigned long long>(packets_), sum,
                senders_.stateHash().c_str(), receiver_.stateHash().c_str());
  }

 private:
  void schedule(double timePs, Kind kind, uint32_t sender, bool marked) {
    events_.push({timePs, order_++, kind, sender, marked});
  }

  // The engine says when the sender's next packet may leave; at line rate its port does.
  void send(const Event &event) {
    double portPs = event.timePs + std::ceil(PACKET_BYTES * 8e12 / LINK_BPS);
    double nextPs = senders_.sent(event.timePs, event.sender, PACKET_BYTES);
    schedule(nextPs > portPs ? nextPs : portPs, SEND, event.sender, false);
    enqueue(event);
  }

  // The shared link is a queue without end that marks above a threshold.
  void enqueue(const Event &event) {
    double startPs = freePs_ > event.timePs ? freePs_ : event.timePs;
    double queueBytes = (startPs - event.timePs) * LINK_BPS / 8e12;
    freePs_ = startPs + std::ceil(PACKET_BYTES * 8e12 / LINK_BPS);
    schedule(freePs_ + DELAY_PS, ARRIVE, event.sender, queueBytes > MARK_FROM_BYTES);
    packets_++;
  }

  // The receiver's engine decides which marks cause a CNP.
  void arrive(const Event &event) {
    if (event.marked && receiver_.marked(event.timePs, event.sender)) schedule(event.timePs + DELAY_PS, CNP, event.sender, false);
  }

  roce::Engine senders_;
  roce::Engine receiver_;
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  uint64_t order_ = 0;
  uint64_t packets_ = 0;
  double freePs_ = 0;
};

}  // namespace

int main() {
  try {
    Loop loop;
    loop.run();
    loop.print();
  } catch (const roce::Error &error) {
    std::fprintf(stderr, "%s: %s\n", roce_status_text(error.status()), error.what());
    return 1;
  }
  return 0;
}
