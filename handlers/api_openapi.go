package handlers

import (
	_ "embed"
	"net/http"

	"github.com/labstack/echo/v4"
)

//go:embed openapi.yaml
var OpenAPIDocument []byte

// OpenAPI describes the JSON interface.
func (h *Handlers) OpenAPI(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml", OpenAPIDocument)
}
