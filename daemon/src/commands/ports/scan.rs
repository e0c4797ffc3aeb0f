//! Serial ports as the kernel lists them: no libudev, no opening.

use std::fs;
use std::path::{Path, PathBuf};

/// A serial port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port {
    /// Under `/dev`.
    pub path: PathBuf,
    /// What it hangs on, if that is USB.
    pub usb: Option<Usb>,
    /// The kernel's driver.
    pub driver: Option<String>,
    /// Its name by maker, product and serial number: follows the device to another socket.
    pub by_id: Option<PathBuf>,
    /// Its name by socket: stays there, whatever is put in.
    pub by_path: Option<PathBuf>,
}

/// What a USB device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Usb {
    pub vendor: String,
    pub model: String,
    pub maker: Option<String>,
    pub product: Option<String>,
    pub serial: Option<String>,
}

impl Port {
    /// A port of which nothing but its path is known, such as a pty.
    pub fn plain(path: PathBuf) -> Self {
        Self { path, usb: None, driver: None, by_id: None, by_path: None }
    }
}

/// All ports with hardware behind them, by name.
pub(super) fn scan(class: &Path, dev: &Path) -> Vec<Port> {
    let Ok(entries) = fs::read_dir(class) else { return Vec::new() };
    let mut ports: Vec<Port> = entries.flatten().filter_map(|entry| port(&entry.path(), dev)).collect();
    ports.sort_by_key(|port| natural(&port.path));
    ports
}

/// `ttyUSB10` after `ttyUSB9`.
fn natural(path: &Path) -> (String, u64) {
    let name = path.to_string_lossy();
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (letters.to_owned(), name[letters.len()..].parse().unwrap_or(0))
}

fn port(entry: &Path, dev: &Path) -> Option<Port> {
    // consoles and ptys have no device behind them
    let device = entry.join("device").canonicalize().ok()?;
    // the kernel keeps four ttyS in store; type 0 is one without a chip
    if attribute(entry, "type").as_deref() == Some("0") {
        return None;
    }
    let path = dev.join(entry.file_name()?);
    let driver = fs::read_link(device.join("driver")).ok();
    let driver = driver.and_then(|link| link.file_name().map(|name| name.to_string_lossy().into_owned()));
    Some(Port {
        usb: device.ancestors().find_map(usb),
        driver,
        by_id: link_to(&dev.join("serial/by-id"), &path),
        by_path: link_to(&dev.join("serial/by-path"), &path),
        path,
    })
}

fn usb(folder: &Path) -> Option<Usb> {
    Some(Usb {
        vendor: attribute(folder, "idVendor")?,
        model: attribute(folder, "idProduct")?,
        maker: attribute(folder, "manufacturer"),
        product: attribute(folder, "product"),
        serial: attribute(folder, "serial"),
    })
}

fn attribute(folder: &Path, name: &str) -> Option<String> {
    let bytes = fs::read(folder.join(name)).ok()?;
    // a device may say anything: nothing of it may command a terminal
    let text: String = String::from_utf8_lossy(&bytes).trim().chars().filter(|c| !c.is_control()).collect();
    (!text.is_empty()).then_some(text)
}

fn link_to(folder: &Path, port: &Path) -> Option<PathBuf> {
    let port = port.canonicalize().ok()?;
    let links = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    links.filter(|link| link.canonicalize().is_ok_and(|target| target == port)).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn file(path: PathBuf, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn usb_ports_are_known_by_ids_and_lasting_names_and_empty_sockets_left_out() {
        let root = tempfile::tempdir().unwrap();
        let (class, dev) = (root.path().join("class"), root.path().join("dev"));
        let bus = root.path().join("devices/usb1/1-2");
        let port = bus.join("1-2:1.0/ttyUSB0");
        for (name, text) in
            [("idVendor", "0403\n"), ("idProduct", "6001\n"), ("serial", "A\u{1b}[2J1\n"), ("product", "\n")]
        {
            file(bus.join(name), text);
        }
        fs::create_dir_all(&port).unwrap();
        symlink("/drivers/ftdi_sio", port.join("driver")).unwrap();
        for (name, kind) in [("ttyUSB10", None), ("ttyUSB9", None), ("ttyS0", Some("0\n")), ("tty1", None)] {
            fs::create_dir_all(class.join(name)).unwrap();
            if name != "tty1" {
                symlink(&port, class.join(name).join("device")).unwrap();
            }
            if let Some(kind) = kind {
                file(class.join(name).join("type"), kind);
            }
            file(dev.join(name), "");
        }
        fs::create_dir_all(dev.join("serial/by-id")).unwrap();
        symlink("../../ttyUSB9", dev.join("serial/by-id/usb-A1")).unwrap();

        let ports = scan(&class, &dev);
        let names: Vec<_> = ports.iter().map(|port| port.path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["ttyUSB9", "ttyUSB10"]);
        let usb = ports[0].usb.as_ref().unwrap();
        assert_eq!((usb.vendor.as_str(), usb.model.as_str()), ("0403", "6001"));
        assert_eq!((usb.serial.as_deref(), usb.product.as_deref()), (Some("A[2J1"), None));
        assert_eq!(ports[0].driver.as_deref(), Some("ftdi_sio"));
        assert_eq!(ports[0].by_id.as_deref(), Some(dev.join("serial/by-id/usb-A1").as_path()));
        assert_eq!(ports[1].by_id, None);
        assert!(scan(&root.path().join("nowhere"), &dev).is_empty());
    }
}
