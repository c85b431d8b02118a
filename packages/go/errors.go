package reliability

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error says that the service refused a request, or failed.
type Error struct {
	// Status of HTTP.
	Status int `json:"-"`
	// Code is one of the constants Code…. Newer versions of the service may have further ones.
	Code    string `json:"code"`
	Message string `json:"error"`
	// Retryable says whether the same request can succeed later. The client has retried already.
	Retryable bool `json:"retryable"`
	// RetryAfter is how long to wait before the next try, as the service asked for. Negative: it did not.
	RetryAfter time.Duration `json:"-"`
	// RequestId is what to quote when you ask the operator for help.
	RequestId string `json:"requestId"`
	// Details are a list of ValidationDetail for CodeValidationError.
	Details json.RawMessage `json:"details"`
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (%s, status %d, request %s)", e.Message, e.Code, e.Status, e.RequestId)
}

// Invalid returns the invalid fields of a CodeValidationError.
func (e *Error) Invalid() []ValidationDetail {
	var fields []ValidationDetail
	if json.Unmarshal(e.Details, &fields) != nil {
		return nil
	}
	return fields
}

// IsCode says whether the service refused a request with the code.
func IsCode(err error, code string) bool {
	var refused *Error
	return errors.As(err, &refused) && refused.Code == code
}

// ConnectionError says that no complete answer arrived: the connection failed, or the time was up.
type ConnectionError struct{ Cause error }

func (e *ConnectionError) Error() string { return "no complete answer: " + e.Cause.Error() }

// Unwrap returns what happened.
func (e *ConnectionError) Unwrap() error { return e.Cause }

func errorOf(status int, header http.Header, body []byte) *Error {
	refused := &Error{}
	if json.Unmarshal(body, refused) != nil || refused.Code == "" || refused.Message == "" {
		message := fmt.Sprintf("The server answered %d without an error of the service.", status)
		refused = &Error{Code: "UNKNOWN", Message: message, RequestId: header.Get("X-Request-Id")}
	}
	refused.Status = status
	refused.RetryAfter = retryAfterOf(header)
	return refused
}

func retryAfterOf(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		if wait := time.Until(date); wait > 0 {
			return wait
		}
		return 0
	}
	return -1
}
