import htmx from "htmx.org";
import "htmx-ext-sse";

window.htmx = htmx;
