package standin

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

type (
	// An xProblem refuses a whole request.
	xProblem struct {
		Errors     []xInvalid `json:"errors,omitempty"`
		Title      string     `json:"title"`
		Detail     string     `json:"detail"`
		Type       string     `json:"type"`
		Status     int        `json:"status,omitempty"`
		Reason     string     `json:"reason,omitempty"`
		ClientID   string     `json:"client_id,omitempty"`
		Enrollment string     `json:"required_enrollment,omitempty"`
		AccountID  int        `json:"account_id,omitempty"`
		Product    string     `json:"product_name,omitempty"`
		Period     string     `json:"period,omitempty"`
		Scope      string     `json:"scope,omitempty"`
	}
	xInvalid struct {
		Parameters map[string][]string `json:"parameters"`
		Message    string              `json:"message"`
	}
	// An xMissing is one thing of a good answer that is not in it.
	xMissing struct {
		Value        string `json:"value"`
		Detail       string `json:"detail"`
		Title        string `json:"title"`
		ResourceType string `json:"resource_type"`
		Parameter    string `json:"parameter"`
		ResourceID   string `json:"resource_id"`
		Type         string `json:"type"`
	}
	xOldErrors struct {
		Errors []xOldError `json:"errors"`
	}
	xOldError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
)

// xRefusal is a problem with its own status, which those without one in the body get from outside.
func xRefusal(p xProblem) answer { return asJSON(cmp.Or(p.Status, http.StatusBadRequest), p) }

func xOldRefusal(status, code int, message string) answer {
	return asJSON(status, xOldErrors{[]xOldError{{code, message}}})
}

func xBad(parameter, value, message string) answer {
	return xRefusal(xProblem{
		Errors: []xInvalid{{map[string][]string{parameter: {value}}, message}},
		Title:  "Invalid Request", Detail: "One or more parameters to your request was invalid.", Type: xProblems + "invalid-request",
	})
}

// xRefused are the answers that a token gets whatever it asks: none at all, and
// those whose first word asks for trouble.
func xRefused(token string, old bool) (answer, bool) {
	word, _, _ := strings.Cut(token, "-")
	switch {
	case token == "" || word == "revoked":
		if old {
			return xOldRefusal(http.StatusUnauthorized, 89, "Invalid or expired token."), true
		}
		return xRefusal(xProblem{Title: "Unauthorized", Type: "about:blank", Status: http.StatusUnauthorized, Detail: "Unauthorized"}), true
	case word == "capped":
		return asJSON(http.StatusTooManyRequests, xProblem{
			AccountID: 123123123, Product: "standard-basic", Title: "UsageCapExceeded", Period: "Monthly", Scope: "Product",
			Detail: "Usage cap exceeded: Monthly product cap", Type: xProblems + "usage-capped",
		}), true
	case word == "forbidden":
		return asJSON(http.StatusForbidden, xProblem{
			ClientID: "24555515", Title: "Client Forbidden", Enrollment: "Appropriate Level of API Access", Reason: "client-not-enrolled",
			Type: xProblems + "client-forbidden",
			Detail: "When authenticating requests to the Twitter API v2 endpoints, you must use " +
				"keys and tokens from a Twitter developer App that is attached to a Project.",
		}), true
	case word == "credits":
		return xRefusal(xProblem{Title: "Payment Required", Detail: "credits depleted",
			Type:   "https://api.x.com/2/problems/credits-depleted",
			Status: http.StatusPaymentRequired}), true
	}
	return answer{}, false
}

func xHurried(old bool) answer {
	if old {
		return xOldRefusal(http.StatusTooManyRequests, 88, "Rate limit exceeded")
	}
	return xRefusal(xProblem{Title: "Too Many Requests", Type: "about:blank", Status: http.StatusTooManyRequests,
		Detail: "Too Many Requests"})
}

func xNotFound(kind, parameter, value string) xMissing {
	return xMissing{
		Value: value, Detail: fmt.Sprintf("Could not find %s with %s: [%s].", kind, parameter, value), Title: "Not Found Error",
		ResourceType: kind, Parameter: parameter, ResourceID: value, Type: xProblems + "resource-not-found",
	}
}

func xNotAuthorized(id string) xMissing {
	return xMissing{
		Value: id, Detail: fmt.Sprintf("Sorry, you are not authorized to see the Tweet with ids: [%s].", id), Title: "Authorization Error",
		ResourceType: "tweet", Parameter: "ids", ResourceID: id, Type: xProblems + "not-authorized-for-resource",
	}
}

func xNoUser(name string) answer {
	return asJSON(http.StatusOK, xPosts{Errors: []xMissing{xNotFound("user", "username", name)}})
}
