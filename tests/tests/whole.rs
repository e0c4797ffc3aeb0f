//! The whole product, from outside: the built programs, a real broker, clocks and desks that speak the contract.

mod whole {
    mod bad_config;
    mod bad_reports;
    mod commands;
    mod flag;
    mod hello;
    mod lateness;
    mod reports;
    mod restart;
    mod roles;
    mod rounds;
    mod stop;
    mod wires;
}
