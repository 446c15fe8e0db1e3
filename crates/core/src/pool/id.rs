use std::fmt;
use std::rc::Rc;

/// All slices of one driver with one pool name. Orders by driver, then pool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolId {
    /// Driver.
    pub driver: Rc<str>,
    /// Pool name.
    pub pool: Rc<str>,
}

/// One device of a pool. Orders by driver, pool, device. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceId {
    /// Driver.
    pub driver: Rc<str>,
    /// Pool name.
    pub pool: Rc<str>,
    /// Device name.
    pub device: Rc<str>,
}

impl PoolId {
    /// The id of a driver's pool.
    pub fn new(driver: &str, pool: &str) -> Self {
        Self { driver: driver.into(), pool: pool.into() }
    }

    /// The id of a device of this pool.
    pub fn device(&self, device: &str) -> DeviceId {
        DeviceId {
            driver: Rc::clone(&self.driver),
            pool: Rc::clone(&self.pool),
            device: device.into(),
        }
    }
}

impl DeviceId {
    /// The id of a device.
    pub fn new(driver: &str, pool: &str, device: &str) -> Self {
        Self { driver: driver.into(), pool: pool.into(), device: device.into() }
    }

    /// The device's pool.
    pub fn pool_id(&self) -> PoolId {
        PoolId { driver: Rc::clone(&self.driver), pool: Rc::clone(&self.pool) }
    }
}

impl fmt::Display for PoolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.driver, self.pool)
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.driver, self.pool, self.device)
    }
}
