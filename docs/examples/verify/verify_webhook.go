// Package webhooks verifies the webhooks of the platform; standard library only.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// Verify returns an error when a webhook must not be trusted; respond with 401 then.
// Body is what io.ReadAll(r.Body) gives, not parsed; now is time.Now().
func Verify(body []byte, header http.Header, secret string, now time.Time) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" {
		return errors.New("a header is missing or malformed")
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return errors.New("the timestamp is too far away")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// During a rotation there are two signatures; one that fits is enough.
	for _, candidate := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(candidate), expected) {
			return nil
		}
	}
	return errors.New("no signature fits")
}
