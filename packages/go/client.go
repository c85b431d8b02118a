// Package reliability is the client of the reliability score service: a method for each operation,
// with retries, pages, the live stream and webhook signatures. It needs the standard library alone.
package reliability

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options of a client.
type Options struct {
	// BaseURL is the address of the service: https://scores.example.
	BaseURL string
	// Key is an API key.
	Key string
	// KeySource returns the present key. It goes before Key.
	KeySource func(ctx context.Context) (string, error)
	// AdminSecret is for the operations of the operator, Admin….
	AdminSecret string
	// Retries after the first try. 0: three. Negative: none.
	Retries int
	// Timeout of each try. 0: 30 s.
	Timeout time.Duration
	// HTTPClient sends the requests. Nil: a client of the defaults.
	HTTPClient *http.Client
}

// Client of one installation with one key. Goroutines can share it. Methods return an *Error if the
// service refuses, and a *ConnectionError if it cannot be reached.
type Client struct {
	options Options
	baseURL string
}

// New returns a client. It connects with its first call.
func New(options Options) (*Client, error) {
	address, err := url.Parse(options.BaseURL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, errors.New("reliability: BaseURL must be the address of the service, such as " +
			"https://scores.example, not \"" + options.BaseURL + "\"")
	}
	if options.Retries == 0 {
		options.Retries = 3
	}
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.HTTPClient == nil {
		options.HTTPClient = &http.Client{}
	}
	return &Client{options, strings.TrimRight(options.BaseURL, "/")}, nil
}

// Option of one call.
type Option func(*settings)

type settings struct {
	key     string
	query   any
	cursor  string
	headers http.Header
	raw     *[]byte
}

// WithIdempotencyKey replaces the key that is drawn for each write. Use your own to survive a restart.
func WithIdempotencyKey(key string) Option {
	return func(s *settings) { s.key = key }
}

// WithQuery adds the query of an operation that has a body: a pointer to its struct.
func WithQuery(query any) Option {
	return func(s *settings) { s.query = query }
}

// WithHeader adds a header, for example If-None-Match.
func WithHeader(name, value string) Option {
	return func(s *settings) { s.headers.Set(name, value) }
}

// WithRaw keeps the answer as it arrived, which is not decoded: a signed document, or CSV.
func WithRaw(into *[]byte) Option {
	return func(s *settings) { s.raw = into }
}

// CSV is the body of an import.
type CSV string

// Text is a body that is neither JSON nor CSV.
type Text string

// Ptr returns a pointer to a value, for members that can be left out.
func Ptr[T any](value T) *T { return &value }

// Nullable is a member of a change that can be left out (nil), Null, or Set.
type Nullable[T any] map[bool]T

// Set is a value.
func Set[T any](value T) Nullable[T] { return Nullable[T]{true: value} }

// Null removes what is stored.
func Null[T any]() Nullable[T] { return Nullable[T]{false: *new(T)} }

// MarshalJSON writes null or the value.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if value, isSet := n[true]; isSet {
		return json.Marshal(value)
	}
	return []byte("null"), nil
}
