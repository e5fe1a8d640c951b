// Command submit uploads two PDFs, submits a forecast, lets the sandbox weigh the parcel, and reads the weighing, with a client
// generated with oapi-codegen.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"example.com/parcelway-client/parcelway"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	poNumber := fmt.Sprintf("PO-GO-%d", time.Now().UnixMilli())
	label, err := upload(ctx, client, "label", poNumber)
	if err != nil {
		return err
	}
	note, err := upload(ctx, client, "packing-list", poNumber)
	if err != nil {
		return err
	}
	submitted, err := client.SubmitForecastWithResponse(ctx, &parcelway.SubmitForecastParams{IdempotencyKey: key("submit", poNumber)}, parcelway.ForecastSubmission{
		PoNumber:      poNumber,
		WarehouseCode: os.Getenv("PARCELWAY_WAREHOUSE_CODE"),
		ShippingLabel: &label,
		ShippingNote:  &note,
		Items:         []parcelway.ForecastItem{{SkuCode: "TSHIRT-M", ProductNameEn: "Cotton T-shirt", ForecastQuantity: 2}},
	})
	if err != nil {
		return err
	}
	if submitted.JSON200 == nil {
		return fmt.Errorf("submission: %s", submitted.Body)
	}
	fmt.Println("submitted", submitted.JSON200.Data.ForecastNo)

	weight := float64(1.84)
	simulated, err := client.SimulateWithResponse(
		ctx,
		&parcelway.SimulateParams{IdempotencyKey: key("weigh", poNumber)},
		parcelway.Simulation{PoNumber: poNumber, Step: "weigh", WeightKg: &weight},
	)
	if err != nil {
		return err
	}
	if simulated.JSON200 == nil {
		return fmt.Errorf("simulation: %s", simulated.Body)
	}
	kilograms, err := weighing(ctx, client, poNumber)
	if err != nil {
		return err
	}
	fmt.Println("weighed", kilograms, "kg")

	unknown, err := client.QueryWeighingWithResponse(ctx, &parcelway.QueryWeighingParams{PoNumber: "PO-UNKNOWN"})
	if err != nil {
		return err
	}
	if unknown.JSON404 == nil {
		return fmt.Errorf("a forecast that does not exist: %s", unknown.Body)
	}
	fmt.Println("refused", unknown.JSON404.Code)
	return nil
}

// newClient trusts the certificate that the sandbox on your machine made for itself; a public one needs no TLS configuration.
func newClient() (*parcelway.ClientWithResponses, error) {
	pem, err := os.ReadFile(os.Getenv("PARCELWAY_CA_FILE"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("PARCELWAY_CA_FILE holds no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	return parcelway.NewClientWithResponses(
		os.Getenv("PARCELWAY_BASE_URL"),
		parcelway.WithHTTPClient(&http.Client{Transport: transport}),
		parcelway.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-Api-Key", os.Getenv("PARCELWAY_API_KEY"))
			return nil
		}),
	)
}

// key is an Idempotency-Key: a call that is sent again with it has no second effect.
func key(call, poNumber string) *string {
	key := call + "-" + poNumber
	return &key
}

func upload(ctx context.Context, client *parcelway.ClientWithResponses, name, poNumber string) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", name+".pdf")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(file, "%%PDF-1.4\n%% %s of %s\nstartxref\n0\n%%%%EOF\n", name, poNumber)
	if err := form.Close(); err != nil {
		return "", err
	}
	uploaded, err := client.UploadPdfWithBodyWithResponse(ctx, &parcelway.UploadPdfParams{IdempotencyKey: key(name, poNumber)}, form.FormDataContentType(), &body)
	if err != nil {
		return "", err
	}
	if uploaded.JSON200 == nil {
		return "", fmt.Errorf("upload: %s", uploaded.Body)
	}
	return uploaded.JSON200.Data.Url, nil
}

// weighing waits until the warehouse has written it back.
func weighing(ctx context.Context, client *parcelway.ClientWithResponses, poNumber string) (float64, error) {
	for {
		found, err := client.QueryWeighingWithResponse(ctx, &parcelway.QueryWeighingParams{PoNumber: poNumber})
		if err != nil {
			return 0, err
		}
		if found.JSON200 == nil {
			return 0, fmt.Errorf("weighing: %s", found.Body)
		}
		if weight := found.JSON200.Data.WeightKg; weight != nil {
			return *weight, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}
