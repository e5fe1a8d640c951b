package com.example;

import com.example.parcelway.ApiClient;
import com.example.parcelway.ApiException;
import com.example.parcelway.api.FilesApi;
import com.example.parcelway.api.ForecastsApi;
import com.example.parcelway.api.SandboxApi;
import com.example.parcelway.model.ErrorEnvelope;
import com.example.parcelway.model.ForecastItem;
import com.example.parcelway.model.ForecastSubmission;
import com.example.parcelway.model.Simulation;
import com.example.parcelway.model.SimulationStep;
import com.example.parcelway.model.WeighingData;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Uploads two PDFs, submits a forecast, lets the sandbox weigh the parcel, and reads the weighing. */
public final class SubmitForecast {
  private static final Duration WEIGHED_WITHIN = Duration.ofSeconds(20);

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(setting("PARCELWAY_BASE_URL"));
    client.setHttpClientBuilder(HttpClient.newBuilder().sslContext(trusting(Path.of(setting("PARCELWAY_CA_FILE")))));
    client.setRequestInterceptor(request -> request.header("X-Api-Key", setting("PARCELWAY_API_KEY")));

    ForecastsApi forecasts = new ForecastsApi(client);
    String poNumber = "PO-JAVA-" + System.currentTimeMillis();
    ForecastSubmission submission =
        new ForecastSubmission()
            .poNumber(poNumber)
            .warehouseCode(setting("PARCELWAY_WAREHOUSE_CODE"))
            .shippingLabel(upload(client, "label", poNumber))
            .shippingNote(upload(client, "packing-list", poNumber))
            .addItemsItem(new ForecastItem().skuCode("TSHIRT-M").productNameEn("Cotton T-shirt").forecastQuantity(2));
    System.out.println("submitted " + forecasts.submitForecast(submission, null, key("submit", poNumber)).getData().getForecastNo());

    new SandboxApi(client)
        .simulate(new Simulation().poNumber(poNumber).step(SimulationStep.WEIGH).weightKg(1.84), key("weigh", poNumber));
    System.out.println("weighed " + weighing(forecasts, poNumber).getWeightKg() + " kg");

    try {
      forecasts.queryWeighing("PO-UNKNOWN");
      throw new IllegalStateException("A forecast that does not exist was found");
    } catch (ApiException failure) {
      ErrorEnvelope error = client.getObjectMapper().readValue(failure.getResponseBody(), ErrorEnvelope.class);
      System.out.println("refused " + error.getCode());
    }
  }

  /** An Idempotency-Key: a call that is sent again with it has no second effect. */
  private static String key(String call, String poNumber) {
    return call + "-" + poNumber;
  }

  private static URI upload(ApiClient client, String name, String poNumber) throws IOException, ApiException {
    Path pdf = Files.createTempFile(name, ".pdf");
    try {
      Files.writeString(pdf, "%PDF-1.4\n% " + name + " of " + poNumber + "\nstartxref\n0\n%%EOF\n");
      return URI.create(new FilesApi(client).uploadPdf(pdf.toFile(), key(name, poNumber), null).getData().getUrl());
    } finally {
      Files.delete(pdf);
    }
  }

  /** The weighing, once the warehouse has written it back. */
  private static WeighingData weighing(ForecastsApi forecasts, String poNumber) throws ApiException, InterruptedException {
    Instant deadline = Instant.now().plus(WEIGHED_WITHIN);
    while (true) {
      WeighingData data = forecasts.queryWeighing(poNumber).getData();
      if (data.getWeightKg() != null) return data;
      if (Instant.now().isAfter(deadline)) throw new IllegalStateException(poNumber + " was not weighed within " + WEIGHED_WITHIN);
      Thread.sleep(100);
    }
  }

  /** The sandbox on your machine has a certificate of its own; a public one needs none of this. */
  private static SSLContext trusting(Path certificate) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      store.setCertificateEntry("parcelway", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static String setting(String name) {
    String value = System.getenv(name);
    if (value == null) throw new IllegalStateException("Set " + name);
    return value;
  }
}
