//! A hall of simple clocks in front of the rules: each says what it does, in order and at once.

use flagfall_arbiter::{
    BoardResult, Event, Incident, IncidentKind, IncidentState, News, Refused, Role, Ruling, RulingKind, Wall,
};
use flagfall_clock::{Action, By, ClockEvent, ClockReport, Side};
use flagfall_rules::{
    BoardSetup, Decision, Input, Mode, Observation, Order, Outcome, PlayerSetup, Regulations, RoundSetup,
    Rules, Setup, StartBy, TableSetup, Variant, Venue, Who,
};
use serde_json::{Value, json};

/// 08:30 in Wuhan on the first day.
pub const BEGIN: i64 = 1_339_633_800_000;

pub struct Clock {
    pub left: i64,
    pub right: i64,
    pub running: Option<Side>,
    pub presses: [u32; 2],
    pub flag: Option<Side>,
    pub at: u64,
    boot: u32,
    seq: u32,
}

pub struct Hall {
    pub rules: Rules,
    pub now: u64,
    pub clocks: Vec<Clock>,
    pub events: Vec<Event>,
    pub orders: Vec<Order>,
    pub log: Vec<(Venue, Input, Vec<Decision>)>,
    pub live: bool,
    /// So far behind ours the clocks' own time is.
    pub slow_ms: u64,
    no: u64,
    regulations: Regulations,
    setup: Setup,
}

pub fn setup(boards: u32, regulations: Regulations, start_by: StartBy, mode: Mode) -> Setup {
    let player = |name: String| PlayerSetup { name, team: "队".into() };
    Setup {
        event: "test".into(),
        timezone: None,
        variant: Variant::Xiangqi,
        regulations,
        start_by,
        mode,
        clocks: vec![],
        tables: (1..=boards)
            .map(|n| TableSetup { number: n, clock: format!("C{n}").parse().ok(), first_side: Side::Left })
            .collect(),
        teams: vec![],
        rounds: (1..=2)
            .map(|number| RoundSetup {
                number,
                planned: None,
                boards: (1..=boards)
                    .map(|n| BoardSetup {
                        board: n.to_string(),
                        table: Some(n),
                        clock: None,
                        first_side: None,
                        match_no: None,
                        first: player(format!("R{number}红{n}")),
                        second: player(format!("R{number}黑{n}")),
                    })
                    .collect(),
            })
            .collect(),
    }
}

/// Four boards; on the first a game is on, a move each.
pub fn playing() -> Hall {
    playing_under(Regulations::default())
}

/// The same under other regulations.
pub fn playing_under(regulations: Regulations) -> Hall {
    let mut hall = Hall::with(4, regulations, StartBy::Players, Mode::Act);
    hall.round_starts();
    hall.start(1);
    hall.seconds(20);
    hall.press(1);
    hall.seconds(5);
    hall.press(1);
    hall
}

/// Four games are on, a move each on both sides.
pub fn four_games() -> Hall {
    let mut hall = Hall::new(4);
    hall.round_starts();
    for board in 1..=4 {
        hall.start(board);
        hall.press(board);
        hall.press(board);
    }
    hall
}

impl Hall {
    pub fn new(boards: u32) -> Self {
        Self::with(boards, Regulations::default(), StartBy::Players, Mode::Act)
    }

    pub fn with(boards: u32, regulations: Regulations, start_by: StartBy, mode: Mode) -> Self {
        Self::of(boards, setup(boards, regulations, start_by, mode))
    }

    pub fn of(boards: u32, setup: Setup) -> Self {
        let regulations = setup.regulations.clone();
        let base = i64::from(regulations.base_ms);
        let mut hall = Self {
            rules: Rules::new(setup.clone()),
            now: 0,
            clocks: (0..boards)
                .map(|_| Clock {
                    left: base,
                    right: base,
                    running: None,
                    presses: [0; 2],
                    flag: None,
                    at: 0,
                    boot: 1,
                    seq: 0,
                })
                .collect(),
            events: vec![],
            orders: vec![],
            log: vec![],
            live: true,
            slow_ms: 0,
            no: 0,
            regulations,
            setup: setup.clone(),
        };
        hall.input(Input::Anchor { wall: Wall(BEGIN) });
        hall.input(Input::Setup(Box::new(setup)));
        for n in 1..=boards {
            let clock = format!("C{n}").parse().unwrap();
            hall.input(Input::Link { clock, online: true, by: "test".into(), cause: "first".into() });
            hall.report(n, None, None);
        }
        hall
    }

    /// As it was set up.
    pub fn setup(&self) -> Setup {
        self.setup.clone()
    }

    pub fn input(&mut self, input: Input) -> Outcome {
        while let Some(due) =
            self.rules.next_deadline().filter(|due| due.0 <= self.now && input != Input::Due)
        {
            self.feed(due, Input::Due);
        }
        self.feed(Venue(self.now), input)
    }

    fn feed(&mut self, at: Venue, input: Input) -> Outcome {
        let mut out = Outcome::default();
        self.rules.handle(at, &input, &mut out);
        for decision in &out.decisions {
            if let Decision::Tell(event) = decision {
                assert_eq!(event.seq, self.events.len() as u64 + 1, "seqs have no holes");
                self.events.push((**event).clone());
            }
        }
        self.orders.extend(out.orders.iter().cloned());
        self.log.push((at, input, out.decisions.clone()));
        out
    }

    /// Time passes: what falls due happens.
    pub fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(due) = self.rules.next_deadline().filter(|due| due.0 <= until) {
            self.now = due.0.max(self.now);
            self.feed(Venue(self.now), Input::Due);
            assert!(self.rules.next_deadline() != Some(due), "a deadline that was looked at does not stay");
        }
        self.now = until;
    }

    pub fn seconds(&mut self, s: u64) {
        self.wait(s * 1000);
    }

    fn reckon(&mut self, n: u32) {
        let now = self.now;
        let clock = &mut self.clocks[n as usize - 1];
        let passed = (now - clock.at) as i64;
        clock.at = now;
        match clock.running {
            Some(Side::Left) => clock.left -= passed,
            Some(Side::Right) => clock.right -= passed,
            None => {}
        }
    }

    pub fn report(&mut self, n: u32, event: Option<ClockEvent>, off_ms: Option<i64>) -> Outcome {
        let now = self.now;
        let live = self.live;
        self.report_at(n, event, off_ms, now, live)
    }

    pub fn report_at(
        &mut self,
        n: u32,
        event: Option<ClockEvent>,
        off_ms: Option<i64>,
        happened: u64,
        live: bool,
    ) -> Outcome {
        let clock = &mut self.clocks[n as usize - 1];
        clock.seq += 1;
        let report = ClockReport {
            clock: format!("C{n}").parse().unwrap(),
            boot: clock.boot,
            seq: clock.seq,
            events: None,
            uptime_ms: happened - self.slow_ms,
            left_ms: clock.left,
            right_ms: clock.right,
            running: clock.running,
            left_presses: clock.presses[0],
            right_presses: clock.presses[1],
            flag: Some(clock.flag),
            stopped_by: None,
            battery_pct: Some(90),
            periods: None,
            event,
        };
        self.input(Input::Report(Box::new(Observation {
            report,
            happened: Venue(happened),
            bound_ms: 20,
            live,
            off_ms,
        })))
    }

    /// A status and nothing else.
    pub fn status(&mut self, n: u32) {
        self.reckon(n);
        self.report(n, None, Some(0));
    }

    pub fn start(&mut self, n: u32) {
        self.reckon(n);
        self.clocks[n as usize - 1].running = Some(Side::Left);
        self.report(n, Some(ClockEvent::Start { side: Side::Left, by: By::Button }), Some(0));
    }

    pub fn press(&mut self, n: u32) {
        self.reckon(n);
        let increment = i64::from(self.regulations.increment_ms);
        let clock = &mut self.clocks[n as usize - 1];
        let side = clock.running.expect("somebody's time runs");
        clock.presses[side as usize] += 1;
        match side {
            Side::Left => clock.left += increment,
            Side::Right => clock.right += increment,
        }
        clock.running = Some(side.other());
        self.report(n, Some(ClockEvent::Press { side }), Some(0));
    }

    pub fn stop(&mut self, n: u32, by: By) -> Side {
        self.reckon(n);
        let side = self.clocks[n as usize - 1].running.take().expect("somebody's time runs");
        self.report(n, Some(ClockEvent::Stop { by }), Some(0));
        side
    }

    pub fn resume(&mut self, n: u32, side: Side, by: By) {
        self.reckon(n);
        self.clocks[n as usize - 1].running = Some(side);
        self.report(n, Some(ClockEvent::Resume { by }), Some(0));
    }

    /// The running side's time runs out.
    pub fn flag(&mut self, n: u32) -> Side {
        self.reckon(n);
        let clock = &self.clocks[n as usize - 1];
        let side = clock.running.expect("somebody's time runs");
        let left = if side == Side::Left { clock.left } else { clock.right };
        self.wait(left as u64);
        self.reckon(n);
        let clock = &mut self.clocks[n as usize - 1];
        clock.flag = Some(side);
        clock.running = None;
        self.report(n, Some(ClockEvent::Flag { side }), Some(0));
        side
    }

    pub fn reset(&mut self, n: u32, by: By) {
        self.reckon(n);
        let base = i64::from(self.regulations.base_ms);
        let clock = &mut self.clocks[n as usize - 1];
        *clock = Clock {
            left: base,
            right: base,
            running: None,
            presses: [0; 2],
            flag: None,
            at: clock.at,
            boot: clock.boot,
            seq: clock.seq,
        };
        self.report(n, Some(ClockEvent::Reset { by }), None);
    }

    /// Switched off and on again: as new, with another boot.
    pub fn reboot(&mut self, n: u32, off_ms: u64) {
        self.wait(off_ms);
        let base = i64::from(self.regulations.base_ms);
        let now = self.now;
        let clock = &mut self.clocks[n as usize - 1];
        *clock = Clock {
            left: base,
            right: base,
            running: None,
            presses: [0; 2],
            flag: None,
            at: now,
            boot: clock.boot + 1,
            seq: 0,
        };
        self.report(n, Some(ClockEvent::Boot(Default::default())), None);
    }

    /// The clock of a board does what it was ordered last.
    pub fn obey(&mut self, n: u32) {
        let clock: flagfall_clock::ClockId = format!("C{n}").parse().unwrap();
        let orders: Vec<Order> = self.orders.iter().filter(|order| order.clock == clock).cloned().collect();
        self.orders.retain(|order| order.clock != clock);
        for order in orders {
            self.reckon(n);
            let state = &mut self.clocks[n as usize - 1];
            let event = match order.action {
                Action::Stop => {
                    state.running = None;
                    ClockEvent::Stop { by: By::Command }
                }
                Action::Resume => {
                    state.running =
                        Some(if state.presses[0] > state.presses[1] { Side::Right } else { Side::Left });
                    ClockEvent::Resume { by: By::Command }
                }
                Action::Adjust { left_delta_ms, right_delta_ms } => {
                    state.left += left_delta_ms;
                    state.right += right_delta_ms;
                    ClockEvent::Adjust { by: By::Command }
                }
                Action::SetTimes(times) => {
                    (state.left, state.right) = (times.left_ms, times.right_ms);
                    for (own, set) in state.presses.iter_mut().zip([times.left_presses, times.right_presses])
                    {
                        *own = set.unwrap_or(*own);
                    }
                    ClockEvent::Adjust { by: By::Command }
                }
                Action::Show { .. } => continue,
                Action::Configure { time_control, .. } => {
                    (state.left, state.right) = (time_control.base_ms.into(), time_control.base_ms.into());
                    (state.presses, state.running, state.flag) = ([0; 2], None, None);
                    ClockEvent::Reset { by: By::Command }
                }
                Action::Start { side } => {
                    state.running = Some(side);
                    match state.presses {
                        [0, 0] => ClockEvent::Start { side, by: By::Command },
                        // in a game that has begun it says which side runs on
                        _ => ClockEvent::Resume { by: By::Command },
                    }
                }
                other => panic!("no test expects {other:?}"),
            };
            self.report(n, Some(event), None);
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, Refused> {
        self.ask_as(Role::Chief, method, params)
    }

    pub fn ask_as(&mut self, role: Role, method: &str, params: Value) -> Result<Value, Refused> {
        self.no += 1;
        let no = self.no;
        let who = Who { name: "裁判长".into(), role };
        let out = self.input(Input::Ask { no, who, method: method.into(), params });
        out.answers.into_iter().find(|(to, _)| *to == no).map_or(Ok(Value::Null), |(_, answer)| answer)
    }

    pub fn round_starts(&mut self) {
        self.ask("round.start", json!({})).unwrap();
    }

    /// Rulings as last told, in order of their ids.
    pub fn rulings(&self) -> Vec<Ruling> {
        let mut all: Vec<Ruling> = vec![];
        for event in &self.events {
            if let News::Ruling(ruling) = &event.news {
                all.retain(|known| known.id != ruling.id);
                all.push(ruling.clone());
            }
        }
        all.sort_by_key(|ruling| ruling.id);
        all
    }

    pub fn ruling(&self, kind: RulingKind) -> Ruling {
        let found: Vec<Ruling> = self.rulings().into_iter().filter(|ruling| ruling.kind == kind).collect();
        assert_eq!(found.len(), 1, "one ruling of {kind:?}");
        found.into_iter().next().unwrap()
    }

    /// Incidents as last told.
    pub fn incidents(&self) -> Vec<Incident> {
        let mut all: Vec<Incident> = vec![];
        for event in &self.events {
            if let News::Incident(incident) = &event.news {
                all.retain(|known| known.id != incident.id);
                all.push(incident.clone());
            }
        }
        all
    }

    pub fn open(&self, kind: IncidentKind) -> Vec<Incident> {
        self.incidents().into_iter().filter(|i| i.kind == kind && i.state == IncidentState::Open).collect()
    }

    pub fn result(&self, board: &str) -> Option<BoardResult> {
        let last = self.events.iter().rev().find_map(|event| match &event.news {
            News::Result(result) if event.board.as_deref() == Some(board) => Some(result.clone()),
            _ => None,
        });
        last.filter(|result| !result.withdrawn)
    }

    /// Recovery from what was kept, and replay of what was heard, end where this hall is.
    pub fn recovers(&self) {
        let (folded, _) = self.replayed(|_, _, _| {});
        same(&folded, &self.rules, "at the end");
    }

    /// The same, and at every step on the way.
    pub fn recovers_at_every_step(&self) {
        self.replayed(|folded, decided, input| {
            folded.folded();
            same(folded, decided, &format!("{input:?}"));
        });
        self.recovers();
    }

    /// Folds what was kept, as it is read back from its text, and decides what was heard again.
    fn replayed(&self, mut look: impl FnMut(&mut Rules, &Rules, &Input)) -> (Rules, Rules) {
        let (mut folded, mut decided) = (Rules::new(self.setup.clone()), Rules::new(self.setup.clone()));
        for (at, input, decisions) in &self.log {
            folded.fold_input(*at, input);
            for decision in decisions {
                let text = serde_json::to_string(decision).unwrap();
                folded.fold_decision(*at, &serde_json::from_str(&text).unwrap());
            }
            let mut out = Outcome::default();
            decided.handle(*at, input, &mut out);
            assert_eq!(&out.decisions, decisions, "replay decides the same");
            look(&mut folded, &decided, input);
        }
        folded.folded();
        (folded, decided)
    }

    /// A clock's link is lost or comes back.
    pub fn link(&mut self, n: u32, online: bool, cause: &str) {
        let clock = format!("C{n}").parse().unwrap();
        self.input(Input::Link { clock, online, by: "line".into(), cause: cause.into() });
    }

    pub fn news(&self, name: &str) -> Vec<&Event> {
        self.events.iter().filter(|event| event.r#type == name).collect()
    }
}

fn same(folded: &Rules, decided: &Rules, when: &str) {
    let desk = flagfall_arbiter::Audience::Desk;
    assert_eq!(folded.snapshot(desk), decided.snapshot(desk), "{when}");
    assert_eq!(folded.head(), decided.head(), "{when}");
    assert_eq!(folded.next_deadline(), decided.next_deadline(), "the same falls due: {when}");
}
