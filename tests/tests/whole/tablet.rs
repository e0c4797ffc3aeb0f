//! From box to a tablet that is logged in: a certificate of the hall's own, a desk that is reached over TLS by whoever
//! believes it, a code for the camera.

use flagfall_tests::hall::{Hall, Plan, token};
use flagfall_tests::http;
use flagfall_tests::program::{Ended, flagfall};
use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

fn certificate(folder: &Path, more: &[&str]) -> Ended {
    let out = ["certificate", "--out", folder.to_str().expect("a path")];
    flagfall(&[&out, more].concat())
}

fn tls(folder: &Path) -> String {
    let file = |name: &str| folder.join(name).display().to_string();
    format!("tls = {{ certificate = \"{}\", key = \"{}\" }}\n", file("desk.pem"), file("desk.key"))
}

/// A hall whose desk speaks TLS by the certificate in this folder.
async fn hall(folder: &Path) -> Hall {
    Plan { broker: false, desk: tls(folder), ..Plan::default() }.open().await
}

/// A device that believes these authorities and no others.
struct Tablet {
    believes: Arc<ClientConfig>,
    port: u16,
}

impl Tablet {
    fn new(authority: &[u8], port: u16) -> Self {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(authority) {
            roots.add(certificate.expect("a certificate")).expect("an authority");
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let believes = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self { believes: Arc::new(believes), port }
    }

    async fn connect(&self, name: &str) -> std::io::Result<TlsStream<TcpStream>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        let name = ServerName::try_from(name.to_owned()).expect("a name");
        TlsConnector::from(Arc::clone(&self.believes)).connect(name, stream).await
    }

    /// The whole answer: head and body.
    async fn get(&self, path: &str, more: &str) -> (String, Vec<u8>) {
        let mut stream = self.connect("localhost").await.expect("it believes the desk");
        let port = self.port;
        let ask = format!("GET {path} HTTP/1.0\r\nHost: localhost:{port}\r\n{more}Connection: close\r\n\r\n");
        stream.write_all(ask.as_bytes()).await.expect("asked");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.expect("an answer");
        let end = bytes.windows(4).position(|end| end == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        (head, bytes[end + 4..].to_vec())
    }

    /// Says hello over `wss://`, from a page of `origin`.
    async fn hello(&self, origin: Option<&str>) -> Result<Value, Error> {
        let stream = self.connect("localhost").await.map_err(Error::Io)?;
        let mut request = format!("wss://localhost:{}/desk/1", self.port).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        }
        let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await?;
        let params = json!({"token": token("arbiter"), "client": "tablet"});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": params});
        socket.send(Message::text(call.to_string())).await?;
        loop {
            if let Some(Message::Text(text)) = socket.next().await.transpose()? {
                return Ok(serde_json::from_str(&text).expect("json"));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_believes_the_authority_is_at_the_desk_and_whoever_does_not_refuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = certificate(folder.path(), &["--host", "desk.example"]);
    assert_eq!(made.code, 0, "{made:?}");
    let hall = hall(folder.path()).await;
    let authority = std::fs::read(folder.path().join("authority.pem")).expect("the authority");
    let tablet = Tablet::new(&authority, hall.port);
    // By name, by address, by the name it was asked to have; by no other.
    for name in ["localhost", "127.0.0.1", "desk.example"] {
        tablet.connect(name).await.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let error = tablet.connect("another.example").await.expect_err("not its name");
    assert!(error.to_string().contains("not valid for name"), "{error}");
    let welcome = tablet.hello(None).await.expect("a desk");
    assert_eq!(welcome["result"]["role"], "arbiter", "{welcome}");
    let (head, _) = tablet.get("/", "").await;
    assert!(head.starts_with("HTTP/1.0 200") && head.contains("default-src 'none'"), "{head}");
    // A device that believes another hall.
    let other = tempfile::tempdir().expect("a folder");
    assert_eq!(certificate(other.path(), &[]).code, 0);
    let authority = std::fs::read(other.path().join("authority.pem")).expect("the authority");
    let error = Tablet::new(&authority, hall.port).connect("localhost").await.expect_err("not believed");
    assert!(error.to_string().contains("UnknownIssuer"), "{error}");
    // Whoever types the address without https is shown it; nothing else is answered in clear.
    let answer = http::get(hall.port, "/api/1/boards", Some(&token("chief"))).await.expect("an answer");
    assert_eq!((answer.status, answer.body.as_str()), (308, ""));
    // A device that never finishes its handshake holds nobody up.
    let mut silent = Vec::new();
    for _ in 0..20 {
        silent.push(TcpStream::connect(("127.0.0.1", hall.port)).await.expect("connected"));
    }
    tokio::time::timeout(std::time::Duration::from_secs(2), tablet.hello(None))
        .await
        .expect("at once")
        .expect("in");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_other_origins_are_refused_over_tls_and_so_are_pages_in_clear() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(certificate(folder.path(), &[]).code, 0);
    let hall = hall(folder.path()).await;
    let authority = std::fs::read(folder.path().join("authority.pem")).expect("the authority");
    let tablet = Tablet::new(&authority, hall.port);
    let own = format!("https://localhost:{}", hall.port);
    assert!(tablet.hello(Some(&own)).await.is_ok());
    let clear = format!("http://localhost:{}", hall.port);
    for origin in [clear.as_str(), "https://localhost", "https://evil.example", "null"] {
        match tablet.hello(Some(origin)).await {
            Err(Error::Http(answer)) => assert_eq!(answer.status().as_u16(), 403, "{origin}"),
            other => panic!("{origin}: {other:?}"),
        }
        let (head, _) = tablet.get("/api/1/boards", &format!("Origin: {origin}\r\n")).await;
        assert!(head.starts_with("HTTP/1.0 403"), "{origin}: {head}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_that_explains_the_certificate_gives_only_its_public_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = certificate(folder.path(), &[]);
    let hall = hall(folder.path()).await;
    let authority = std::fs::read(folder.path().join("authority.pem")).expect("the authority");
    let tablet = Tablet::new(&authority, hall.port);
    let (head, page) = tablet.get("/certificate", "").await;
    let page = String::from_utf8(page).expect("text");
    assert!(head.starts_with("HTTP/1.0 200") && head.contains("text/html"), "{head}");
    let print: String = {
        let der = CertificateDer::from_pem_slice(&authority).expect("a certificate");
        let hex: Vec<String> = Sha256::digest(&der).iter().map(|byte| format!("{byte:02X}")).collect();
        hex.join(":")
    };
    assert!(made.stdout.contains(&print), "the fingerprint is printed: {}", made.stdout);
    assert_eq!(page.matches(&print).count(), 2, "and shown in both languages");
    for said in ["Android", "iPadOS", "Windows", "macOS", "Linux", "核对指纹", "Compare first"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(
        !page.contains("<script") && !page.contains("style="),
        "no script, and nothing its policy refuses"
    );
    let (head, pem) = tablet.get("/certificate.pem", "").await;
    assert!(head.contains("application/x-x509-ca-cert"), "{head}");
    assert_eq!(pem, authority, "as it lies in the folder");
    let (_, der) = tablet.get("/certificate.crt", "").await;
    assert_eq!(CertificateDer::from(der), CertificateDer::from_pem_slice(&authority).expect("a certificate"));
    for path in ["/certificate.key", "/desk.key", "/authority.key", "/certificate/../authority.key"] {
        let (head, body) = tablet.get(path, "").await;
        assert!(head.starts_with("HTTP/1.0 404"), "{path}: {head}");
        assert!(!String::from_utf8_lossy(&body).contains("PRIVATE"), "{path}");
    }
    // A desk without TLS has none to give away.
    let plain = Plan { broker: false, ..Plan::default() }.open().await;
    assert_eq!(http::get(plain.port, "/certificate", None).await.expect("an answer").status, 404);
}

#[test]
fn keys_are_the_owners_alone_nothing_is_overwritten_and_the_authority_serves_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tls");
    assert_eq!(certificate(&path, &[]).code, 0);
    let read = |name: &str| std::fs::read(path.join(name)).expect("a file");
    let names = ["authority.pem", "authority.key", "desk.pem", "desk.key"];
    let before = names.map(read);
    for name in ["authority.key", "desk.key"] {
        let mode = std::fs::metadata(path.join(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let again = certificate(&path, &[]);
    assert_eq!(again.code, 64, "{again:?}");
    assert!(again.stderr.contains("desk.pem") && again.stderr.contains("overwritten"), "{}", again.stderr);
    assert_eq!(names.map(read), before);
    // The hall has another address today: a new certificate, and no tablet has to believe anything anew.
    for name in ["desk.pem", "desk.key"] {
        std::fs::remove_file(path.join(name)).expect("moved away");
    }
    assert_eq!(certificate(&path, &["--host", "10.20.30.40"]).code, 0);
    assert_eq!([read("authority.pem"), read("authority.key")], [before[0].clone(), before[1].clone()]);
    assert_ne!(read("desk.pem"), before[2]);
    // The authority speaks for local networks and its own names only.
    for name in ["desk.pem", "desk.key"] {
        std::fs::remove_file(path.join(name)).expect("moved away");
    }
    let beyond = certificate(&path, &["--host", "bank.example"]);
    assert_eq!(beyond.code, 1, "{beyond:?}");
    assert!(beyond.stderr.contains("bank.example"), "{}", beyond.stderr);
    assert!(!path.join("desk.pem").exists() && !path.join("desk.key").exists());
    std::fs::remove_file(path.join("authority.pem")).expect("lost");
    let half = certificate(&path, &[]);
    assert_eq!(half.code, 64);
    assert!(half.stderr.contains("authority.key is there without"), "{}", half.stderr);
    assert_eq!(certificate(&path, &["--host", "http://x"]).code, 64);
}

#[test]
fn what_is_wrong_with_a_certificate_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    assert_eq!(certificate(&one, &[]).code, 0);
    assert_eq!(certificate(&two, &[]).code, 0);
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
    let (noise, key) = (file("noise.pem", "MIIB"), file("key.pem", &read(&one.join("desk.key"))));
    let cut = file("cut.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    let old = {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
        params.not_after = rcgen::date_time_ymd(2020, 2, 3);
        let certificate = params.self_signed(&key).expect("signed").pem();
        (file("old.pem", &certificate), file("old.key", &key.serialize_pem()))
    };
    let check = |certificate: &Path, key: &Path| {
        let tls =
            format!("tls = {{ certificate = \"{}\", key = \"{}\" }}\n", certificate.display(), key.display());
        let venue = Plan { broker: false, desk: tls, ..Plan::default() }.venue(8470, None);
        let path = file("venue.toml", &venue);
        flagfall(&["check", path.to_str().expect("a path")])
    };
    let right = check(&one.join("desk.pem"), &one.join("desk.key"));
    assert_eq!(right.code, 0, "{right:?}");
    assert!(right.stdout.contains("over TLS"), "{}", right.stdout);
    for (certificate, secret, said) in [
        (one.join("none.pem"), key.clone(), ["desk.tls.certificate", "none.pem cannot be read"]),
        (one.join("desk.pem"), one.join("none.key"), ["desk.tls.key", "none.key cannot be read"]),
        (noise.clone(), key.clone(), ["desk.tls.certificate", "holds no certificate"]),
        (cut, key.clone(), ["desk.tls.certificate", "cannot be"]),
        (one.join("desk.pem"), noise, ["desk.tls.key", "holds no private key"]),
        (one.join("desk.pem"), two.join("desk.key"), ["desk.tls.key", "does not belong to the certificate"]),
        (old.0, old.1, ["desk.tls.certificate", "expired on 2020-02-03"]),
    ] {
        let ended = check(&certificate, &secret);
        assert_eq!(ended.code, 64, "{said:?}: {ended:?}");
        for said in said {
            assert!(ended.stderr.contains(said), "{said} is not in\n{}", ended.stderr);
        }
        let key = read(&one.join("desk.key"));
        let secret = key.lines().nth(1).expect("a key");
        assert!(!ended.stderr.contains(secret), "the key itself is shown");
    }
}

#[test]
fn the_code_for_a_tablet_holds_the_address_and_the_token_where_no_server_is_told_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let tls_folder = folder.path().join("tls");
    assert_eq!(certificate(&tls_folder, &["--host", "10.20.30.40"]).code, 0);
    let venue = Plan { broker: false, desk: tls(&tls_folder), ..Plan::default() }.venue(8470, None);
    let file = folder.path().join("venue.toml");
    std::fs::write(&file, &venue).expect("written");
    let file = file.to_str().expect("a path");
    let ended = flagfall(&["token", "--qr", "--config", file, "--host", "10.20.30.40"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let link = ended.stdout.split_whitespace().find(|word| word.contains("://")).expect("an address");
    let (asked, own) = link.split_once("/#token=").expect("the token stands behind #");
    assert_eq!(asked, "https://10.20.30.40:8470");
    let hash: String = Sha256::digest(own).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(ended.stdout.contains(&hash), "its hash goes into the venue file");
    assert!(ended.stdout.contains('█'), "a code");
    // Over the name a tablet would warn of: refused, and what helps is said.
    let ended = flagfall(&["token", "--qr", "--config", file, "--host", "10.20.30.41"]);
    assert_eq!(ended.code, 64, "{ended:?}");
    assert!(
        ended.stderr.contains("10.20.30.41") && ended.stderr.contains("flagfall certificate"),
        "{ended:?}"
    );
    // Without a file it stays the bare token.
    let ended = flagfall(&["token", "--qr"]);
    assert!(ended.code == 0 && !ended.stdout.contains("://"), "{ended:?}");
    assert_eq!(flagfall(&["token", "--host", "10.20.30.40"]).code, 64, "a host of which desk?");
}

/// What a browser sends of such an address, recorded on its way: a real one, where there is one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_logs_in_by_the_address_and_never_sends_what_stands_behind_the_hash() {
    let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let Some(browser) = browser.into_iter().find(|path| Path::new(path).exists()) else {
        eprintln!("not looked at: needs Chromium");
        return;
    };
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("its address");
    let sent = Arc::new(Mutex::new(Vec::new()));
    let (record, to) = (Arc::clone(&sent), hall.port);
    let between = tokio::spawn(async move {
        while let Ok((browser, _)) = listener.accept().await {
            tokio::spawn(pass(browser, to, Arc::clone(&record)));
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let link = format!("http://{at}/#token={}", token("chief").replace(' ', "%20"));
    let mut child = std::process::Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--remote-debugging-port=0",
        ])
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg(&link)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    let came = async {
        while !hall.log().contains("a desk came") {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let came = tokio::time::timeout(std::time::Duration::from_secs(30), came).await;
    let _ = child.kill();
    let _ = child.wait();
    between.abort();
    let sent = String::from_utf8_lossy(&sent.lock().expect("no test broke it")).into_owned();
    assert!(came.is_ok(), "it is not logged in; it asked for\n{sent}\n{}", hall.log());
    assert!(sent.contains("GET / HTTP/1.1") && sent.contains("GET /desk/1 HTTP/1.1"), "{sent}");
    // What goes through the WebSocket is masked; all else is in clear here.
    for part in ["token%20of", "token of", "#token"] {
        assert!(!sent.contains(part) && !hall.log().contains(part), "{part} was sent or logged");
    }
}

/// Passes a connection on and keeps what the browser sends.
async fn pass(mut browser: TcpStream, to: u16, sent: Arc<Mutex<Vec<u8>>>) {
    let Ok(desk) = TcpStream::connect(("127.0.0.1", to)).await else { return };
    let (mut from, mut back) = browser.split();
    let (mut answers, mut asks) = desk.into_split();
    let there = async {
        let mut bytes = vec![0; 16 << 10];
        while let Ok(read @ 1..) = from.read(&mut bytes).await {
            sent.lock().expect("no test broke it").extend_from_slice(&bytes[..read]);
            if asks.write_all(&bytes[..read]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = there => {}
        _ = tokio::io::copy(&mut answers, &mut back) => {}
    }
}
