# A client for Go by oapi-codegen. Pinned: a newer generator writes another client.
go version || { echo 'needs Go 1.24 or newer'; exit 69; }
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml -o parcelway/client.go openapi.json
go vet ./...
go build -o submit .
./submit
