//! Whom we believe that a server is who it says it is, where we are the one who dials.

use super::{certificates, provider};
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;

/// The authorities whose word about a server is taken.
#[derive(Clone, Debug, Default)]
pub enum Authorities {
    /// Those this host believes.
    #[default]
    System,
    /// Those of a file, and no others.
    These(Arc<RootCertStore>),
}

impl Authorities {
    /// The certificates of a PEM file.
    ///
    /// # Errors
    /// Half a sentence that says what is wrong with the file.
    pub fn from_pem(pem: &[u8]) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        for (place, certificate) in certificates(pem)?.into_iter().enumerate() {
            roots
                .add(certificate)
                .map_err(|error| format!("its certificate {} cannot be used: {error}", place + 1))?;
        }
        Ok(Self::These(Arc::new(roots)))
    }

    /// For dialling. Reads the host's files where the host's authorities are meant.
    ///
    /// # Errors
    /// One sentence: the host believes nobody.
    pub fn client(&self) -> Result<Arc<ClientConfig>, String> {
        let roots = match self {
            Self::These(roots) => Arc::clone(roots),
            Self::System => {
                let mut roots = RootCertStore::empty();
                // One broken certificate of the host is no reason to believe none of the others.
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                Arc::new(roots)
            }
        };
        if roots.is_empty() {
            return Err(
                "this host knows no certificate authorities; install ca-certificates, or name a file \
                        in `uplink.ca`"
                    .into(),
            );
        }
        let client = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Arc::new(client))
    }
}
