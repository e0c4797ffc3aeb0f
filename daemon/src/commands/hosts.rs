//! By which names and addresses this host is reached.

use crate::tls::Host;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// All of them: names first, then addresses. What the system does not tell is left out.
pub(super) fn own() -> Vec<Host> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let mut hosts: BTreeSet<Host> = BTreeSet::new();
    for name in names(&read("/proc/sys/kernel/hostname")) {
        hosts.insert(name);
    }
    hosts.extend(v4(&read("/proc/net/fib_trie")).into_iter().map(|address| Host::Address(address.into())));
    hosts.extend(v6(&read("/proc/net/if_inet6")).into_iter().map(|address| Host::Address(address.into())));
    hosts.insert(Host::Address(Ipv4Addr::LOCALHOST.into()));
    hosts.insert(Host::Address(Ipv6Addr::LOCALHOST.into()));
    let (names, addresses): (Vec<Host>, Vec<Host>) =
        hosts.into_iter().partition(|host| matches!(host, Host::Name(_)));
    names.into_iter().chain(addresses).collect()
}

/// The address others most likely reach it by: the one it would speak to them from. Nothing is sent to find out.
pub(super) fn outward() -> Option<IpAddr> {
    // An address that is no host's (RFC 5737): only the way there is looked up.
    let towards = |own: IpAddr, other: &str| {
        let socket = UdpSocket::bind((own, 0)).ok()?;
        socket.connect((other, 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_loopback() && !own.is_unspecified()).then_some(own)
    };
    let routed = towards(Ipv4Addr::UNSPECIFIED.into(), "192.0.2.1");
    // A hall's network often has no way out: then whatever address there is.
    routed.or_else(|| {
        own().into_iter().find_map(|host| match host {
            Host::Address(address) if !address.is_loopback() => Some(address),
            Host::Address(_) | Host::Name(_) => None,
        })
    })
}

/// `localhost`, the host's own name, and the one that is found without a name server.
fn names(hostname: &str) -> Vec<Host> {
    let own: Option<Host> = hostname.trim().parse().ok().filter(|host| matches!(host, Host::Name(_)));
    let Some(own) = own else { return vec![Host::Name("localhost".into())] };
    let own = own.to_string();
    let mut names = vec![Host::Name("localhost".into())];
    if !own.contains('.') {
        names.push(Host::Name(format!("{own}.local")));
    }
    names.push(Host::Name(own));
    names
}

/// The kernel's table of routes: an address of our own is followed by a line that says so.
fn v4(table: &str) -> BTreeSet<Ipv4Addr> {
    let mut own = BTreeSet::new();
    let mut last: Option<Ipv4Addr> = None;
    for line in table.lines() {
        if let Some((_, address)) = line.split_once("|-- ") {
            last = address.trim().parse().ok();
        } else if line.trim() == "/32 host LOCAL" {
            own.extend(last);
        }
    }
    own
}

/// The kernel's list of addresses, without those of one link only: no address bar takes them.
fn v6(list: &str) -> BTreeSet<Ipv6Addr> {
    const LINK: &str = "20";
    list.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (address, scope) = (words.next()?, words.nth(2)?);
            let bits = u128::from_str_radix(address, 16).ok()?;
            (scope != LINK).then(|| Ipv6Addr::from_bits(bits))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\nLocal:\n     |-- 127.0.0.1\n\
                     \x20       /32 host LOCAL\n     |-- 192.168.1.0\n        /24 link UNICAST\n        |-- 192.168.1.5\n\
                     \x20          /32 host LOCAL\n        |-- 192.168.1.255\n           /32 link BROADCAST\n";
        let own: Vec<String> = v4(table).iter().map(ToString::to_string).collect();
        assert_eq!(own, ["127.0.0.1", "192.168.1.5"]);
        let list = "00000000000000000000000000000001 01 80 10 80       lo\n\
                    fe80000000000000021122fffe334455 02 40 20 80     eth0\n\
                    fd000000000000000000000000000005 02 40 00 80     eth0\nnonsense\n";
        let own: Vec<String> = v6(list).iter().map(ToString::to_string).collect();
        assert_eq!(own, ["::1", "fd00::5"]);
        assert_eq!(names("hall-pc\n").len(), 3);
        assert_eq!(names("(none)\n"), [Host::Name("localhost".into())]);
    }

    #[test]
    fn this_host_is_reached_by_loopback_at_least() {
        assert!(own().contains(&Host::Address(Ipv4Addr::LOCALHOST.into())));
    }
}
