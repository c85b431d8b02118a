package reliability

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	firstDelay = 250 * time.Millisecond
	maxDelay   = 8 * time.Second
	// A server that asks for a longer pause (a monthly quota) is not retried.
	maxRetryAfter = time.Minute
)

type route struct {
	method, path string
	isKeyed      bool
}

func call[T any](ctx context.Context, c *Client, r route, parts []string, body, query any, options []Option) (*T, error) {
	content, isRaw, err := c.exchange(ctx, r, parts, body, query, options)
	if err != nil {
		return nil, err
	}
	value := new(T)
	if isRaw {
		return value, nil
	}
	return value, decode(content, value)
}

func text(ctx context.Context, c *Client, r route, parts []string, body, query any, options []Option) (string, error) {
	content, _, err := c.exchange(ctx, r, parts, body, query, options)
	return string(content), err
}

func send(ctx context.Context, c *Client, r route, parts []string, body, query any, options []Option) error {
	_, _, err := c.exchange(ctx, r, parts, body, query, options)
	return err
}

// exchange returns the body of a success, and whether the caller keeps it as it is.
func (c *Client) exchange(ctx context.Context, r route, parts []string, body, query any, options []Option) ([]byte, bool, error) {
	s := settings{query: query, headers: http.Header{}}
	s.headers.Set("Accept", "application/json, text/plain;q=0.9, */*;q=0.5")
	content, mediaType, err := encodedBody(body)
	if err != nil {
		return nil, false, err
	}
	if mediaType != "" {
		s.headers.Set("Content-Type", mediaType)
	}
	if err := c.authenticate(ctx, s.headers); err != nil {
		return nil, false, err
	}
	for _, option := range options {
		option(&s)
	}
	if r.isKeyed {
		if s.key == "" {
			s.key = newKey()
		}
		s.headers.Set("Idempotency-Key", s.key)
	}
	address, err := c.address(r.path, parts, s)
	if err != nil {
		return nil, false, err
	}
	answer, err := c.tries(ctx, r.method, address, s.headers, content)
	if err == nil && s.raw != nil {
		*s.raw = answer
	}
	return answer, s.raw != nil, err
}

func (c *Client) tries(ctx context.Context, method, address string, header http.Header, body []byte) ([]byte, error) {
	// Whether a request whose answer was lost may be sent again although it may have been executed.
	isRepeatable := method != http.MethodPost || header.Get("Idempotency-Key") != ""
	for attempt := 0; ; attempt++ {
		status, received, content, err := c.once(ctx, method, address, header, body)
		mayRetry := attempt < c.options.Retries
		wait := jittered(attempt, firstDelay, maxDelay)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			if !mayRetry || !isRepeatable {
				return nil, &ConnectionError{err}
			}
		case status >= 200 && status < 300:
			return content, nil
		default:
			refused := errorOf(status, received, content)
			if !mayRetry || !canRetry(refused, isRepeatable) || refused.RetryAfter > maxRetryAfter {
				return nil, refused
			}
			if asked := refused.RetryAfter; asked >= 0 {
				// Clients that were refused together come back one after the other.
				wait = asked + time.Duration(mathrand.Float64()*math.Min(float64(time.Second), float64(asked)))
			}
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (c *Client) once(ctx context.Context, method, address string, header http.Header, body []byte) (int, http.Header, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header = header.Clone()
	response, err := c.options.HTTPClient.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, content, err
}

func canRetry(refused *Error, isRepeatable bool) bool {
	if refused.Code != "UNKNOWN" {
		return refused.Retryable
	}
	// From proxies, which do not send the service's errors.
	return isRepeatable && refused.Status >= 502 && refused.Status <= 504
}

func (c *Client) authenticate(ctx context.Context, header http.Header) error {
	key := c.options.Key
	if c.options.KeySource != nil {
		var err error
		if key, err = c.options.KeySource(ctx); err != nil {
			return err
		}
	}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	if c.options.AdminSecret != "" {
		header.Set("X-Admin-Secret", c.options.AdminSecret)
	}
	return nil
}

func (c *Client) address(path string, parts []string, s settings) (string, error) {
	filled := path
	for _, part := range parts {
		// An empty part would address another operation, and servers resolve dots.
		if part == "" || part == "." || part == ".." {
			return "", fmt.Errorf("reliability: a part of %s cannot be %q", path, part)
		}
		before, rest, _ := strings.Cut(filled, "{")
		_, after, _ := strings.Cut(rest, "}")
		// A brace in a value is escaped, so it does not look like the next part.
		filled = before + url.PathEscape(part) + after
	}
	values, err := searchOf(s.query)
	if s.cursor != "" {
		values.Set("cursor", s.cursor)
	}
	if err != nil || len(values) == 0 {
		return c.baseURL + filled, err
	}
	return c.baseURL + filled + "?" + values.Encode(), nil
}

func searchOf(query any) (url.Values, error) {
	values, members := url.Values{}, map[string]any{}
	content, err := json.Marshal(query)
	if err == nil {
		err = decode(content, &members)
	}
	for name, value := range members {
		values.Set(name, fmt.Sprint(value))
	}
	return values, err
}

func encodedBody(body any) ([]byte, string, error) {
	switch given := body.(type) {
	case nil:
		return nil, "", nil
	case CSV:
		return []byte(given), "text/csv", nil
	case Text:
		return []byte(given), "text/plain", nil
	}
	content, err := json.Marshal(body)
	return content, "application/json", err
}

// decode keeps every digit of a number of any size.
func decode(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// optional keeps a nil pointer from becoming an interface that is not nil.
func optional[T any](value *T) any {
	if value == nil {
		return nil
	}
	return value
}

func newKey() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x", bytes)
}

func jittered(attempt int, first, longest time.Duration) time.Duration {
	delay := math.Min(float64(longest), float64(first)*math.Pow(2, float64(attempt)))
	return time.Duration(delay * (0.5 + mathrand.Float64()/2))
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
