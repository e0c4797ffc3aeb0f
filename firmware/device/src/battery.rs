//! How much a battery has left, from its voltage.

/// A point of a battery's curve: millivolts and percent.
pub type Point = (u16, u8);

/// Three alkaline cells in a row under the little current of a clock, after the usual discharge curves: flat in the
/// middle, and so only good to tell full from half from nearly empty.
pub const THREE_ALKALINE: [Point; 6] =
    [(4_650, 100), (4_200, 75), (3_900, 50), (3_600, 25), (3_300, 8), (3_000, 0)];

/// One lithium-ion cell.
pub const LITHIUM_ION: [Point; 6] =
    [(4_150, 100), (3_900, 75), (3_750, 50), (3_650, 25), (3_500, 10), (3_300, 0)];

/// Percent left at `millivolts`, straight between the points of `curve`, which fall.
#[must_use]
pub fn percent(millivolts: u16, curve: &[Point]) -> u8 {
    let mut above: Option<Point> = None;
    for point in curve {
        if millivolts >= point.0 {
            let Some(above) = above else { return point.1 };
            let (span, part) = (u32::from(above.0 - point.0), u32::from(millivolts - point.0));
            let gain = u32::from(above.1.saturating_sub(point.1)) * part / span.max(1);
            return point.1.saturating_add(u8::try_from(gain).unwrap_or(0));
        }
        above = Some(*point);
    }
    above.map_or(0, |last| last.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_with_the_voltage_and_never_leaves_its_range() {
        for curve in [&THREE_ALKALINE[..], &LITHIUM_ION] {
            let mut last = 100;
            for millivolts in (0..=6_000).rev() {
                let now = percent(millivolts, curve);
                assert!(now <= last, "{millivolts}");
                last = now;
            }
            assert_eq!(last, 0);
        }
        assert_eq!(percent(4_050, &THREE_ALKALINE), 62);
        assert_eq!(percent(4_650, &THREE_ALKALINE), 100);
        assert_eq!(percent(3_299, &THREE_ALKALINE), 7);
    }
}
