//! Silhouettes and icons, drawn once and used by name.

use yew::{Html, html};

/// The definitions; they take no room.
pub(crate) fn symbols() -> Html {
    html! {
        <svg width="0" height="0" class="defs" aria-hidden="true"><defs>
            <symbol id="r-fit" viewBox="0 0 12 12"><circle cx="6" cy="6" r="6" fill="currentColor" /><path d="M3.2 6.2l2 2 3.6-4.2" fill="none" stroke="var(--paper)" stroke-width="1.6" /></symbol>
            <symbol id="r-qty" viewBox="0 0 12 12"><path d="M.75.75h10.5v10.5H.75z" fill="none" stroke="currentColor" stroke-width="1.5" /><path d="M1 8h10v3H1z" fill="currentColor" /></symbol>
            <symbol id="r-rule" viewBox="0 0 12 12"><circle cx="6" cy="6" r="5.1" fill="none" stroke="currentColor" stroke-width="1.5" /><path d="M3.4 6h5.2" stroke="currentColor" stroke-width="1.5" /></symbol>
            <symbol id="r-held" viewBox="0 0 12 12"><path d="M6 0l6 6-6 6-6-6z" fill="currentColor" /><path d="M4.4 4.2v3.6M7.6 4.2v3.6" stroke="var(--paper)" stroke-width="1.3" /></symbol>
            <symbol id="r-fault" viewBox="0 0 12 12"><path d="M6 .4L12 11.4H0z" fill="currentColor" /><path d="M6 4v3.6M6 8.6v1.4" stroke="var(--paper)" stroke-width="1.4" /></symbol>
            <symbol id="r-none" viewBox="0 0 12 12"><circle cx="6" cy="6" r="5" fill="none" stroke="currentColor" stroke-width="1.2" stroke-dasharray="2 2" /></symbol>
            <symbol id="i-chev" viewBox="0 0 16 16"><path d="M4.5 6.5L8 10l3.5-3.5" fill="none" stroke="currentColor" stroke-width="1.4" /></symbol>
            <symbol id="i-prev" viewBox="0 0 16 16"><path d="M10 4L6 8l4 4" fill="none" stroke="currentColor" stroke-width="1.5" /></symbol>
            <symbol id="i-next" viewBox="0 0 16 16"><path d="M6 4l4 4-4 4" fill="none" stroke="currentColor" stroke-width="1.5" /></symbol>
            <symbol id="i-play" viewBox="0 0 16 16"><path d="M5 3.5v9l7.5-4.5z" fill="currentColor" /></symbol>
            <symbol id="i-pause" viewBox="0 0 16 16"><path d="M5 3.5v9M11 3.5v9" stroke="currentColor" stroke-width="2.4" /></symbol>
            <symbol id="i-theme" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.4" /><path d="M8 2.5a5.5 5.5 0 010 11z" fill="currentColor" /></symbol>
            <symbol id="i-copy" viewBox="0 0 16 16"><path d="M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2" fill="none" stroke="currentColor" stroke-width="1.3" /></symbol>
            <symbol id="i-done" viewBox="0 0 16 16"><path d="M3 8.5l3.2 3.2L13 4.5" fill="none" stroke="currentColor" stroke-width="1.6" /></symbol>
            <symbol id="i-find" viewBox="0 0 16 16"><circle cx="7" cy="7" r="4.2" fill="none" stroke="currentColor" stroke-width="1.4" /><path d="M10.2 10.2L14 14" stroke="currentColor" stroke-width="1.4" /></symbol>
            <symbol id="i-hint" viewBox="0 0 16 16"><path d="M8 2l6 6-6 6-6-6z" fill="none" stroke="currentColor" stroke-width="1.4" /><path d="M8 5v4M8 10v1.4" stroke="currentColor" stroke-width="1.4" /></symbol>
            <symbol id="i-note" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.3" /><path d="M8 7v4.2M8 4.6v1.5" stroke="currentColor" stroke-width="1.4" /></symbol>
            <symbol id="i-menu" viewBox="0 0 16 16"><path d="M2 4.5h12M2 8h12M2 11.5h12" stroke="currentColor" stroke-width="1.4" /></symbol>
            <symbol id="i-save" viewBox="0 0 16 16"><path d="M8 2v8M4.8 7L8 10.2 11.2 7M3 11v2.5h10V11" fill="none" stroke="currentColor" stroke-width="1.4" /></symbol>
            <symbol id="i-out" viewBox="0 0 16 16"><path d="M9 3h4v4M13 3L7.5 8.5M7 4H3.5v8.5H12V9" fill="none" stroke="currentColor" stroke-width="1.3" /></symbol>
            <symbol id="i-close" viewBox="0 0 16 16"><path d="M4 4l8 8M12 4l-8 8" stroke="currentColor" stroke-width="1.5" /></symbol>
            <symbol id="i-eye" viewBox="0 0 16 16"><path d="M1 8q7-8.5 14 0-7 8.5-14 0z" fill="none" stroke="currentColor" stroke-width="1.5" /><circle cx="8" cy="8" r="2.2" fill="currentColor" /></symbol>
            <symbol id="logo" viewBox="0 0 20 20"><path d="M4 2v6M16 2v6M10 2v16" stroke="currentColor" stroke-width="2" /><path d="M1 9h5M14 9h5" stroke="currentColor" stroke-width="2" /><path d="M1 14h5M14 14h5" stroke="currentColor" stroke-width="2" opacity=".35" /></symbol>
            <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="var(--held-bg)" /><path d="M0 0v5" stroke="var(--held)" stroke-width="1.6" /></pattern>
            <pattern id="hatch2" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="5" height="5" fill="var(--held-bg)" /><path d="M0 0v5" stroke="var(--held)" stroke-width="1.6" /></pattern>
            <pattern id="hatch-out" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v6" stroke="var(--line-2)" stroke-width="1.2" /></pattern>
            <pattern id="hatch-ask" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--qty-bg)" /><path d="M0 0v6" stroke="var(--qty)" stroke-width=".9" opacity=".5" /></pattern>
        </defs></svg>
    }
}
