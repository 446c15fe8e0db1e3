//! Names of devices that tell them apart: with the pool, and the driver too, where several have one name.

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{CardView, RequestVerdicts, Snapshot};

use super::format;
use super::strands::{KEPT, ending};
use crate::words::Words;

/// A driver and the name of one of its pools.
pub(crate) type Pool<'a> = (&'a str, &'a str);

/// The devices that are spoken of together.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    snapshot: &'a Snapshot,
    /// Their pools, in order.
    pools: Vec<Pool<'a>>,
    /// Themselves by name; empty when all are of one pool, whose names differ.
    by_name: Vec<usize>,
}

impl<'a> Names<'a> {
    /// Of all devices that requests were asked about.
    pub(crate) fn asked(snapshot: &'a Snapshot, requests: &[&RequestVerdicts]) -> Self {
        let groups = requests.iter().flat_map(|it| &it.groups);
        Self::of(snapshot, groups.flat_map(|it| it.devices.iter().copied()).collect())
    }

    /// Of some devices.
    pub(crate) fn of(snapshot: &'a Snapshot, mut devices: Vec<usize>) -> Self {
        devices.order();
        devices.dedup();
        let mut this = Self { snapshot, pools: Vec::new(), by_name: Vec::new() };
        let mut pools: Vec<Pool<'a>> = devices.iter().map(|at| this.pool(*at)).collect();
        pools.dedup();
        pools.order();
        pools.dedup();
        if pools.len() > 1 {
            devices.order_by(|a, b| this.name(*a).cmp(this.name(*b)));
            this.by_name = devices;
        }
        this.pools = pools;
        this
    }

    fn name(&self, at: usize) -> &'a str {
        self.snapshot.devices.get(at).map_or("", |it| it.device.device.as_str())
    }

    /// The pool of a device.
    pub(crate) fn pool(&self, at: usize) -> Pool<'a> {
        let key = self.snapshot.devices.get(at).map(|it| &it.device);
        key.map_or(("", ""), |key| (key.driver.as_str(), key.pool.as_str()))
    }

    /// The name of a device.
    pub(crate) fn device(&self, at: usize) -> String {
        let name = self.name(at);
        let first = self.by_name.partition_point(|it| self.name(*it) < name);
        let alike = self.by_name.iter().skip(first).take_while(|it| self.name(**it) == name);
        told_apart(name, self.pool(at), alike.map(|it| self.pool(*it)))
    }

    /// The name of a card.
    fn card(&self, card: &CardView) -> String {
        let here =
            |it: &&CardView| it.name == card.name && self.pools.binary_search(&pool_of(it)).is_ok();
        let alike = self.snapshot.cards.iter().filter(here);
        told_apart(&card.name, pool_of(card), alike.map(pool_of))
    }

    /// A name for several devices (in ascending order), and how many cards they are when they are
    /// whole ones.
    pub(crate) fn devices(&self, words: &Words, indexes: &[usize]) -> (String, Option<usize>) {
        if indexes.len() < 4 {
            let names: Vec<String> = indexes.iter().map(|at| self.device(*at)).collect();
            return (names.join(words.comma), None);
        }
        let mut member = vec![false; self.snapshot.devices.len()];
        for index in indexes {
            if let Some(slot) = member.get_mut(*index) {
                *slot = true;
            }
        }
        let is_member = |index: &usize| member.get(*index).copied().unwrap_or(false);
        let mut whole: Vec<usize> = Vec::new();
        let mut covered = 0;
        for (at, card) in self.snapshot.cards.iter().enumerate() {
            if !card.devices.is_empty() && card.devices.iter().all(is_member) {
                covered += card.devices.len();
                whole.push(at);
            }
        }
        if covered == indexes.len() && whole.len() < covered {
            let card =
                |at: usize| self.snapshot.cards.get(at).map_or(String::new(), |it| self.card(it));
            return (format::runs(words, &whole, card), Some(whole.len()));
        }
        (format::runs(words, indexes, |at| self.device(at)), None)
    }
}

/// The pool of a card.
pub(crate) fn pool_of(card: &CardView) -> Pool<'_> {
    (&card.driver, &card.pool)
}

/// A name, with as much before it as tells it from others of the same name in these pools.
pub(crate) fn told_apart<'a>(
    name: &str,
    (driver, pool): Pool<'_>,
    alike: impl Iterator<Item = Pool<'a>>,
) -> String {
    let others: Vec<&str> = alike.filter(|it| *it != (driver, pool)).map(|it| it.1).collect();
    if others.is_empty() {
        name.to_owned()
    } else if others.contains(&pool) {
        format!("{driver}/{pool}/{name}")
    } else {
        format!("{pool}/{name}")
    }
}

/// Labels of pools that stand beside each other: the shortest that differ.
pub(crate) fn pool_labels(pools: &[Pool<'_>]) -> Vec<String> {
    let ways: [fn(&Pool<'_>) -> String; 4] = [
        |it| ending(it.1, KEPT),
        |it| it.0.split('.').next().unwrap_or_default().to_owned(),
        |it| it.1.to_owned(),
        |it| format!("{}/{}", it.0.split('.').next().unwrap_or_default(), it.1),
    ];
    let differ = |labels: &Vec<String>| {
        let mut sorted = labels.clone();
        sorted.order();
        sorted.dedup();
        sorted.len() == labels.len()
    };
    let mut tried = ways.iter().map(|way| pools.iter().map(way).collect());
    let whole = || pools.iter().map(|it| format!("{}/{}", it.0, it.1)).collect();
    tried.find(differ).unwrap_or_else(whole)
}

#[cfg(test)]
mod tests {
    use dra_playground_core::workspace::report::{DeviceKey, DeviceView, VerdictGroup};

    use super::*;

    /// A snapshot of `driver/pool/device`s, each a card, and a request that was asked about all.
    fn scene(paths: &[&str]) -> (Snapshot, RequestVerdicts) {
        let mut snapshot = Snapshot::default();
        for (at, path) in paths.iter().enumerate() {
            let parts: Vec<&str> = path.split('/').collect();
            let [driver, pool, device] = [parts[0], parts[1], parts[2]].map(str::to_owned);
            snapshot.cards.push(CardView {
                name: device.clone(),
                driver: driver.clone(),
                pool: pool.clone(),
                devices: vec![at],
                ..CardView::default()
            });
            let device = DeviceKey { driver, pool, device };
            snapshot.devices.push(DeviceView { device, ..DeviceView::default() });
        }
        let group = VerdictGroup { devices: (0..paths.len()).collect(), ..Default::default() };
        (snapshot, RequestVerdicts { groups: vec![group], ..Default::default() })
    }

    #[test]
    fn a_name_has_what_tells_it_apart() {
        let paths = ["a/one/gpu-0", "a/two/gpu-0", "b/one/gpu-1", "a/one/gpu-1", "a/one/gpu-2"];
        let (snapshot, verdicts) = scene(&paths);
        let names = Names::asked(&snapshot, &[&verdicts]);
        let said: Vec<String> = (0..paths.len()).map(|at| names.device(at)).collect();
        assert_eq!(said, ["one/gpu-0", "two/gpu-0", "b/one/gpu-1", "a/one/gpu-1", "gpu-2"]);
        let words = crate::words::words("en");
        assert_eq!(names.devices(words, &[0, 1]).0, "one/gpu-0, two/gpu-0");
        assert_eq!(names.card(&snapshot.cards[1]), "two/gpu-0");
    }

    #[test]
    fn pools_that_are_not_spoken_of_lengthen_no_name() {
        let (snapshot, mut verdicts) = scene(&["a/one/gpu-0", "a/two/gpu-0"]);
        verdicts.groups[0].devices = vec![1];
        let names = Names::asked(&snapshot, &[&verdicts]);
        assert_eq!(names.device(1), "gpu-0");
        assert_eq!(names.card(&snapshot.cards[1]), "gpu-0");
    }

    #[test]
    fn pools_have_the_shortest_labels_that_differ() {
        assert_eq!(pool_labels(&[("gpu.x.io", "a"), ("gpu.x.io", "b")]), ["a", "b"]);
        assert_eq!(pool_labels(&[("gpu.x.io", "n"), ("nic.x.io", "n")]), ["gpu", "nic"]);
        let long = [("x", "rack-1-with-a-long-name-1"), ("x", "rack-1-with-a-long-name-2")];
        assert_eq!(pool_labels(&long), ["…long-name-1", "…long-name-2"]);
        let three = [("gpu.x.io", "n"), ("nic.x.io", "n"), ("gpu.x.io", "m")];
        assert_eq!(pool_labels(&three), ["gpu/n", "nic/n", "gpu/m"]);
        let same = [("gpu.x.io", "n"), ("gpu.y.io", "n")];
        assert_eq!(pool_labels(&same), ["gpu.x.io/n", "gpu.y.io/n"]);
    }
}
