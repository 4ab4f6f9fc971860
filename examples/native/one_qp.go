// One QP under DCQCN from Go by cgo.
//
//	CGO_CFLAGS=-Iinclude CGO_LDFLAGS='build/native/libroce_cc.a -lm' go run examples/native/one_qp.go
//
// Go's build cache does not see a changed header: run `go clean -cache` after another version of roce_cc.h.
package main

/*
#include <stdlib.h>
#include "roce_cc.h"

static roce_status create(roce_engine **engine) {
  static const roce_parameter_set SET = {"default", "dcqcn-sigcomm15", "lineRateBps=100e9"};
  roce_options options = ROCE_OPTIONS_INIT;
  options.parameter_sets = &SET;
  options.parameter_set_count = 1;
  options.settings = "hashSeed=1";
  return roce_engine_create(&options, engine);
}

static roce_status open_qp(roce_engine *engine, uint32_t local_qpn, uint32_t *qp) {
  roce_qp_options options = ROCE_QP_INIT;
  options.local_qpn = local_qpn;
  return roce_open_qp(engine, &options, qp);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
)

func check(engine *C.roce_engine, status C.roce_status) error {
	if status == C.ROCE_OK {
		return nil
	}
	return errors.New(C.GoString(C.roce_last_error(engine)))
}

func run() error {
	var engine *C.roce_engine
	if err := check(nil, C.create(&engine)); err != nil {
		return err
	}
	defer C.roce_engine_destroy(engine)
	var qp C.uint32_t
	if err := check(engine, C.open_qp(engine, 17, &qp)); err != nil {
		return err
	}
	var next, rate C.double
	for step := 0; step < 1000; step++ {
		timePs := C.double(float64(step) * 10e6)
		if err := check(engine, C.roce_sent(engine, timePs, qp, 1082, &next)); err != nil {
			return err
		}
		status := C.roce_status(C.ROCE_OK)
		if step%10 == 0 && step < 200 {
			status = C.roce_cnp(engine, timePs, qp, &rate)
		} else {
			status = C.roce_touch(engine, timePs, qp, &rate)
		}
		if err := check(engine, status); err != nil {
			return err
		}
	}
	var hash [17]C.char
	if err := check(engine, C.roce_state_hash(engine, &hash[0])); err != nil {
		return err
	}
	fmt.Println(C.GoString(&hash[0]))
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
