// Go 1.21 or newer, standard library only.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

type heard struct {
	Secret   string
	Messages []struct {
		Headers map[string]string
		Body    string
	}
	Next string `json:"next_cursor"`
}

// listen waits for webhooks. Without after it returns at once: webhooks from now on.
func listen(after string) (heard heard) {
	address := os.Getenv("PARCELWAY_BASE_URL") + "/sandbox/v1/listen"
	if after != "" {
		address += "?after=" + url.QueryEscape(after)
	}
	request, err := http.NewRequest("GET", address, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Api-Key", os.Getenv("PARCELWAY_API_KEY"))
	client := &http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	result := struct {
		Code, Message string
		Data          any
	}{Data: &heard}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	if result.Code != "0" {
		log.Fatalf("%s: %s", result.Code, result.Message)
	}
	return heard
}

// verified reports whether a webhook is signed with the secret, and not older than 5 minutes.
func verified(secret string, headers map[string]string, body string) bool {
	id, timestamp := headers["webhook-id"], headers["webhook-timestamp"]
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		log.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "." + body))
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(headers["webhook-signature"]) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	now := listen("")
	fmt.Println("Waiting for webhooks. Press Ctrl-C to stop.")
	for {
		now = listen(now.Next)
		for _, message := range now.Messages {
			if !verified(now.Secret, message.Headers, message.Body) {
				log.Fatal("a webhook must not be trusted")
			}
			var event struct {
				Type string
				Data struct {
					PoNumber string `json:"po_number"`
				}
			}
			json.Unmarshal([]byte(message.Body), &event)
			fmt.Println("VERIFIED", event.Type, event.Data.PoNumber)
		}
	}
}
