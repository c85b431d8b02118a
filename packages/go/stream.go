package reliability

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	retryDelay    = 2 * time.Second
	maxRetryDelay = 30 * time.Second
	// The service sends a comment every 15 s.
	silence = 45 * time.Second
)

// Envelope is what webhooks and the stream carry.
type Envelope struct {
	Id        string          `json:"id"`
	Type      string          `json:"type"`
	Livemode  bool            `json:"livemode"`
	CreatedAt string          `json:"createdAt"`
	Data      json.RawMessage `json:"data"`
	// Reason of the type "reset": envelopes were missed. Read the current data, then go on.
	Reason string `json:"reason,omitempty"`
}

// Decode reads the data, for example into a ScoreUpdatedEnvelopeData.
func (e Envelope) Decode(into any) error { return decode(e.Data, into) }

// StreamOptions choose envelopes.
type StreamOptions struct {
	// Types of envelopes. Empty: all.
	Types []string
	// LastEventId is the envelope after which it resumes.
	LastEventId string
}

// StreamEvents reads envelopes as they are written. It connects again by itself and resumes after the
// last envelope. It ends with the context, or with an *Error if the service refuses, for example because
// the key was revoked.
func (c *Client) StreamEvents(ctx context.Context, options StreamOptions) *Iterator[Envelope] {
	address := c.baseURL + "/api/v1/events/stream"
	if len(options.Types) > 0 {
		address += "?types=" + url.QueryEscape(strings.Join(options.Types, ","))
	}
	s := &stream{client: c, address: address, lastId: options.LastEventId, retry: retryDelay}
	return &Iterator[Envelope]{next: func() (Envelope, bool, error) {
		for {
			envelope, err := s.read(ctx)
			if err == nil {
				return envelope, true, nil
			}
			s.close()
			var refused *Error
			if errors.As(err, &refused) && !refused.Retryable {
				return envelope, false, err
			}
			// The service ended the stream, the network failed, or nothing was heard for too long.
			if err := pause(ctx, jittered(s.failures, s.retry, maxRetryDelay)); err != nil {
				return envelope, false, err
			}
			s.failures++
		}
	}}
}

type stream struct {
	client   *Client
	address  string
	lastId   string
	retry    time.Duration
	failures int
	// Of the open connection.
	lines    *bufio.Reader
	silenced *time.Timer
	cancel   context.CancelFunc
}

func (s *stream) close() {
	s.lines = nil
	s.silenced.Stop()
	s.cancel()
}

func (s *stream) open(ctx context.Context) error {
	ctx, s.cancel = context.WithCancel(ctx)
	s.silenced = time.AfterFunc(silence, s.cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	if s.lastId != "" {
		request.Header.Set("Last-Event-ID", s.lastId)
	}
	if err := s.client.authenticate(ctx, request.Header); err != nil {
		return err
	}
	response, err := s.client.options.HTTPClient.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		content, _ := io.ReadAll(response.Body)
		return errorOf(response.StatusCode, response.Header, content)
	}
	s.failures, s.lines = 0, bufio.NewReader(response.Body)
	return nil
}

func (s *stream) read(ctx context.Context) (envelope Envelope, err error) {
	if s.lines == nil {
		if err = s.open(ctx); err != nil {
			return envelope, err
		}
	}
	for {
		message, err := s.message()
		if err != nil {
			return envelope, err
		}
		// Blocks that only have an id count too: the service sends its position in them.
		if message["id"] != "" {
			s.lastId = message["id"]
		}
		if milliseconds, err := strconv.ParseUint(message["retry"], 10, 31); err == nil {
			s.retry = time.Duration(milliseconds) * time.Millisecond
		}
		if message["data"] == "" {
			continue
		}
		err = json.Unmarshal([]byte(message["data"]), &envelope)
		if message["event"] == "reset" {
			envelope.Type = "reset"
		}
		return envelope, err
	}
}

func (s *stream) message() (map[string]string, error) {
	fields := map[string]string{}
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		s.silenced.Reset(silence)
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "data" && fields["data"] != "":
			fields["data"] += "\n" + value
		case name != "":
			fields[name] = value
		case line[0] != ':':
			return fields, nil
		}
	}
}
