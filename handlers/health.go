package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// Healthz says that the program lives.
func (h *Handlers) Healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// Readyz says whether it can work: the database answers and is migrated.
func (h *Handlers) Readyz(c echo.Context) error {
	if err := h.Ready(c.Request()); err != nil {
		h.Log.WarnContext(c.Request().Context(), "not ready", "err", err)
		return c.String(http.StatusServiceUnavailable, "not ready: the log says why\n")
	}
	return c.String(http.StatusOK, "ok\n")
}

// ServeMetrics answers Prometheus.
func (h *Handlers) ServeMetrics(c echo.Context) error {
	h.Metrics.ServeHTTP(c.Response(), c.Request())
	return nil
}

// ServeStatic sends styles, script and pictures.
func (h *Handlers) ServeStatic(c echo.Context) error {
	h.Static.ServeHTTP(c.Response(), c.Request())
	return nil
}
