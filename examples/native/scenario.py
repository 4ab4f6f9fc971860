"""A scenario from Python by ctypes alone: runs it, and writes the longest queue's samples as CSV. The hash goes to standard error.

    npm run native -- --scenarios
    python3 examples/native/scenario.py build/native/libroce_cc.so examples/scenarios/incast-16.json > queue.csv
"""
import ctypes
import json
import sys

HASH_CHARS = 17


def run(library, scenario):
    """The hash and the result, as docs/result.schema.json has it."""
    text, code = ctypes.c_void_p(), ctypes.create_string_buffer(HASH_CHARS)
    if library.roce_sim_run_json(scenario, code, ctypes.byref(text)) != 0:
        raise RuntimeError(library.roce_last_error(None).decode())
    result = json.loads(ctypes.string_at(text))
    library.roce_free(text)
    return code.value.decode(), result


def main():
    library = ctypes.CDLL(sys.argv[1])
    library.roce_last_error.restype = ctypes.c_char_p
    library.roce_sim_run_json.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    library.roce_free.argtypes = [ctypes.c_void_p]
    library.roce_free.restype = None
    with open(sys.argv[2], "rb") as file:
        code, result = run(library, file.read())
    series = result["series"]
    port, queue = max(series["queueBytes"].items(), key=lambda entry: max(entry[1]))
    print(f"{code}: the queue of {port}", file=sys.stderr)
    print("time_us,queue_bytes")
    for time_ps, queue_bytes in zip(series["timesPs"], queue):
        print(f"{time_ps / 1e6},{queue_bytes}")


main()
