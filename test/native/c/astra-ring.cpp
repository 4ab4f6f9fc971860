/*
 * A ring all-gather of ranks over the backend for ASTRA-sim, with some compute time between steps: astra-ring PLAN STEPS BYTES COMPUTE_NS.
 * Prints when each rank was done, in picoseconds.
 */
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "astra-stub.hpp"
#include "roce_cc_astra.hpp"

namespace {

int steps;
uint64_t bytes;
double computeNs;

struct Rank {
  std::unique_ptr<roce::astra::Backend> backend;
  int number = 0, size = 0, step = 0, pending = 0;
  double donePs = -1;

  void begin() {
    pending = 2;
    backend->sim_send(nullptr, bytes, 0, (number + 1) % size, step, nullptr, onMessage, this);
    backend->sim_recv(nullptr, bytes, 0, (number + size - 1) % size, step, nullptr, onMessage, this);
  }

  static void onMessage(void *argument) {
    Rank &rank = *static_cast<Rank *>(argument);
    if (--rank.pending > 0) return;
    AstraSim::timespec_t delta = {AstraSim::NS, computeNs};
    rank.backend->sim_schedule(delta, onComputed, argument);
  }

  static void onComputed(void *argument) {
    Rank &rank = *static_cast<Rank *>(argument);
    if (++rank.step < steps) rank.begin();
    else rank.donePs = static_cast<double>(rank.backend->sim_get_time().time_val) * 1000;
  }
};

}  // namespace

int main(int, char **arguments) {
  steps = std::atoi(arguments[2]);
  bytes = std::strtoull(arguments[3], nullptr, 10);
  computeNs = std::atof(arguments[4]);
  roce::astra::Network network(arguments[1]);
  std::vector<Rank> ranks(static_cast<size_t>(network.size()));
  for (size_t number = 0; number < ranks.size(); number++) {
    ranks[number].backend.reset(new roce::astra::Backend(network, static_cast<int>(number)));
    ranks[number].number = static_cast<int>(number);
    ranks[number].size = network.size();
    ranks[number].begin();
  }
  network.run();
  for (const Rank &rank : ranks) std::printf("%.0f\n", rank.donePs);
  return 0;
}
