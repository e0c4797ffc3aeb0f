// The time of one power-up, in nanoseconds, and the alarms set on it. rp2040js asks its clock for `nanos`, `micros`
// and `createAlarm`; this one keeps the earliest alarm in a field, so that the loop over instructions compares two
// numbers and allocates nothing. Alarms due at the same time ring in the order in which they were first set.

class Alarm {
  constructor(time, ring) {
    this.time = time;
    this.ring = ring;
    this.at = Infinity;
    this.known = false;
  }

  schedule(nanos) {
    this.scheduleAt(this.time.nanos + nanos);
  }

  scheduleAt(at) {
    const { time } = this;
    if (!this.known) {
      this.known = true;
      time.alarms.push(this);
    }
    const wasFirst = this.at === time.due;
    this.at = at;
    if (at <= time.due) time.due = at;
    else if (wasFirst) time.findDue();
  }

  cancel() {
    if (this.at === Infinity) return;
    const wasFirst = this.at === this.time.due;
    this.at = Infinity;
    if (wasFirst) this.time.findDue();
  }

  get scheduled() {
    return this.at !== Infinity;
  }
}

export class PowerUpTime {
  constructor() {
    this.nanos = 0;
    this.due = Infinity;
    this.alarms = [];
  }

  get micros() {
    return this.nanos / 1000;
  }

  createAlarm(ring) {
    return new Alarm(this, ring);
  }

  findDue() {
    let due = Infinity;
    for (const alarm of this.alarms) if (alarm.at < due) due = alarm.at;
    this.due = due;
  }

  /** Rings all that is due up to now. Each sees the time it was set to, as a comparator in hardware would. */
  ringDue() {
    const now = this.nanos;
    while (this.due <= now) {
      const alarm = this.alarms.find((candidate) => candidate.at === this.due);
      this.nanos = alarm.at;
      alarm.at = Infinity;
      this.findDue();
      alarm.ring();
    }
    this.nanos = now;
  }

  /** Goes on to `nanos`, which is not before now, and rings what is due on the way. */
  goTo(nanos) {
    this.nanos = nanos;
    if (this.due <= nanos) this.ringDue();
  }
}
