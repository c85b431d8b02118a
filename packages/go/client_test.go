package reliability

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The suite runs against a service: RELIABILITY_URL, RELIABILITY_KEY, and WEBHOOK, a delivery that it
// signed.
func given(t *testing.T, options Options) *Client {
	t.Helper()
	if options.BaseURL == "" {
		options.BaseURL, options.Key = os.Getenv("RELIABILITY_URL"), os.Getenv("RELIABILITY_KEY")
	}
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func must[T any](t *testing.T, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, not %v", got, want)
	}
}

func report(t *testing.T, client *Client, user string) *EventRecorded {
	t.Helper()
	recorded, err := client.RecordEvent(ctx, OutcomeEvent{UserId: user, EventType: EventTypeContractFulfilled})
	return must(t, recorded, err)
}

var ctx = context.Background()

func eventually(t *testing.T, isSo func() bool) {
	t.Helper()
	for try := 0; try < 600; try++ {
		if isSo() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("it did not happen within a minute")
}

func TestMethodsTakePathThenBodyOrQuery(t *testing.T) {
	client := given(t, Options{})
	event := report(t, client, "go a b/ä").Event
	equal(t, event.UserId, "go a b/ä")
	read, err := client.ReadEvent(ctx, event.Id)
	equal(t, must(t, read, err).UserId, "go a b/ä")
	eventually(t, func() bool {
		page, err := client.ListUsers(ctx, &ListUsersQuery{Q: "go a b/", Limit: Ptr(5)})
		return len(must(t, page, err).Users) == 1
	})
	dry, err := client.RecordEvent(ctx, OutcomeEvent{UserId: "go-dry", EventType: EventTypeContractFulfilled},
		WithQuery(&RecordEventQuery{DryRun: "1"}))
	equal(t, *must(t, dry, err).DryRun, true)
}

func TestMethodsSendCsvAsItIs(t *testing.T) {
	client := given(t, Options{})
	mapping := NewMapping{Name: "go"}
	text := `{"userId": {"path": "who"}, "eventType": {"path": "what", "table": {"done": "CONTRACT_FULFILLED"}}}`
	if err := json.Unmarshal([]byte(text), &mapping.Mapping); err != nil {
		t.Fatal(err)
	}
	saved, err := client.SaveMapping(ctx, mapping)
	query := WithQuery(&CreateImportQuery{MappingId: must(t, saved, err).Id})
	started, err := client.CreateImport(ctx, CSV("who,what\ngo-row,done\n"), query)
	must(t, started, err)
	eventually(t, func() bool {
		job, err := client.ReadImport(ctx, started.Id)
		return must(t, job, err).Status == "COMPLETED" && job.CreatedCount == 1
	})
}

func TestMethodsRefuseAPartOfThePathThatWouldAddressAnotherOperation(t *testing.T) {
	for _, part := range []string{"", ".", ".."} {
		if _, err := given(t, Options{}).ReadScore(ctx, part); err == nil || !strings.Contains(err.Error(), "cannot be") {
			t.Fatal(err)
		}
	}
	if _, err := New(Options{}); err == nil || !strings.Contains(err.Error(), "BaseURL must be the address") {
		t.Fatal(err)
	}
}

func TestAChangeTellsNullFromAMissingMember(t *testing.T) {
	client := given(t, Options{})
	report(t, client, "go-named")
	named, err := client.UpdateUser(ctx, "go-named", UserChanges{DisplayName: Set("Ada")})
	equal(t, *must(t, named, err).DisplayName, "Ada")
	cleared, err := client.UpdateUser(ctx, "go-named", UserChanges{DisplayName: Null[string]()})
	equal(t, must(t, cleared, err).DisplayName, (*string)(nil))
}

func TestPagesAreReadOneAfterTheOtherAndEachItemOnce(t *testing.T) {
	client := given(t, Options{})
	var batch EventBatch
	var names []string
	for number := 0; number < 7; number++ {
		names = append(names, fmt.Sprintf("go-page-%d", number))
		batch.Events = append(batch.Events, OutcomeEvent{UserId: names[number], EventType: EventTypeContractFulfilled})
	}
	recorded, err := client.RecordEvents(ctx, batch)
	must(t, recorded, err)
	seen := map[string]int{}
	events := client.ExportEventsEach(ctx, &ExportEventsQuery{Limit: Ptr(2)})
	for events.Next() {
		seen[events.Value().UserId]++
	}
	for _, name := range names {
		equal(t, seen[name], 1)
	}
	pages := client.ExportEventsPages(ctx, &ExportEventsQuery{Limit: Ptr(4)})
	for pages.Next() {
		if pages.Value().NextCursor != nil {
			equal(t, len(pages.Value().Events), 4)
		}
	}
	equal(t, []error{events.Err(), pages.Err()}, []error{nil, nil})
	refused := given(t, Options{BaseURL: os.Getenv("RELIABILITY_URL"), Key: "crd_live_unknown"}).ListUsersEach(ctx, nil)
	equal(t, []bool{refused.Next(), IsCode(refused.Err(), CodeUnauthorized)}, []bool{false, true})
}

func TestErrorsSayWhatTheServiceSaid(t *testing.T) {
	client := given(t, Options{})
	_, err := client.RecordEvent(ctx, OutcomeEvent{UserId: "x", EventType: "NONSENSE"})
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	equal(t, []any{refused.Status, refused.Code, refused.Retryable}, []any{400, CodeValidationError, false})
	equal(t, refused.Invalid()[0].Path, "eventType")
	if _, err := client.ReadScore(ctx, "go-nobody"); !IsCode(err, CodeUserNotFound) {
		t.Fatal(err)
	}
	var lost *ConnectionError
	if _, err := given(t, Options{BaseURL: "http://127.0.0.1:9", Retries: -1}).ListPlans(ctx); !errors.As(err, &lost) {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := client.ListPlans(ended); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

type exchange struct{ key, body, lastEventId string }

// serving answers the nth request with answer(n, …), where a panic hangs up.
func serving(t *testing.T, answer func(number int, w http.ResponseWriter)) (*Client, *[]exchange) {
	var requests []exchange
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, exchange{r.Header.Get("Idempotency-Key"), string(body), r.Header.Get("Last-Event-ID")})
		answer(len(requests), w)
	}))
	t.Cleanup(server.Close)
	return given(t, Options{BaseURL: server.URL, Key: "k"}), &requests
}

func hangUp() { panic(http.ErrAbortHandler) }

func TestAfterALostAnswerTheSameWriteIsSentWithTheSameKey(t *testing.T) {
	client, requests := serving(t, func(number int, w http.ResponseWriter) {
		if number == 1 {
			hangUp()
		}
		fmt.Fprint(w, `{"eventId": "e"}`)
	})
	report(t, client, "u")
	equal(t, len(*requests), 2)
	equal(t, (*requests)[0], (*requests)[1])
	if (*requests)[0].key == "" {
		t.Fatal("no key")
	}
}

func TestAWriteThatTakesNoKeyIsNotRepeated(t *testing.T) {
	client, requests := serving(t, func(int, http.ResponseWriter) { hangUp() })
	var lost *ConnectionError
	if _, err := client.ReadScores(ctx, ScoresRequest{UserIds: []string{"u"}}); !errors.As(err, &lost) {
		t.Fatal(err)
	}
	equal(t, len(*requests), 1)
}

func TestRetriesFollowWhatTheServiceCallsRetryable(t *testing.T) {
	for _, one := range []struct {
		isRetryable bool
		retryAfter  string
		tries       int
	}{{true, "0", 3}, {false, "", 1}, {true, "61", 1}} {
		client, requests := serving(t, func(number int, w http.ResponseWriter) {
			if number == 3 {
				fmt.Fprint(w, `{}`)
				return
			}
			w.Header().Set("Retry-After", one.retryAfter)
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintf(w, `{"error": "no", "code": "OVERLOADED", "requestId": "r", "retryable": %t}`, one.isRetryable)
		})
		_, err := client.ReadScores(ctx, ScoresRequest{UserIds: []string{"u"}})
		equal(t, err == nil, one.tries == 3)
		equal(t, len(*requests), one.tries)
	}
}

func TestTheStreamBringsEnvelopesAsTheyAreWritten(t *testing.T) {
	client := given(t, Options{})
	stream := client.StreamEvents(ctx, StreamOptions{Types: []string{"score.updated"}})
	go func() {
		time.Sleep(time.Second)
		report(t, client, "go-stream")
	}()
	for stream.Next() {
		var data ScoreUpdatedEnvelopeData
		if err := stream.Value().Decode(&data); err != nil {
			t.Fatal(err)
		}
		if data.User.ExternalId == "go-stream" {
			return
		}
	}
	t.Fatal(stream.Err())
}

func TestTheStreamResumesAfterTheLastPositionAndSaysThatEnvelopesWereMissed(t *testing.T) {
	blocks := []string{
		"retry: 1\nid: position\n\n: heartbeat\n\nid: one\ndata: {\"type\": \"a\"}\n\nid: cut\ndata: {\"ty",
		"event: reset\ndata: {\"reason\": \"too_old\"}\n\n",
	}
	client, requests := serving(t, func(number int, w http.ResponseWriter) { fmt.Fprint(w, blocks[number-1]) })
	stream := client.StreamEvents(ctx, StreamOptions{})
	equal(t, []any{stream.Next(), stream.Value().Type}, []any{true, "a"})
	equal(t, []any{stream.Next(), stream.Value().Type, stream.Value().Reason}, []any{true, "reset", "too_old"})
	equal(t, (*requests)[1].lastEventId, "one")
	refused := given(t, Options{BaseURL: os.Getenv("RELIABILITY_URL"), Key: "k"}).StreamEvents(ctx, StreamOptions{})
	equal(t, []bool{refused.Next(), IsCode(refused.Err(), CodeUnauthorized)}, []bool{false, true})
}

func TestWebhooks(t *testing.T) {
	var sent struct {
		Body, Secret, Url string
		Headers           map[string]string
		Keys              []KeyDirectoryKey
	}
	if err := json.Unmarshal([]byte(os.Getenv("WEBHOOK")), &sent); err != nil {
		t.Fatal(err)
	}
	signed := func(change ...string) http.Header {
		header := http.Header{}
		for name, value := range sent.Headers {
			header.Set(name, value)
		}
		for index := 0; index < len(change); index += 2 {
			header.Set(change[index], change[index+1])
		}
		return header
	}
	options := &VerifyOptions{URL: sent.Url, Keys: sent.Keys}
	envelope, err := VerifyWebhook([]byte(sent.Body), signed(), sent.Secret, options)
	equal(t, must(t, envelope, err).Type, "score.updated")
	for _, part := range []string{"X-Service-Signature", "Webhook-Signature"} {
		header := signed()
		header.Del(part)
		envelope, err := VerifyWebhook([]byte(sent.Body), header, sent.Secret, nil)
		must(t, envelope, err)
	}
	forged := []struct {
		body, secret string
		header       http.Header
	}{
		{sent.Body, "whsec_AAAA", signed()},
		{sent.Body + " ", sent.Secret, signed()},
		{sent.Body, sent.Secret, signed("X-Service-Signature", strings.Repeat("0", 64))},
		{sent.Body, sent.Secret, signed("X-Service-Timestamp", "1")},
		{sent.Body, sent.Secret, signed("X-Service-Timestamp", "NaN")},
		{sent.Body, sent.Secret, signed("webhook-signature", "v1,AAAA")},
		{sent.Body, sent.Secret, signed("webhook-id", "another")},
		{sent.Body, sent.Secret, signed("webhook-timestamp", "9999999999")},
		{sent.Body, sent.Secret, signed("Signature", "")},
		{sent.Body, sent.Secret, signed("Signature", "sig1=:AAAA:")},
		{sent.Body, sent.Secret, signed("Signature-Input", strings.Replace(sent.Headers["Signature-Input"], `"content-digest" `, "", 1))},
		{sent.Body, sent.Secret, http.Header{}},
	}
	for number, one := range forged {
		var refused *WebhookError
		if _, err := VerifyWebhook([]byte(one.body), one.header, one.secret, options); !errors.As(err, &refused) {
			t.Fatalf("%d: %v", number, err)
		}
	}
	elsewhere := &VerifyOptions{URL: "https://other.example/", Keys: sent.Keys}
	for _, other := range []*VerifyOptions{elsewhere, {URL: sent.Url}} {
		if _, err := VerifyWebhook([]byte(sent.Body), signed(), sent.Secret, other); err == nil {
			t.Fatal("accepted")
		}
	}
}
