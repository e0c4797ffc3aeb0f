//! The whole product, from outside: the built programs, a real broker, clocks and desks that speak the contract.

mod whole {
    mod commands;
    mod flag;
    mod hello;
    mod lateness;
    mod reports;
    mod restart;
    mod roles;
    mod stop;
}
