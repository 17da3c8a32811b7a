package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
)

const toleranceSeconds = 300

var timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)

// IsGenuine tells whether a delivery comes from the platform and is fresh. The body is what arrived, before anything
// parses it; a missing header is an empty string. Give time.Now().Unix() as now.
func IsGenuine(secret, timestamp, signature string, body []byte, now int64) bool {
	if !timestampForm.MatchString(timestamp) {
		return false
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now-sent > toleranceSeconds || sent-now > toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}
