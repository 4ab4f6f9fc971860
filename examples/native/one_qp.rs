// One QP under DCQCN from Rust: the C interface as it is, behind a type that owns the engine.
//
//   rustc -O examples/native/one_qp.rs -L build/native -l static=roce_cc -l m -o one_qp
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::ptr;

const NONE: u32 = 0xffff_ffff;

#[repr(C)]
struct ParameterSet {
    name: *const c_char,
    preset: *const c_char,
    overrides: *const c_char,
}

#[repr(C)]
struct Options {
    struct_bytes: u32,
    abi: u32,
    /// QPs, endpoints, addresses, events, packets, bytes of frames; 0 is the default.
    capacity: [u32; 6],
    parameter_sets: *const ParameterSet,
    parameter_set_count: u32,
    settings: *const c_char,
}

#[repr(C)]
struct QpOptions {
    endpoint: u32,
    local_qpn: u32,
    peer_qpn: u32,
    peer_address: *const u8,
    parameter_set: *const c_char,
}

extern "C" {
    fn roce_engine_create(options: *const Options, engine: *mut *mut c_void) -> c_int;
    fn roce_engine_destroy(engine: *mut c_void) -> c_int;
    fn roce_last_error(engine: *const c_void) -> *const c_char;
    fn roce_open_qp(engine: *mut c_void, options: *const QpOptions, qp: *mut u32) -> c_int;
    fn roce_sent(engine: *mut c_void, time_ps: f64, qp: u32, len_bytes: u32, next_send_ps: *mut f64) -> c_int;
    fn roce_cnp(engine: *mut c_void, time_ps: f64, qp: u32, rate_bps: *mut f64) -> c_int;
    fn roce_touch(engine: *mut c_void, time_ps: f64, qp: u32, rate_bps: *mut f64) -> c_int;
    fn roce_state_hash(engine: *mut c_void, hash: *mut c_char) -> c_int;
}

struct Engine(*mut c_void);

impl Drop for Engine {
    fn drop(&mut self) {
        unsafe { roce_engine_destroy(self.0) };
    }
}

impl Engine {
    fn new(preset: &str, overrides: &str) -> Result<Engine, String> {
        let texts: Vec<CString> = ["default", preset, overrides, "hashSeed=1"].iter().map(|text| CString::new(*text).unwrap()).collect();
        let set = ParameterSet { name: texts[0].as_ptr(), preset: texts[1].as_ptr(), overrides: texts[2].as_ptr() };
        let options = Options {
            struct_bytes: std::mem::size_of::<Options>() as u32,
            abi: 2,
            capacity: [0; 6],
            parameter_sets: &set,
            parameter_set_count: 1,
            settings: texts[3].as_ptr(),
        };
        let mut engine = ptr::null_mut();
        let status = unsafe { roce_engine_create(&options, &mut engine) };
        Engine(engine).checked(status)
    }

    fn checked(self, status: c_int) -> Result<Engine, String> {
        self.check(status)?;
        Ok(self)
    }

    fn check(&self, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        Err(unsafe { CStr::from_ptr(roce_last_error(self.0)) }.to_string_lossy().into_owned())
    }

    fn open_qp(&self, local_qpn: u32) -> Result<u32, String> {
        let options = QpOptions { endpoint: 0, local_qpn, peer_qpn: NONE, peer_address: ptr::null(), parameter_set: ptr::null() };
        let mut qp = NONE;
        self.check(unsafe { roce_open_qp(self.0, &options, &mut qp) })?;
        Ok(qp)
    }

    fn state_hash(&self) -> Result<String, String> {
        let mut hash = [0 as c_char; 17];
        self.check(unsafe { roce_state_hash(self.0, hash.as_mut_ptr()) })?;
        Ok(unsafe { CStr::from_ptr(hash.as_ptr()) }.to_string_lossy().into_owned())
    }
}

fn main() -> Result<(), String> {
    let engine = Engine::new("dcqcn-sigcomm15", "lineRateBps=100e9")?;
    let qp = engine.open_qp(17)?;
    let (mut next, mut rate) = (0.0, 0.0);
    for step in 0..1000 {
        let time_ps = f64::from(step) * 10e6;
        engine.check(unsafe { roce_sent(engine.0, time_ps, qp, 1082, &mut next) })?;
        let notified = step % 10 == 0 && step < 200;
        engine.check(unsafe { if notified { roce_cnp(engine.0, time_ps, qp, &mut rate) } else { roce_touch(engine.0, time_ps, qp, &mut rate) } })?;
    }
    println!("{}", engine.state_hash()?);
    Ok(())
}
