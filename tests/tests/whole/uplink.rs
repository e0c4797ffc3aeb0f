//! The uplink: a real arbiter system at the other end, that is away, slow, wrong or gone.

use flagfall_tests::arbiter_system::{After, ArbiterSystem, Manner};
use flagfall_tests::clock::{Clock, Side};
use flagfall_tests::desk::{Desk, is};
use flagfall_tests::hall::{Hall, Plan, UPLINK_TOKEN, token};
use flagfall_tests::mqtt::AtBroker;
use flagfall_tests::until::{SOON, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A hall whose daemon dials this system.
async fn hall(system: &ArbiterSystem, more: &str) -> Hall {
    Plan { more: system.venue(more), ..Plan::default() }.open().await
}

/// A desk with ticks.
async fn desk(hall: &Hall) -> Desk {
    hall.hello(json!({"token": token("arbiter"), "after": 0, "ticks": true})).await
}

/// A game on board 1 that can be played on.
async fn game(hall: &Hall, desk: &Desk) -> (Clock, AtBroker) {
    let (clock, line) = hall.clock(1, 3_000_000, 15_000).await;
    desk.wait("the clock is heard", |event| event["type"] == "clock_online").await;
    desk.done("round.start", json!({"round": 1})).await;
    clock.start(Side::Left);
    desk.wait("the start", |event| event["type"] == "game_started").await;
    (clock, line)
}

/// How the uplink stands, as soon as it stands so.
async fn stands(desk: &Desk, limit: Duration, what: &str, so: impl Fn(&Value) -> bool) -> Value {
    until(what, limit, || {
        let tick = desk.ticks().last().cloned()?;
        so(&tick["uplink"]).then(|| tick["uplink"].clone())
    })
    .await
}

/// Both hold the same: every event from the first, none twice, none left out.
async fn agree(system: &ArbiterSystem, desk: &Desk) {
    // The line may be ten seconds from being dialled again.
    until("all is there", SOON + SOON, || {
        let head = usize::try_from(desk.head()).ok()?;
        (desk.mark() == head && system.events().len() == head).then_some(())
    })
    .await;
    system.is_content();
    let (theirs, ours) = (system.events(), desk.events());
    for (at, event) in theirs.iter().enumerate() {
        assert_eq!(event["seq"].as_u64(), u64::try_from(at + 1).ok(), "without holes: {event}");
    }
    if let Some((theirs, ours)) = theirs.iter().zip(&ours).find(|(theirs, ours)| theirs != ours) {
        panic!("told otherwise: {theirs}\nthan at the desk: {ours}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_goes_up_once_and_in_order_through_kills_of_either_end() {
    let mut system = ArbiterSystem::start(UPLINK_TOKEN).await;
    let mut hall = hall(&system, "").await;
    let at = desk(&hall).await;
    let (clock, _line) = game(&hall, &at).await;
    clock.moves(20);
    at.wait("forty presses", |event| is(event, "press", &json!({"moves": 20, "player": "second"}))).await;
    let hello = system.hellos().first().cloned().expect("a hello");
    assert_eq!((&hello["journal"], &hello["audience"]), (&at.welcome["journal"], &json!("desk")), "{hello}");
    for round in 0..3 {
        clock.moves(15);
        if round == 1 {
            system.hang_up().await;
        } else {
            hall.kill();
            clock.moves(5);
            hall.start().await;
        }
    }
    let at = desk(&hall).await;
    clock.moves(3);
    at.wait("the last press", |event| is(event, "press", &json!({"moves": 78, "player": "second"}))).await;
    agree(&system, &at).await;
    let twice: usize = system.lines().iter().map(Vec::len).sum::<usize>() - system.events().len();
    assert_eq!(twice, 0, "it said where it was: nothing came twice");
    let up = stands(&at, SOON, "all is acknowledged", |uplink| uplink["waiting"] == 0).await;
    assert_eq!((&up["state"], up["acked"].as_u64()), (&json!("up"), Some(at.head())), "{up}");
    assert!(up.get("error").is_none() && up.get("oldest").is_none() && up["since"].is_string(), "{up}");
    // It is the desk's to know, not a viewer's.
    let viewer = hall.hello(json!({"token": token("viewer"), "after": 0, "ticks": true})).await;
    until("a viewer's tick", SOON, || viewer.ticks().last().cloned()).await;
    assert!(viewer.ticks().iter().all(|tick| tick.get("uplink").is_none()));
    let metrics = hall.get("/metrics", "chief").await.body;
    for line in ["flagfall_uplink_up{audience=\"desk\"} 1", "flagfall_uplink_waiting{audience=\"desk\"} 0"] {
        assert!(metrics.contains(line), "{line} is not in\n{metrics}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_does_not_say_where_it_was_hears_on_from_its_last_acknowledgement() {
    let mut system = ArbiterSystem::start(UPLINK_TOKEN).await;
    system.says(After::Silent);
    let mut hall = hall(&system, "").await;
    let at = desk(&hall).await;
    let (clock, _line) = game(&hall, &at).await;
    clock.moves(10);
    at.wait("twenty presses", |event| is(event, "press", &json!({"moves": 10, "player": "second"}))).await;
    agree(&system, &at).await;
    stands(&at, SOON, "all is acknowledged", |uplink| uplink["waiting"] == 0).await;
    system.hang_up().await;
    clock.moves(5);
    at.wait("ten more", |event| is(event, "press", &json!({"moves": 15, "player": "second"}))).await;
    agree(&system, &at).await;
    assert_eq!(system.lines()[1][0], system.lines()[0].last().expect("events") + 1, "from the last one on");
    // Our end is killed: what it acknowledged is in a file beside the journal.
    let kept = hall.path("hall.journal.uplink");
    let last = at.head();
    until("the last acknowledgement is kept", SOON, || {
        let page: Value = serde_json::from_slice(&std::fs::read(&kept).ok()?).ok()?;
        (page["acked"].as_u64() == Some(last)).then_some(())
    })
    .await;
    hall.kill();
    hall.start().await;
    let at = desk(&hall).await;
    agree(&system, &at).await;
    assert_eq!(system.lines()[2][0], last + 1, "{:?}", system.lines()[2]);
    // Without the file everything comes again, the same under the same seqs.
    hall.kill();
    std::fs::remove_file(&kept).expect("it was there");
    hall.start().await;
    let at = desk(&hall).await;
    agree(&system, &at).await;
    assert_eq!(system.lines()[3][0], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_away_is_dialled_after_one_two_and_four_seconds_and_misses_nothing() {
    let mut system = ArbiterSystem::start(UPLINK_TOKEN).await;
    let hall = hall(&system, "").await;
    let at = desk(&hall).await;
    let (clock, _line) = game(&hall, &at).await;
    agree(&system, &at).await;
    system.leave();
    let down = stands(&at, SOON, "it is down", |uplink| uplink["state"] == "down").await;
    assert!(down["error"].as_str().is_some_and(|why| !why.is_empty()), "{down}");
    clock.moves(30);
    at.wait("sixty presses", |event| is(event, "press", &json!({"moves": 30, "player": "second"}))).await;
    let waits = stands(&at, SOON, "they wait", |uplink| uplink["waiting"].as_u64() >= Some(60)).await;
    assert!(waits["oldest"].is_string() && waits["acked"].as_u64() < Some(at.head()), "{waits}");
    // Somebody else is at its address and shows everybody the door.
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", system.port)).await.expect("its port");
    let mut dialled = Vec::new();
    while dialled.len() < 3 {
        let (stream, _) = listener.accept().await.expect("somebody dials");
        dialled.push(Instant::now());
        drop(stream);
    }
    let pauses: Vec<f64> = dialled.windows(2).map(|two| (two[1] - two[0]).as_secs_f64()).collect();
    drop(listener);
    let gone = Instant::now();
    system.come().await;
    agree(&system, &at).await;
    eprintln!("dialled after {pauses:.2?} s, and back {:.2} s after it came", gone.elapsed().as_secs_f64());
    for (pause, most) in pauses.iter().zip([[2.0, 4.0, 8.0], [4.0, 8.0, 10.0]]) {
        // Each is a doubled one, shortened by a quarter at most.
        let fits = most.iter().any(|most| (most * 0.74..most + 0.5).contains(pause));
        assert!(fits, "{pauses:?}");
    }
    assert!(pauses[1] > pauses[0] * 1.3, "it dials more slowly: {pauses:?}");
    // Once hello was answered it begins at a second again.
    let lines = system.dialled().len();
    let hung = Instant::now();
    system.hang_up().await;
    until("it is dialled again", SOON, || (system.dialled().len() > lines).then_some(())).await;
    let pause = hung.elapsed();
    assert!(pause > Duration::from_millis(700) && pause < Duration::from_millis(1_800), "{pause:?}");
    agree(&system, &at).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_than_a_thousand_events_are_unacknowledged() {
    let system = ArbiterSystem::start(UPLINK_TOKEN).await;
    system.behaves(Manner::Keeps);
    let hall = hall(&system, "").await;
    let at = desk(&hall).await;
    let (clock, _line) = game(&hall, &at).await;
    for _ in 0..8 {
        clock.moves(80);
    }
    at.within(Duration::from_secs(30), 0, "the presses", |event| {
        is(event, "press", &json!({"moves": 640, "player": "second"}))
    })
    .await;
    until("a thousand are there", SOON, || (system.last() >= 1_000).then_some(())).await;
    let full =
        stands(&at, SOON, "the rest waits", |uplink| uplink["waiting"].as_u64() == Some(at.head())).await;
    assert_eq!(
        (&full["state"], &full["sent"], &full["acked"]),
        (&json!("up"), &json!(1_000), &json!(0)),
        "{full}"
    );
    assert_eq!(full["oldest"], at.events()[0]["at"], "since when the oldest waits");
    assert_eq!(system.last(), 1_000, "not one more");
    system.acks_once();
    agree(&system, &at).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_deaf_or_gone_holds_nobody_up_and_is_noticed_within_ten_seconds() {
    for manner in [Manner::HalfOpen, Manner::Deaf] {
        let system = ArbiterSystem::start(UPLINK_TOKEN).await;
        system.behaves(manner);
        let hall = hall(&system, "").await;
        let at = desk(&hall).await;
        until("it said hello", SOON, || (!system.hellos().is_empty()).then_some(())).await;
        let since = Instant::now();
        // Whoever comes back is well again.
        system.behaves(Manner::Acks);
        let (clock, _line) = game(&hall, &at).await;
        clock.moves(100);
        at.wait("the hall goes on", |event| is(event, "press", &json!({"moves": 100, "player": "second"})))
            .await;
        let waits = stands(&at, SOON, "it waits", |uplink| uplink["waiting"].as_u64() >= Some(200)).await;
        assert!(waits["oldest"].is_string() && waits["acked"] == 0, "{waits}");
        // It is dialled again a second after it was given up.
        until("it is dialled again", SOON + SOON, || (system.dialled().len() > 1).then_some(())).await;
        let took = since.elapsed();
        eprintln!("{manner:?}: noticed and dialled again within {:.1} s", took.as_secs_f64());
        assert!(took < Duration::from_secs(11), "{took:?}");
        assert!(hall.log().contains("nothing was heard of it for 8 s"), "{}", hall.log());
        agree(&system, &at).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_token_is_refused_tried_again_slowly_and_never_shown() {
    let system = ArbiterSystem::start("another token").await;
    let mut hall = hall(&system, "").await;
    let at = desk(&hall).await;
    let refused = stands(&at, SOON, "it is refused", |uplink| uplink["state"] == "refused").await;
    assert!(refused["error"].as_str().is_some_and(|why| why.contains("no such hall")), "{refused}");
    let before = system.dialled().len();
    let since = Instant::now();
    until("it is tried again", Duration::from_secs(15), || (system.dialled().len() > before).then_some(()))
        .await;
    assert!(since.elapsed() > Duration::from_secs(6), "slowly: {:?}", since.elapsed());
    system.takes(UPLINK_TOKEN);
    stands(&at, Duration::from_secs(15), "it is let in", |uplink| uplink["state"] == "up").await;
    agree(&system, &at).await;
    assert!(!hall.log().contains(UPLINK_TOKEN), "{}", hall.log());
    assert_eq!(hall.end().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_is_named_and_what_it_asks_for_again_it_gets_again() {
    let mut system = ArbiterSystem::start(UPLINK_TOKEN).await;
    let hall = hall(&system, "").await;
    let at = desk(&hall).await;
    let (_clock, _line) = game(&hall, &at).await;
    agree(&system, &at).await;
    for (manner, after, named) in [
        (Manner::Lies, After::Last, "1000000"),
        (Manner::Babbles, After::Last, "no JSON"),
        (Manner::Acks, After::Event(999_999), "another journal"),
    ] {
        system.behaves(manner);
        system.says(after);
        system.hang_up().await;
        let down = stands(&at, SOON, "it is named", |uplink| {
            uplink["error"].as_str().is_some_and(|why| why.contains(named))
        })
        .await;
        assert_eq!(down["state"], "down", "{down}");
    }
    system.behaves(Manner::Acks);
    system.says(After::Event(3));
    let lines = system.lines().len();
    until("it is up", SOON + SOON, || (system.lines().len() > lines).then_some(())).await;
    until("from the fourth on", SOON, || {
        system.lines()[lines].first().copied().map(|seq| assert_eq!(seq, 4))
    })
    .await;
    agree(&system, &at).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_public_one_gets_what_is_public_and_no_more() {
    let system = ArbiterSystem::start(UPLINK_TOKEN).await;
    let hall = hall(&system, "audience = \"public\"").await;
    let at = desk(&hall).await;
    let (clock, _line) = game(&hall, &at).await;
    clock.moves(20);
    at.done("board.result", json!({"board": "1", "result": "1-0", "cause": "resign"})).await;
    at.done("board.sign", json!({"board": "1"})).await;
    at.wait("it is public", |event| event["type"] == "result" && event["audience"] == "public").await;
    let public: Vec<Value> = at.events().into_iter().filter(|event| event["audience"] == "public").collect();
    until("they are there", SOON, || (system.events().len() == public.len()).then_some(())).await;
    assert_eq!(system.events(), public);
    system.is_content();
    let up = stands(&at, SOON, "none waits", |uplink| uplink["waiting"] == 0).await;
    assert_eq!(up["acked"], public.last().expect("the result")["seq"], "{up}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_tls_it_speaks_with_whom_it_may_believe_and_with_nobody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, foreign, namesake) =
        (Authority::new("ours"), Authority::new("foreign"), Authority::new("ours"));
    let ca = folder.path().join("ca.pem");
    std::fs::write(&ca, ours.pem()).expect("written");
    let ca = format!("ca = \"{}\"", ca.display());
    let system = ArbiterSystem::start_with(UPLINK_TOKEN, Some(ours.server("localhost"))).await;
    let believed = hall(&system, &ca).await;
    let at = desk(&believed).await;
    let (_clock, _line) = game(&believed, &at).await;
    agree(&system, &at).await;
    for (server, named) in [
        (foreign.server("localhost"), "uplink.ca"),
        (namesake.server("localhost"), "uplink.ca"),
        (ours.server("elsewhere.example"), "another name"),
        (ours.expired("localhost"), "expired"),
    ] {
        let system = ArbiterSystem::start_with(UPLINK_TOKEN, Some(server)).await;
        let hall = hall(&system, &ca).await;
        let at = desk(&hall).await;
        let down = stands(&at, SOON, "it is not believed", |uplink| uplink["state"] == "down").await;
        assert!(down["error"].as_str().is_some_and(|why| why.contains(named)), "{named}: {down}");
        assert!(system.hellos().is_empty(), "no token goes to whom it does not believe");
    }
}

/// An authority of one test's own, and servers it speaks for.
struct Authority {
    issuer: rcgen::Issuer<'static, rcgen::KeyPair>,
    certificate: rcgen::Certificate,
}

impl Authority {
    fn new(name: &str) -> Self {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut params = rcgen::CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        let certificate = params.self_signed(&key).expect("a certificate");
        Self { issuer: rcgen::Issuer::new(params, key), certificate }
    }

    fn pem(&self) -> String {
        self.certificate.pem()
    }

    fn server(&self, name: &str) -> std::sync::Arc<rustls::ServerConfig> {
        self.serves(rcgen::CertificateParams::new(vec![name.to_owned()]).expect("parameters"))
    }

    fn expired(&self, name: &str) -> std::sync::Arc<rustls::ServerConfig> {
        let mut params = rcgen::CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        self.serves(params)
    }

    fn serves(&self, params: rcgen::CertificateParams) -> std::sync::Arc<rustls::ServerConfig> {
        let key = rcgen::KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("signed");
        let key = rustls::pki_types::PrivatePkcs8KeyDer::from(key.serialize_der());
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key.into())
            .expect("it fits");
        std::sync::Arc::new(config)
    }
}
