/** Verbs of flows, and hosts whose receivers are not ready. */
import { DEFAULT_HOSTS, DEFAULT_OPERATION } from '../../scenario/defaults.js';
import { common, optional, timeUs, typed, wholeIn, wordOf } from '../../scenario/schema-parts.js';
import { OPERATIONS } from '../../scenario/setting-words.js';

const READY =
  'Of send: time of the run from which its receivers have posted a receive, us. Default: from the start. Before that they send RNR NAKs.';

const ABOUT =
  'What a flow is to RDMA: a WRITE; a SEND, which needs a receive posted by its receiver; a READ, which its receiver requests. The three differ in what starts the data, and in who recovers from losses.';

/** Keys of a single flow. */
export const FLOW_OPERATION = optional({
  operation: typed('Operation', wordOf(OPERATIONS, "Under standard: verb of the flow. Default: the workload's."),
    ABOUT),
  receiverReadyUs: timeUs(READY),
});

/** Keys of a workload of independent flows. */
export const WORKLOAD_OPERATION = common('OperationSpec', 'Keys of workloads of independent flows.', optional({
  operation: typed('Operation',
    wordOf(OPERATIONS,
      'Under standard: verb of its flows; with read, receivers request the data, which goes from `from` to `to` all the same.',
      DEFAULT_OPERATION), ABOUT),
  receiverReadyUs: timeUs(READY),
}));

const { rnrTimerCode, rnrRetryCount } = DEFAULT_HOSTS.standard;

/** Keys of all hosts. */
export const RNR_OF_HOSTS = {
  rnrTimerCode: wholeIn(0, 31,
    "Under standard: the wait that receivers state in RNR NAKs, by IBTA's code (vol. 1, 9.7.5.2.8): 1 = 10 µs, 12 = 640 µs, 31 = 491.52 ms, 0 = 655.36 ms.",
    rnrTimerCode),
  rnrRetryCount: wholeIn(0, 7, 'Under standard: waits after RNR NAKs until a flow fails; 7: unlimited.', rnrRetryCount),
};

/** Keys of single hosts. */
export const RNR_OF_HOST = {
  rnrTimerCode: wholeIn(0, 31, 'The wait that it states in RNR NAKs for flows that it receives.'),
  rnrRetryCount: wholeIn(0, 7, 'Waits after RNR NAKs until a flow that it sends fails; 7: unlimited.'),
};
