//! Who we are, where others come in over TLS: a certificate with its key, and the authority it rests on.

use super::mint::Host;
use super::{certificates, provider};
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{CertificateError, Error, InconsistentKeys, RootCertStore, ServerConfig};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// Whoever's certificate ends that soon should know it now.
const SOON: Duration = Duration::from_secs(14 * 24 * 3600);

/// A server's certificate and key, which belong together and are in force.
#[derive(Clone, Debug)]
pub struct Identity {
    /// For the listener.
    pub server: Arc<ServerConfig>,
    /// The authority that a device must believe, where the file has it: the last certificate, if it speaks for itself.
    pub authority: Option<Authority>,
    /// It ends within two weeks.
    pub ends_soon: bool,
    own: CertificateDer<'static>,
}

/// An authority's certificate: public, to be given away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    der: CertificateDer<'static>,
    pem: String,
}

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

/// The last certificate of a PEM file, as it is written.
fn last_written(pem: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(pem);
    let from = text.rfind(BEGIN)?;
    let to = from + text[from..].find(END)? + END.len();
    Some(format!("{}\n", &text[from..to]))
}

/// Which of the two files is wrong, and how: half a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The certificate's.
    Certificate(String),
    /// The key's.
    Key(String),
}

impl Identity {
    /// From the contents of two PEM files: the certificate with those above it, and its key.
    ///
    /// # Errors
    /// Which file is wrong, and how.
    pub fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Self, Wrong> {
        let wrong = |error: Error| Wrong::Certificate(format!("cannot be used: {error}"));
        let chain = certificates(certificate).map_err(Wrong::Certificate)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| {
            Wrong::Key("holds no private key; it is a PEM file with `-----BEGIN PRIVATE KEY-----`".into())
        })?;
        let key = provider().key_provider.load_private_key(key);
        let key = key.map_err(|error| Wrong::Key(format!("cannot be used: {error}")))?;
        let authority = chain.last().filter(|last| speaks_for_itself(last)).cloned();
        let authority = authority.zip(last_written(certificate)).map(|(der, pem)| Authority { der, pem });
        let own = CertifiedKey::new(chain, key);
        match own.keys_match() {
            // A key that does not tell its public part is taken at its word.
            Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
            Err(Error::InconsistentKeys(_)) => {
                return Err(Wrong::Key("does not belong to the certificate: they are of two pairs".into()));
            }
            Err(error) => return Err(wrong(error)),
        }
        in_force(&own.cert[0], UnixTime::now()).map_err(Wrong::Certificate)?;
        let soon = UnixTime::since_unix_epoch(Duration::from_secs(UnixTime::now().as_secs()) + SOON);
        let ends_soon = in_force(&own.cert[0], soon).is_err();
        let leaf = own.cert[0].clone();
        let mut server = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(wrong)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { server: Arc::new(server), authority, ends_soon, own: leaf })
    }

    /// Whether the certificate is for this host; a device warns of any other.
    #[must_use]
    pub fn is_for(&self, host: &Host) -> bool {
        let Ok(name) = ServerName::try_from(host.to_string()) else { return false };
        ParsedCertificate::try_from(&self.own).is_ok_and(|own| verify_server_name(&own, &name).is_ok())
    }
}

impl Authority {
    /// As it travels.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// As it is written: what the file has of it, without anything that may stand beside it there.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// SHA-256 of it, as browsers and systems show it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.der)
    }
}

/// SHA-256 in pairs of hex digits, as browsers and systems show it.
#[must_use]
pub fn fingerprint(der: &[u8]) -> String {
    let mut text = String::new();
    for (place, byte) in Sha256::digest(der).iter().enumerate() {
        let colon = if place == 0 { "" } else { ":" };
        // Writing into a string cannot fail.
        let _ = write!(text, "{colon}{byte:02X}");
    }
    text
}

/// Whether a certificate's issuer is its own subject: then the same name stands in it twice.
fn speaks_for_itself(certificate: &CertificateDer<'_>) -> bool {
    let mut roots = RootCertStore::empty();
    if roots.add(certificate.clone().into_owned()).is_err() {
        return false;
    }
    let Some(name) = roots.roots.first().map(|root| root.subject.as_ref()) else { return false };
    !name.is_empty() && certificate.windows(name.len()).filter(|window| *window == name).count() > 1
}

/// Whether a certificate is in force at `at`. The verifier looks at that before it looks for an authority, so only what
/// it says of the time is listened to: whether anybody believes the authority is not ours to ask.
fn in_force(certificate: &CertificateDer<'_>, at: UnixTime) -> Result<(), String> {
    let mut roots = RootCertStore::empty();
    roots
        .add(certificate.clone().into_owned())
        .map_err(|error| format!("cannot be read as a certificate: {error}"))?;
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build();
    let verifier = verifier.map_err(|error| error.to_string())?;
    let anybody = ServerName::try_from("localhost").map_err(|error| error.to_string())?;
    match verifier.verify_server_cert(certificate, &[], &anybody, &[], at) {
        Err(Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. })) => {
            Err(format!("expired on {}; make or get a new one", day(not_after)))
        }
        Err(Error::InvalidCertificate(CertificateError::NotValidYetContext { not_before, .. })) => {
            Err(format!("is valid from {} on only; look at this host's date", day(not_before)))
        }
        Err(Error::InvalidCertificate(
            wrong @ (CertificateError::Expired
            | CertificateError::NotValidYet
            | CertificateError::BadEncoding),
        )) => Err(format!("cannot be used: {wrong}")),
        _ => Ok(()),
    }
}

fn day(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| "an unknown day".into(), |instant| instant.strftime("%Y-%m-%d").to_string())
}

/// The fingerprint of a PEM file's first certificate.
///
/// # Errors
/// Half a sentence that says what the file is instead.
pub fn fingerprint_of(pem: &[u8]) -> Result<String, String> {
    Ok(fingerprint(&certificates(pem)?[0]))
}

/// Whether whoever believes this authority believes that the one with this chain is `host`.
///
/// # Errors
/// Why he does not.
pub fn believes(authority: &[u8], chain: &[u8], host: &Host) -> Result<(), String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(authority)? {
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build();
    let verifier = verifier.map_err(|error| error.to_string())?;
    let chain = certificates(chain)?;
    let name = ServerName::try_from(host.to_string()).map_err(|error| error.to_string())?;
    let (own, above) = chain.split_first().ok_or("holds no certificate")?;
    match verifier.verify_server_cert(own, above, &name, &[], UnixTime::now()) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
