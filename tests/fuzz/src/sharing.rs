//! Laws of links: any fragment is read or refused, and what is read can be shared again.

use dra_playground_core::workspace::link::{Fragment, decode, encode};

/// What stands behind the `#` of an address.
pub(crate) fn link(bytes: &[u8]) {
    let fragment = crate::text(bytes);
    let _ = Fragment::parse(&fragment);
    if let Ok(shared) = decode(&fragment) {
        assert_eq!(decode(&encode(&shared)).as_ref(), Ok(&shared), "{fragment:?}");
    }
}
