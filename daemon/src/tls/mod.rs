//! TLS: who we are where others come in, and whom we believe at the other end of a line.
//!
//! Certificates and keys are read once, where the venue file is read, into types that cannot be wrong. One provider of
//! cryptography (ring) for all of it, named here and nowhere else, so that nothing depends on what another crate installs.

mod authorities;
mod identity;
mod mint;

pub use authorities::Authorities;
pub use identity::{Authority, Identity, Wrong, believes, fingerprint_of};
pub use mint::{Host, Made, authority, server};

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::sync::Arc;

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// All certificates of a PEM file, in order.
///
/// # Errors
/// Half a sentence that says what the file is instead.
fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match found {
        Ok(found) if found.is_empty() => {
            Err("holds no certificate; it is a PEM file with `-----BEGIN CERTIFICATE-----`".into())
        }
        Ok(found) => Ok(found),
        Err(error) => Err(format!("is no PEM file: {error}")),
    }
}
