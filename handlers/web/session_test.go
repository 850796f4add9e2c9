package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
)

func TestAVisitorCostsNoQuery(t *testing.T) {
	h := &Base{Sessions: NewSessions(&pg.DB{}, "")} // No database: a query would panic.
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder())
	if err := h.loadViewer(c, Anyone); err != nil || h.Viewer(c) != nil {
		t.Errorf("viewer %v, error %v; want nobody", h.Viewer(c), err)
	}
}
