/** Sorts a bucket of the time wheel. Its list is in the order of insertion, so a stable sort by time orders by (time, order). */
import { UetEvent } from '../records/uet-run';

@inline function timeOf(event: usize): f64 {
  return changetype<UetEvent>(event).timePs;
}

@inline function nextOf(event: usize): usize {
  return changetype<UetEvent>(event).next;
}

/** Returns the first event of the sorted list. @param first first event of a list that ends with 0. */
export function sortByTime(first: usize): usize {
  let head = first;
  while (true) {
    let runs: u32 = 0;
    let sorted: usize = 0;
    let tail: usize = 0;
    let rest = head;
    // Merges pairs of ascending runs, until a pass finds only one run.
    while (rest) {
      const second = cutRun(rest);
      const behind = second ? cutRun(second) : 0;
      const merged = second ? merge(rest, second) : rest;
      if (tail) changetype<UetEvent>(tail).next = <u32>merged;
      else sorted = merged;
      runs++;
      rest = behind;
      if (rest) tail = lastOf(merged);
    }
    head = sorted;
    if (runs <= 1) return head;
  }
}

/** Cuts the list after the ascending run that begins here. Returns the rest. */
function cutRun(first: usize): usize {
  let at = first;
  while (true) {
    const next = nextOf(at);
    if (!next) return 0;
    if (timeOf(next) < timeOf(at)) {
      changetype<UetEvent>(at).next = 0;
      return next;
    }
    at = next;
  }
}

function lastOf(first: usize): usize {
  let at = first;
  while (nextOf(at)) at = nextOf(at);
  return at;
}

/** Merges two lists; events of `first` precede those of `second` with the same time. */
function merge(first: usize, second: usize): usize {
  let a = first;
  let b = second;
  let head: usize = 0;
  let tail: usize = 0;
  while (a && b) {
    let taken = a;
    if (timeOf(b) < timeOf(a)) {
      taken = b;
      b = nextOf(b);
    } else {
      a = nextOf(a);
    }
    if (tail) changetype<UetEvent>(tail).next = <u32>taken;
    else head = taken;
    tail = taken;
  }
  changetype<UetEvent>(tail).next = <u32>(a ? a : b);
  return head;
}
