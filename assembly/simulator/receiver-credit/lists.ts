/** The two lists of a pull pacer, active and idle; a flow is in at most one of them. */
import { creditOf } from './memory';
import { CREDIT_LIST_ACTIVE, CREDIT_LIST_NONE, CreditPacer } from '../../records/flows';
import { SIM_NONE } from '../../../src/abi/sim-codes';

/** The first flow of a list, CREDIT_LIST_*; SIM_NONE if it is empty. */
export function firstOf(pacer: CreditPacer, list: u32): u32 {
  return (list == CREDIT_LIST_ACTIVE ? pacer.activeFirst : pacer.idleFirst) - 1;
}

/** Moves a flow from its present list, if any, to the end of another. */
export function moveTo(pacer: CreditPacer, flow: u32, list: u32): void {
  leave(pacer, flow);
  const own = creditOf(flow);
  const last = lastOf(pacer, list);
  own.list = <u8>list;
  own.next = 0;
  own.previous = last + 1;
  if (last == SIM_NONE) setFirst(pacer, list, flow + 1);
  else creditOf(last).next = flow + 1;
  setLast(pacer, list, flow + 1);
}

/** Removes a flow from its list, if it is in one. */
export function leave(pacer: CreditPacer, flow: u32): void {
  const own = creditOf(flow);
  const list = <u32>own.list;
  if (list == CREDIT_LIST_NONE) return;
  if (own.previous) creditOf(own.previous - 1).next = own.next;
  else setFirst(pacer, list, own.next);
  if (own.next) creditOf(own.next - 1).previous = own.previous;
  else setLast(pacer, list, own.previous);
  own.list = <u8>CREDIT_LIST_NONE;
}

@inline function lastOf(pacer: CreditPacer, list: u32): u32 {
  return (list == CREDIT_LIST_ACTIVE ? pacer.activeLast : pacer.idleLast) - 1;
}

@inline function setFirst(pacer: CreditPacer, list: u32, entry: u32): void {
  if (list == CREDIT_LIST_ACTIVE) pacer.activeFirst = entry;
  else pacer.idleFirst = entry;
}

@inline function setLast(pacer: CreditPacer, list: u32, entry: u32): void {
  if (list == CREDIT_LIST_ACTIVE) pacer.activeLast = entry;
  else pacer.idleLast = entry;
}
