import htmx from "htmx.org";
import "htmx-ext-sse";

// Nothing that the content security policy forbids.
Object.assign(htmx.config, { allowEval: false, includeIndicatorStyles: false, selfRequestsOnly: true });
window.htmx = htmx;
