//! `flagfall ports`: the host's serial ports, by names that last, with what keeps us from them.
//!
//! Listing opens nothing: opening a port raises its DTR line, which restarts many a clock. Only `--listen` opens.

mod access;
mod holders;
mod listen;
mod scan;

use crate::cli::{Exit, Failure, PortsArgs};
use access::Access;
use scan::Port;
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn ports(args: &PortsArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut found = scan::scan(Path::new("/sys/class/tty"), Path::new("/dev"));
    if !args.ports.is_empty() {
        found = args.ports.iter().map(|path| one(path, &found)).collect::<Result<_, _>>()?;
    }
    if found.is_empty() {
        writeln!(out, "no serial ports; is the clock's cable in, and is its driver in this kernel?")?;
        return Ok(Exit::Well);
    }
    for port in &found {
        describe(port, out)?;
    }
    if let Some(seconds) = args.listen {
        writeln!(out, "\nlistening for {seconds} s")?;
        out.flush()?;
        let paths: Vec<PathBuf> = found.iter().map(|port| port.path.clone()).collect();
        for (path, heard) in listen::all(&paths, Duration::from_secs(seconds)) {
            writeln!(out, "{}", path.display())?;
            for line in heard.lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    Ok(Exit::Well)
}

/// What keeps us from a port, as far as the system tells without opening it; what follows on `port PATH`.
pub(super) fn obstacle(path: &Path) -> Option<String> {
    let about = match std::fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Some("is not there; `flagfall ports` lists those that are".into());
        }
        Err(error) => return Some(format!("cannot be looked at: {error}")),
    };
    if !about.file_type().is_char_device() {
        return Some("is no serial port".into());
    }
    if let Some(access) = Access::of(path).ok().filter(|access| !access.lets_us_in()) {
        return Some(format!("cannot be opened, permission denied: {access}"));
    }
    let holders: Vec<String> =
        holders::of(&path.canonicalize().ok()?).iter().map(ToString::to_string).collect();
    let names = holders.join(", ");
    (!holders.is_empty())
        .then(|| format!("is held by {names}; a port has one program at a time, so end that first"))
}

/// A port as it was named, by whatever link.
fn one(path: &Path, found: &[Port]) -> Result<Port, Failure> {
    let real = path.canonicalize().map_err(|error| {
        let exit = if error.kind() == io::ErrorKind::NotFound { Exit::Unavailable } else { Exit::Io };
        Failure::new(exit, format!("port {}: {error}", path.display()))
    })?;
    Ok(found.iter().find(|port| port.path == real).cloned().unwrap_or_else(|| Port::plain(real)))
}

fn describe(port: &Port, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", port.path.display())?;
    if let Some(usb) = &port.usb {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
        let (maker, product, serial) = (text(&usb.maker), text(&usb.product), text(&usb.serial));
        writeln!(out, "  usb      {}:{} {maker} {product}, serial number {serial}", usb.vendor, usb.model)?;
    }
    if let Some(driver) = &port.driver {
        writeln!(out, "  driver   {driver}")?;
    }
    match (&port.by_id, &port.by_path) {
        (Some(by_id), Some(by_path)) => {
            writeln!(out, "  lasting  {}", by_id.display())?;
            writeln!(out, "  by path  {}", by_path.display())?;
        }
        (Some(name), None) | (None, Some(name)) => writeln!(out, "  lasting  {}", name.display())?,
        (None, None) => {
            writeln!(out, "  lasting  no lasting name; the port may be another after re-plugging")?
        }
    }
    match Access::of(&port.path) {
        Ok(access) => writeln!(out, "  access   {access}")?,
        Err(error) => writeln!(out, "  access   {}: {error}", port.path.display())?,
    }
    let holders = holders::of(&port.path);
    if !holders.is_empty() {
        let names: Vec<String> = holders.iter().map(ToString::to_string).collect();
        writeln!(out, "  held by  {}", names.join(", "))?;
    }
    Ok(())
}
