"""One QP under DCQCN, from Python by ctypes alone: a CNP every 100 us for a while, then none. Writes its rate as CSV, then prints the hash.

    python3 examples/native/recovery.py build/native/libroce_cc.so > recovery.csv
"""
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_uint32, c_uint8, c_void_p

US = 1e6


class ParameterSet(Structure):
    _fields_ = [("name", c_char_p), ("preset", c_char_p), ("overrides", c_char_p)]


class Options(Structure):
    _fields_ = [
        ("struct_bytes", c_uint32), ("abi", c_uint32), ("qps", c_uint32), ("endpoints", c_uint32), ("addresses", c_uint32),
        ("events", c_uint32), ("packets", c_uint32), ("frame_bytes", c_uint32),
        ("parameter_sets", POINTER(ParameterSet)), ("parameter_set_count", c_uint32), ("settings", c_char_p),
    ]


class QpOptions(Structure):
    _fields_ = [
        ("endpoint", c_uint32), ("local_qpn", c_uint32), ("peer_qpn", c_uint32), ("peer_address", POINTER(c_uint8)),
        ("parameter_set", c_char_p),
    ]


NONE = 0xFFFFFFFF


def load(path):
    library = ctypes.CDLL(path)
    library.roce_last_error.restype = c_char_p
    library.roce_last_error.argtypes = [c_void_p]
    for name in ("roce_cnp", "roce_touch"):
        getattr(library, name).argtypes = [c_void_p, c_double, c_uint32, POINTER(c_double)]
    library.roce_sent.argtypes = [c_void_p, c_double, c_uint32, c_uint32, POINTER(c_double)]
    library.roce_open_qp.argtypes = [c_void_p, POINTER(QpOptions), POINTER(c_uint32)]
    library.roce_state_hash.argtypes = [c_void_p, c_char_p]
    library.roce_engine_destroy.argtypes = [c_void_p]
    return library


def check(library, engine, status):
    if status != 0:
        raise RuntimeError(library.roce_last_error(engine).decode())


def create(library):
    sets = (ParameterSet * 1)(ParameterSet(b"default", b"dcqcn-sigcomm15", b"lineRateBps=100e9"))
    options = Options(ctypes.sizeof(Options), 2, 1, 0, 0, 0, 0, 0, sets, 1, b"hashSeed=1")
    engine = c_void_p()
    check(library, None, library.roce_engine_create(byref(options), byref(engine)))
    qp = c_uint32()
    check(library, engine, library.roce_open_qp(engine, byref(QpOptions(0, 17, NONE, None, None)), byref(qp)))
    return engine, qp.value


def main(path):
    library = load(path)
    engine, qp = create(library)
    rate, next_send = c_double(), c_double()
    print("time_us,rate_gbps")
    for step in range(1000):
        time_ps = step * 10 * US
        check(library, engine, library.roce_sent(engine, time_ps, qp, 1082, byref(next_send)))
        if step % 10 == 0 and step < 200:
            check(library, engine, library.roce_cnp(engine, time_ps, qp, byref(rate)))
        else:
            check(library, engine, library.roce_touch(engine, time_ps, qp, byref(rate)))
        print(f"{time_ps / US:.0f},{rate.value / 1e9:.6f}")
    digest = ctypes.create_string_buffer(17)
    check(library, engine, library.roce_state_hash(engine, digest))
    print(digest.value.decode(), file=sys.stderr)
    library.roce_engine_destroy(engine)


if __name__ == "__main__":
    main(sys.argv[1])
