//! A local authority and a certificate by it, for a hall's own network, where no public authority gives any.
//!
//! The authority may only speak for the names it was made with, names and addresses of local networks: whoever
//! steals its key cannot use it for the rest of the world, though tablets believe it.

use super::identity::fingerprint;
use rcgen::string::Ia5String;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, CidrSubnet, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints,
    SanType,
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How long an authority lasts.
const AUTHORITY_DAYS: i64 = 3650;
/// How long a server's certificate lasts. Beyond 825 days Apple's devices refuse it.
const SERVER_DAYS: i64 = 800;
/// Local networks, by address and prefix.
const LOCAL: [(IpAddr, u8); 8] = [
    (IpAddr::V4(Ipv4Addr::new(10, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(172, 16, 0, 0)), 12),
    (IpAddr::V4(Ipv4Addr::new(192, 168, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(169, 254, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0)), 8),
    (IpAddr::V6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0)), 7),
    (IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0)), 10),
    (IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
];
/// Names that no public server has.
const LOCAL_NAMES: [&str; 5] = ["localhost", "local", "lan", "internal", "home.arpa"];

/// A name or an address of a host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// By its address.
    Address(IpAddr),
    /// By its name.
    Name(String),
}

impl std::str::FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        if let Ok(address) = bare.parse() {
            return Ok(Self::Address(address));
        }
        let label = |label: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            (1..=63).contains(&label.len()) && label.chars().all(plain) && !label.starts_with('-')
        };
        // `10.0.0.300` is meant as an address and is none.
        let last = text.rsplit('.').next().unwrap_or_default();
        let numbers = last.chars().all(|c| c.is_ascii_digit());
        if text.len() <= 253 && text.split('.').all(label) && !numbers {
            return Ok(Self::Name(text.to_ascii_lowercase()));
        }
        Err(format!(
            "`{text}` is neither a host's name nor its address; write `192.168.1.5` or `desk.local`, without port"
        ))
    }
}

impl Host {
    /// As it stands in an address: an IPv6 one in brackets.
    #[must_use]
    pub fn in_url(&self) -> String {
        match self {
            Self::Address(IpAddr::V6(address)) => format!("[{address}]"),
            other => other.to_string(),
        }
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(address) => write!(f, "{address}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// An authority: its certificate is given away, its key never.
#[derive(Debug)]
pub struct Made {
    /// The certificate, PEM.
    pub certificate: String,
    /// Its private key, PEM.
    pub key: String,
    /// SHA-256 of the certificate, as browsers show it.
    pub fingerprint: String,
}

/// A new authority that may speak for these hosts and for local networks.
///
/// # Errors
/// One sentence.
pub fn authority(hosts: &[Host]) -> Result<Made, String> {
    let made = || {
        let key = KeyPair::generate()?;
        let mut params = speaking(&key)?;
        let names = hosts.iter().filter_map(|host| match host {
            Host::Name(name) => Some(name.as_str()),
            Host::Address(_) => None,
        });
        let addresses = hosts.iter().filter_map(|host| match host {
            Host::Address(address) => Some((*address, if address.is_ipv4() { 32 } else { 128 })),
            Host::Name(_) => None,
        });
        let names = LOCAL_NAMES.into_iter().chain(names).map(|name| GeneralSubtree::DnsName(name.into()));
        let addresses = LOCAL.into_iter().chain(addresses);
        let addresses = addresses.map(|(address, prefix)| subnet(address, prefix));
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: names.chain(addresses.map(GeneralSubtree::IpAddress)).collect(),
            excluded_subtrees: Vec::new(),
        });
        lasts(&mut params, AUTHORITY_DAYS);
        let made = CertifiedIssuer::self_signed(params, key)?;
        Ok(Made {
            certificate: made.pem(),
            fingerprint: fingerprint(made.der()),
            key: made.key().serialize_pem(),
        })
    };
    made().map_err(|error: rcgen::Error| format!("no authority could be made: {error}"))
}

/// A certificate for a server with these names and addresses, by the authority whose key this is.
///
/// # Errors
/// One sentence.
pub fn server(authority_key: &str, hosts: &[Host]) -> Result<Made, String> {
    let issuer = KeyPair::from_pem(authority_key).and_then(|key| Ok(Issuer::new(speaking(&key)?, key)));
    let issuer = issuer.map_err(|error| format!("the authority's key cannot be read: {error}"))?;
    let made = || {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::default();
        params.distinguished_name = named("Flagfall desk");
        for host in hosts {
            params.subject_alt_names.push(match host {
                Host::Address(address) => SanType::IpAddress(*address),
                Host::Name(name) => SanType::DnsName(Ia5String::try_from(name.as_str())?),
            });
        }
        params.is_ca = IsCa::ExplicitNoCa;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        lasts(&mut params, SERVER_DAYS);
        let certificate = params.signed_by(&key, &issuer)?;
        let (pem, fingerprint) = (certificate.pem(), fingerprint(certificate.der()));
        Ok(Made { certificate: pem, key: key.serialize_pem(), fingerprint })
    };
    made().map_err(|error: rcgen::Error| format!("no certificate could be made: {error}"))
}

/// An authority as its certificates name it. All of it follows from the key, so that the key is all that is kept.
fn speaking(key: &KeyPair) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    let mark: String = fingerprint(key.public_key_raw()).replace(':', "").chars().take(8).collect();
    params.distinguished_name = named(&format!("Flagfall hall authority {mark}"));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(params)
}

fn named(name: &str) -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CommonName, name);
    names
}

fn subnet(address: IpAddr, prefix: u8) -> CidrSubnet {
    match address {
        IpAddr::V4(address) => CidrSubnet::V4(address.octets(), mask(prefix)),
        IpAddr::V6(address) => CidrSubnet::V6(address.octets(), mask(prefix)),
    }
}

/// So many ones, then zeros.
fn mask<const N: usize>(prefix: u8) -> [u8; N] {
    let mut bytes = [0; N];
    for (place, byte) in bytes.iter_mut().enumerate() {
        let ones = usize::from(prefix).saturating_sub(place * 8).min(8);
        *byte = u8::try_from(0xff00_u16 >> ones & 0xff).unwrap_or(0xff);
    }
    bytes
}

/// From yesterday on, since tablets' dates are not always right.
fn lasts(params: &mut CertificateParams, days: i64) {
    let day = |from_now: i64| {
        let now = jiff::Timestamp::now().as_second() + from_now * 24 * 3600;
        let date = jiff::Timestamp::from_second(now).map_or(jiff::civil::date(2026, 1, 1), |instant| {
            instant.to_zoned_datetime(jiff::tz::TimeZone::UTC).date()
        });
        let (year, month, day) = (date.year(), date.month(), date.day());
        rcgen::date_time_ymd(year.into(), month.unsigned_abs(), day.unsigned_abs())
    };
    (params.not_before, params.not_after) = (day(-1), day(days));
}
