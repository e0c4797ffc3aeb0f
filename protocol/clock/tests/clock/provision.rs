//! A clock's name and key go in as they were given, and the key never comes out.

use flagfall_clock::{
    DecodeError, Encoding, Identity, Key, MAX_PROVISION, Provision, ProvisionError, Provisioned,
    line_provision, line_provisioned, read_provision, read_provisioned,
};

fn identity(key: Option<&[u8]>) -> Identity {
    Identity {
        clock: "A0123456789-_.xy".parse().unwrap(),
        key: key.map(|key| Key::new(key).unwrap()),
        encoding: Encoding::Binary,
        trim_ppm: -500,
        sound: true,
    }
}

fn line(said: &Provision) -> Vec<u8> {
    let mut out = [0; MAX_PROVISION];
    let len = line_provision(said, &mut out).unwrap();
    out[..len].to_vec()
}

fn checked(text: &str) -> Vec<u8> {
    let covered = text.strip_suffix('}').unwrap();
    format!("{covered},\"crc\":\"{:08x}\"}}\n", flagfall_clock::crc32(covered.as_bytes())).into_bytes()
}

#[test]
fn a_name_and_a_key_of_any_length_go_in_as_they_were_given() {
    for len in [0, 16, 32, 64] {
        let key: Vec<u8> = (0..len).map(|byte| byte * 3).collect();
        let line = line(&Provision::Be(identity((len > 0).then_some(&key))));
        let Some(Ok(Provision::Be(read))) = read_provision(&line) else { panic!("{line:?}") };
        assert_eq!(read.clock.as_str(), "A0123456789-_.xy");
        assert_eq!(read.key.map(|key| key.bytes().to_vec()).unwrap_or_default(), key);
        assert_eq!((read.encoding, read.trim_ppm), (Encoding::Binary, -500));
        assert!(read.sound);
    }
}

#[test]
fn what_is_left_out_is_as_usual_and_an_empty_one_asks() {
    let Some(Ok(Provision::Be(read))) = read_provision(&checked(r#"{"provision":{"clock":"A1"}}"#)) else {
        panic!()
    };
    assert!(read.key.is_none() && read.encoding == Encoding::Json && !read.sound);
    assert!(matches!(read_provision(&line(&Provision::Ask)), Some(Ok(Provision::Ask))));
}

#[test]
fn what_does_not_fit_is_refused_and_what_is_something_else_passes() {
    let mut broken = line(&Provision::Be(identity(None)));
    broken[20] ^= 1;
    assert!(matches!(read_provision(&broken), Some(Err(DecodeError::Crc))));
    assert!(matches!(read_provision(br#"{"provision":{}}"#), Some(Err(DecodeError::Unchecked))));
    for wrong in [
        r#"{"provision":{"clock":"A 1"}}"#,
        r#"{"provision":{"clock":"A1","key":"00"}}"#,
        r#"{"provision":{"clock":"A1","key":"zz112233445566778899aabbccddeeff"}}"#,
        r#"{"provision":{"clock":"A1","encoding":"morse"}}"#,
        r#"{"provision":{"clock":"A1","trim_ppm":70000}}"#,
        r#"{"provision":7}"#,
    ] {
        assert!(matches!(read_provision(&checked(wrong)), Some(Err(DecodeError::Json(_)))), "{wrong}");
    }
    assert!(read_provision(br#"{"clock":"A1","do":{"type":"stop"}}"#).is_none());
    assert!(read_provision(b"").is_none());
}

#[test]
fn answers_come_back_as_they_were_said() {
    let state = Provisioned {
        clock: None,
        sealed: true,
        encoding: Encoding::Json,
        trim_ppm: 12,
        sound: true,
        uptime_us: u64::MAX,
        firmware: "flagfall 0.1.0".try_into().unwrap(),
    };
    let named = Provisioned { clock: Some("A0123456789-_.xy".parse().unwrap()), ..state.clone() };
    let errors = [ProvisionError::Already, ProvisionError::Range, ProvisionError::Memory].map(Err);
    for answer in [Ok(state), Ok(named)].into_iter().chain(errors) {
        let mut out = [0; MAX_PROVISION];
        let len = line_provisioned(&answer, &mut out).unwrap();
        let Some(Ok(read)) = read_provisioned(&out[..len]) else { panic!() };
        assert_eq!(read, answer);
    }
}
