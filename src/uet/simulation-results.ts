/** Results of a run of the readable model. */
import { NsccControl } from './control/nscc.js';
import { noWindowChanges } from './control/sender-control.js';
import { MessageBacklog } from './messages.js';
import { totalsOf, type UetFlowResult, type UetMessageResult, type UetResult } from './results.js';
import type { RunningFlow, Simulation } from './simulation.js';

export function uetResult(simulation: Simulation): UetResult {
  const flows = simulation.flows.map(flowResult);
  const messages = simulation.flows.flatMap(messageResults);
  const { counts, random, pool } = simulation.context;
  return { flows, messages, totals: totalsOf(flows, counts, random.draws), packets: { ...pool.counts } };
}

function flowResult({ flow, sender, receiver, state, control, backlog }: RunningFlow): UetFlowResult {
  const { counts } = sender;
  const { counts: received } = receiver;
  const changes = control instanceof NsccControl ? control.changes : noWindowChanges();
  return {
    flow: flow.index,
    src: flow.source,
    dst: flow.destination,
    flow_id: flow.senderId,
    size: backlog instanceof MessageBacklog ? backlog.totalBytes : flow.sizeBytes,
    start_ps: sender.startPs,
    finish_ps: sender.finishPs,
    new_pkts: counts.newPackets,
    rtx_pkts: counts.retransmissions,
    rts_pkts: counts.requestsToSend,
    acks: counts.acks,
    nacks: counts.nacks,
    pulls: counts.pulls,
    timeouts: counts.timeouts,
    ecn_echoes: counts.echoes,
    sleek_pkts: counts.sleekPackets,
    highest_sent: sender.nextSeq,
    final_cwnd: state.windowBytes,
    final_maxwnd: state.maxWindowBytes,
    in_flight: state.inFlightBytes,
    base_rtt_ps: state.baseRttPs,
    avg_delay_ps: state.averageDelayPs,
    credit: sender.credit.bytes,
    fair_inc: changes.fair,
    prop_inc: changes.proportional,
    fast_inc: changes.fast,
    eta_inc: changes.eta,
    multi_dec: changes.multiplicative,
    quick_dec: changes.quick,
    nack_dec: changes.nack,
    rx_pkts: received.packets,
    rx_bytes: received.bytes,
    rx_ecn: received.marked,
    rx_ooo: received.outOfOrder,
    rx_dup: received.duplicates,
    rx_trimmed: received.trimmed,
    rx_trimmed_last_hop: received.trimmedLastHop,
    expected_psn: receiver.expected,
  };
}

function messageResults({ flow, messages }: RunningFlow): UetMessageResult[] {
  return (messages ?? []).map(({ number, sizeBytes, startPs, finishPs, firstSeq, lastSeq }) => ({
    flow: flow.index,
    msg: number,
    size: sizeBytes,
    start_ps: startPs,
    finish_ps: finishPs,
    first_psn: firstSeq,
    last_psn: lastSeq,
  }));
}
