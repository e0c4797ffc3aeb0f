//! The whole product, from outside: the built programs, a real broker, clocks and desks that speak the contract.

mod whole {
    mod flag;
    mod stop;
}
