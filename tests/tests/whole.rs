//! The whole product, from outside: the built programs, a real broker, clocks and desks that speak the contract.

mod whole {
    mod articles;
    mod bad_config;
    mod bad_reports;
    mod commands;
    mod controls;
    mod documents;
    mod emulator;
    mod event_day;
    mod flag;
    mod hardware_documents;
    mod hello;
    mod imports;
    mod journal;
    mod lateness;
    mod live_pico;
    mod no_std;
    mod page;
    mod page_sources;
    mod pairings;
    mod pico;
    mod playable;
    mod provision;
    mod quiet;
    mod regulations_files;
    mod rehearse;
    mod reports;
    mod requests;
    mod restart;
    mod rounds;
    mod second_round;
    mod sketch;
    mod standings;
    mod stop;
    mod tablet;
    mod uplink;
    mod wires;
}
