package reliability

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// VerifyOptions change what VerifyWebhook accepts.
type VerifyOptions struct {
	// Tolerance is how far the time of a signature may be from the clock here. 0: 300 s.
	Tolerance time.Duration
	// URL of your endpoint as the service calls it. With it the third signature (RFC 9421) is verified, too.
	URL string
	// Keys of the service, from ListMessageSigningKeys.
	Keys []KeyDirectoryKey
}

// WebhookError says why a webhook is not genuine: answer 400 and do not use it.
type WebhookError struct{ Reason string }

func (e *WebhookError) Error() string { return e.Reason }

func forged(format string, values ...any) error {
	return &WebhookError{fmt.Sprintf(format, values...)}
}

// VerifyWebhook returns the envelope of a webhook, after its signatures were verified: the service's own
// and that of Standard Webhooks, of which one must be there and each that is there must hold.
//
// The body is that which arrived, since JSON that was parsed and written again has another signature.
// The secret is as it was returned when the endpoint was created, with whsec_. Options can be nil.
func VerifyWebhook(body []byte, header http.Header, secret string, options *VerifyOptions) (*Envelope, error) {
	if secret == "" {
		return nil, errors.New("reliability: the secret of the webhook is missing; it starts with whsec_")
	}
	given := VerifyOptions{Tolerance: 300 * time.Second}
	if options != nil {
		given.URL, given.Keys = options.URL, options.Keys
		if options.Tolerance != 0 {
			given.Tolerance = options.Tolerance
		}
	}
	own, standard := header.Get("X-Service-Signature"), header.Get("Webhook-Signature")
	if own == "" && standard == "" {
		return nil, forged("The webhook has no signature.")
	}
	if own != "" {
		scheme := hmacScheme{"X-Service-Signature", "X-Service-Timestamp", "", []byte(secret), hex.DecodeString}
		if err := scheme.verify(body, header, strings.Split(own, ","), given.Tolerance); err != nil {
			return nil, err
		}
	}
	if standard != "" {
		encoded := strings.TrimPrefix(secret, "whsec_")
		key, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || len(key) == 0 || encoded == secret {
			return nil, forged("A webhook secret starts with whsec_.")
		}
		prefix := header.Get("Webhook-Id") + "."
		scheme := hmacScheme{"webhook-signature", "webhook-timestamp", prefix, key, func(one string) ([]byte, error) {
			return base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "v1,"))
		}}
		if err := scheme.verify(body, header, strings.Split(standard, " "), given.Tolerance); err != nil {
			return nil, err
		}
	}
	if given.URL != "" {
		if err := given.verifyMessage(body, header); err != nil {
			return nil, err
		}
	}
	envelope := new(Envelope)
	return envelope, json.Unmarshal(body, envelope)
}

type hmacScheme struct {
	name, timestamp, prefix string
	key                     []byte
	decode                  func(string) ([]byte, error)
}

func (s hmacScheme) verify(body []byte, header http.Header, signatures []string, tolerance time.Duration) error {
	timestamp := header.Get(s.timestamp)
	if err := requireFresh(timestamp, s.timestamp, tolerance); err != nil {
		return err
	}
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(s.prefix + timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, one := range signatures {
		if given, err := s.decode(strings.TrimSpace(one)); err == nil && hmac.Equal(given, expected) {
			return nil
		}
	}
	return forged("%s does not match: wrong secret, or a changed body.", s.name)
}

func requireFresh(timestamp, name string, tolerance time.Duration) error {
	seconds, err := strconv.ParseUint(timestamp, 10, 33)
	if err != nil {
		return forged("The header %s is missing.", name)
	}
	if age := time.Since(time.Unix(int64(seconds), 0)).Abs(); age > tolerance {
		return forged("%s is %.0f s from the clock here, more than %.0f s.", name, age.Seconds(), tolerance.Seconds())
	}
	return nil
}

var (
	signatureInput = regexp.MustCompile(`^(\w+)=(\(([^)]*)\);created=(\d+);?.*;keyid="([^"]+)".*)$`)
	signature      = regexp.MustCompile(`^(\w+)=:([A-Za-z0-9+/=]+):$`)
	agentMember    = regexp.MustCompile(`(?:^|, ?)(\w+)=("[^"]*")`)
)

// verifyMessage verifies what the service signs (RFC 9421 in the web-bot-auth profile): one signature by
// one of its keys.
func (o *VerifyOptions) verifyMessage(body []byte, header http.Header) error {
	input := signatureInput.FindStringSubmatch(header.Get("Signature-Input"))
	signed := signature.FindStringSubmatch(header.Get("Signature"))
	if input == nil || signed == nil || signed[1] != input[1] {
		return forged("The message signature (RFC 9421) is missing.")
	}
	address, err := url.Parse(o.URL)
	if err != nil {
		return err
	}
	label, parameters, names, created, keyId := input[1], input[2], input[3], input[4], input[5]
	digest := sha256.Sum256(body)
	values := map[string]string{
		`"@method"`:        "POST",
		`"@authority"`:     strings.ToLower(address.Host),
		`"@path"`:          "/" + strings.TrimPrefix(address.EscapedPath(), "/"),
		`"content-digest"`: "sha-256=:" + base64.StdEncoding.EncodeToString(digest[:]) + ":",
	}
	for _, member := range agentMember.FindAllStringSubmatch(header.Get("Signature-Agent"), -1) {
		if member[1] == label {
			values[`"signature-agent";key="`+label+`"`] = member[2]
		}
	}
	base, covered := "", map[string]bool{}
	for _, name := range strings.Split(names, " ") {
		base += name + ": " + values[name] + "\n"
		covered[name] = values[name] != ""
	}
	for _, name := range []string{`"@method"`, `"@authority"`, `"@path"`, `"content-digest"`, `"signature-agent";key="` + label + `"`} {
		if !covered[name] {
			return forged("The message signature does not cover method, address, body and agent.")
		}
	}
	if err := requireFresh(created, "created of the message signature", o.Tolerance); err != nil {
		return err
	}
	base += `"@signature-params": ` + parameters
	given, _ := base64.StdEncoding.DecodeString(signed[2])
	for _, key := range o.Keys {
		public, err := base64.RawURLEncoding.DecodeString(key.X)
		if key.Kid != keyId || err != nil || len(public) != ed25519.PublicKeySize {
			continue
		}
		if !ed25519.Verify(public, []byte(base), given) {
			return forged("The message signature (RFC 9421) does not match.")
		}
		return nil
	}
	return forged("The key %s is not among the keys of the service.", keyId)
}
