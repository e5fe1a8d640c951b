package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"

	"example/webhooks"
)

func main() {
	var cases []struct {
		Secret, Body string
		Headers      map[string]string
		Now          int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, c := range cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		accepted = append(accepted, webhooks.Verify([]byte(c.Body), header, c.Secret, time.Unix(c.Now, 0)) == nil)
	}
	json.NewEncoder(os.Stdout).Encode(accepted)
}
