/** Addresses of a run's records, after the kernel has laid out its tables. */
import { readField } from '../../abi/records/fields.js';
import { UET_FEED, UET_FLOW, UET_MESSAGE, UET_TRIGGER } from '../../abi/records/uet-flows.js';
import { UET_HOST, UET_LINK, UET_SWITCH } from '../../abi/records/uet-network.js';
import { UET_RUN } from '../../abi/records/uet-run.js';

const WORD_BYTES = 4;

/** Functions that return the address of a record by index. */
export interface UetTables {
  switch(index: number): number;
  link(index: number): number;
  host(index: number): number;
  flow(index: number): number;
  trigger(index: number): number;
  message(index: number): number;
  feed(index: number): number;
  hop(index: number): number;
  target(index: number): number;
}

/** @param at address of the record of the run. */
export function tablesOf(view: DataView, at: number): UetTables {
  const table = (name: Parameters<typeof readField<typeof UET_RUN.fields>>[3], bytes: number) => {
    const first = readField(view, at, UET_RUN, name);
    return (index: number): number => first + index * bytes;
  };
  return {
    switch: table('switchesAt', UET_SWITCH.bytes),
    link: table('linksAt', UET_LINK.bytes),
    host: table('hostsAt', UET_HOST.bytes),
    flow: table('flowsAt', UET_FLOW.bytes),
    trigger: table('triggersAt', UET_TRIGGER.bytes),
    message: table('messagesAt', UET_MESSAGE.bytes),
    feed: table('feedsAt', UET_FEED.bytes),
    hop: table('hopsAt', WORD_BYTES),
    target: table('targetsAt', WORD_BYTES),
  };
}
