/** The schema of verbs; the types are in verb-spec.ts. */
import { DEFAULT_HOSTS, DEFAULT_OPERATION } from './defaults.js';
import { optional, timeUs, wholeIn, wordOf } from './schema-parts.js';
import { OPERATIONS } from './setting-words.js';

const READY =
  'Of send: time of the run from which its receivers have posted a receive, us. Default: from the start. Before that they send RNR NAKs.';

/** Keys of a flow. */
export const FLOW_OPERATION = optional({
  operation: wordOf(OPERATIONS, "Under standard: verb of the flow. Default: the workload's."),
  receiverReadyUs: timeUs(READY),
});

/** Keys of a workload of independent flows. */
export const WORKLOAD_OPERATION = optional({
  operation: wordOf(OPERATIONS, 'Under standard: verb of its flows; with read, receivers request the data.',
    DEFAULT_OPERATION),
  receiverReadyUs: timeUs(READY),
});

const { rnrTimerCode, rnrRetryCount } = DEFAULT_HOSTS.standard;

/** Keys of all hosts. */
export const RNR_OF_HOSTS = {
  rnrTimerCode: wholeIn(0, 31,
    "Under standard: the wait that receivers state in RNR NAKs, by IBTA's code: 1 = 10 µs, 12 = 640 µs, 31 = 491.52 ms, 0 = 655.36 ms.",
    rnrTimerCode),
  rnrRetryCount: wholeIn(0, 7, 'Under standard: waits after RNR NAKs until a flow fails; 7: unlimited.', rnrRetryCount),
};

/** Keys of single hosts. */
export const RNR_OF_HOST = {
  rnrTimerCode: wholeIn(0, 31, 'The wait that it states in RNR NAKs for flows that it receives.'),
  rnrRetryCount: wholeIn(0, 7, 'Waits after RNR NAKs until a flow that it sends fails; 7: unlimited.'),
};
