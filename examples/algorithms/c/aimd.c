/*
 * AIMD on echoes of congestion marks, as a module in C: the smallest whole example.
 *
 * Per ACK, in this order:
 *   1. cut in this round trip, and ack_seq beyond its end: that round trip is over
 *   2. no echo: R = min(L, R + R_AI)
 *   3. echo, not cut in this round trip: R = max(R_min, R b), until an ACK of what is sent from now on
 *
 * Source: Chiu, Jain, "Analysis of the increase and decrease algorithms for congestion avoidance in computer networks", Computer
 * Networks and ISDN Systems 17, 1989; one cut per round trip: RFC 3168, section 6.1.2.
 */
#include "roce_cc_algorithm.h"

ROCE_ALGORITHM({
  "name": "aimd-c",
  "title": "AIMD on marks",
  "source": "Chiu, Jain, 1989; RFC 3168, section 6.1.2",
  "parameters": {
    "minRateBps": { "default": 10e6, "min": 1000, "max": 400e9, "unit": "b/s", "description": "Floor of the rate." },
    "decreaseFactor": { "default": 0.5, "min": 0.000244140625, "max": 1, "description": "What a cut leaves of the rate." },
    "aiRateBps": { "default": 1e6, "min": 0, "max": 400e9, "unit": "b/s", "description": "Step per ACK without an echo." }
  },
  "state": { "isCut": 0, "cutUntilSeq": 0 },
  "reasons": ["echo of a mark", "no echo"]
});

/* Both in the order of the declaration. */
struct parameters {
  double min_rate_bps, decrease_factor, ai_rate_bps;
};
struct state {
  double is_cut, cut_until_seq;
};

enum { REASON_ECHO = 1, REASON_NO_ECHO = 2 };

int32_t roce_ack(struct roce_qp *qp, const double *parameters, double time_ps, const struct roce_ack *ack) {
  const struct parameters *p = (const void *)parameters;
  struct state *s = (void *)qp->state;
  (void)time_ps;
  if (s->is_cut != 0 && roce_is_newer(qp, ack->ack_seq, (uint32_t)s->cut_until_seq)) s->is_cut = 0;
  if (ack->ecn_echo == 0) {
    qp->rate_bps = roce_min(qp->line_rate_bps, qp->rate_bps + p->ai_rate_bps);
    qp->reason = REASON_NO_ECHO;
    return ROCE_USED;
  }
  if (s->is_cut != 0) return ROCE_NOT_USED;
  qp->rate_bps = roce_max(p->min_rate_bps, qp->rate_bps * p->decrease_factor);
  qp->reason = REASON_ECHO;
  s->is_cut = 1;
  s->cut_until_seq = ack->snd_nxt;
  return ROCE_USED;
}
