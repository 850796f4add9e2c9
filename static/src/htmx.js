import htmx from "htmx.org";
import "htmx-ext-sse";

// Nothing that the content security policy forbids, and no moment in which a new button is there and does nothing.
Object.assign(htmx.config, { allowEval: false, includeIndicatorStyles: false, defaultSettleDelay: 0, selfRequestsOnly: true });
window.htmx = htmx;
