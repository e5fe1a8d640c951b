<?php
// Uploads two PDFs, submits a forecast, lets the sandbox weigh the parcel, and reads the weighing, with a client generated with
// openapi-generator. Needs Guzzle 7: by Composer, or as Debian's package php-guzzlehttp-guzzle.
declare(strict_types=1);

use GuzzleHttp\Client;
use Parcelway\Api\FilesApi;
use Parcelway\Api\ForecastsApi;
use Parcelway\Api\SandboxApi;
use Parcelway\ApiException;
use Parcelway\Configuration;
use Parcelway\Model\ForecastItem;
use Parcelway\Model\ForecastSubmission;
use Parcelway\Model\Simulation;
use Parcelway\Model\SimulationStep;

const WEIGHED_WITHIN_S = 20;

require is_file('vendor/autoload.php') ? 'vendor/autoload.php' : 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/generated/lib/' . str_replace('\\', '/', substr($class, strlen('Parcelway\\'))) . '.php';
    if (str_starts_with($class, 'Parcelway\\') && is_file($file)) {
        require $file;
    }
});

function setting(string $name): string
{
    $value = getenv($name);
    if ($value === false) {
        throw new RuntimeException("Set $name");
    }
    return $value;
}

/** A call that creates has an Idempotency-Key, named because optional parameters may join it: sent again with it, the call has no second effect. */
function upload(FilesApi $files, string $name, string $poNumber): string
{
    $path = sys_get_temp_dir() . "/$name-$poNumber.pdf";
    file_put_contents($path, "%PDF-1.4\n% $name of $poNumber\nstartxref\n0\n%%EOF\n");
    try {
        return $files->uploadPdf(new SplFileObject($path), idempotency_key: "$name-$poNumber")->getData()->getUrl();
    } finally {
        unlink($path);
    }
}

/** The weight, once the warehouse has written it back. */
function weighing(ForecastsApi $forecasts, string $poNumber): float
{
    $deadline = microtime(true) + WEIGHED_WITHIN_S;
    while (microtime(true) < $deadline) {
        $weight = $forecasts->queryWeighing($poNumber)->getData()->getWeightKg();
        if ($weight !== null) {
            return $weight;
        }
        usleep(100_000);
    }
    throw new RuntimeException("$poNumber was not weighed within " . WEIGHED_WITHIN_S . ' s');
}

$configuration = (new Configuration())
    ->setHost(setting('PARCELWAY_BASE_URL'))
    ->setApiKey('X-Api-Key', setting('PARCELWAY_API_KEY'));
// The sandbox on your machine has a certificate of its own; a public one needs no option.
$client = new Client(['verify' => setting('PARCELWAY_CA_FILE')]);
$files = new FilesApi($client, $configuration);
$forecasts = new ForecastsApi($client, $configuration);

$poNumber = 'PO-PHP-' . hrtime(true);
$submission = (new ForecastSubmission())
    ->setPoNumber($poNumber)
    ->setWarehouseCode(setting('PARCELWAY_WAREHOUSE_CODE'))
    ->setShippingLabel(upload($files, 'label', $poNumber))
    ->setShippingNote(upload($files, 'packing-list', $poNumber))
    ->setItems([(new ForecastItem())->setSkuCode('TSHIRT-M')->setProductNameEn('Cotton T-shirt')->setForecastQuantity(2)]);
echo 'submitted ', $forecasts->submitForecast($submission, idempotency_key: "submit-$poNumber")->getData()->getForecastNo(), "\n";

(new SandboxApi($client, $configuration))
    ->simulate((new Simulation())->setPoNumber($poNumber)->setStep(SimulationStep::WEIGH)->setWeightKg(1.84), idempotency_key: "weigh-$poNumber");
echo 'weighed ', weighing($forecasts, $poNumber), " kg\n";

try {
    $forecasts->queryWeighing('PO-UNKNOWN');
    throw new RuntimeException('A forecast that does not exist was found');
} catch (ApiException $failure) {
    echo 'refused ', json_decode($failure->getResponseBody())->code, "\n";
}
