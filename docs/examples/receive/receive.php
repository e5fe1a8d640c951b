<?php
// PHP 8.0 or newer, with its extension curl.

/** Waits for webhooks. Without $after it returns at once: webhooks from now on. */
function listen(?string $after): array
{
    $query = $after === null ? '' : '?' . http_build_query(['after' => $after]);
    $curl = curl_init(getenv('PARCELWAY_BASE_URL') . '/sandbox/v1/listen' . $query);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['X-Api-Key: ' . getenv('PARCELWAY_API_KEY')],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    $response = curl_exec($curl);
    if ($response === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $result = json_decode($response, true, 64, JSON_THROW_ON_ERROR);
    if ($result['code'] !== '0') {
        throw new RuntimeException($result['code'] . ': ' . $result['message']);
    }
    return $result['data'];
}

/** True when a webhook is signed with the secret, and not older than 5 minutes. */
function isVerified(string $body, array $headers, string $secret): bool
{
    $signed = $headers['webhook-id'] . '.' . $headers['webhook-timestamp'] . '.' . $body;
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $matching = array_filter(
        explode(' ', $headers['webhook-signature']),
        fn (string $signature): bool => hash_equals($expected, $signature),
    );
    return $matching !== [] && abs(time() - (int) $headers['webhook-timestamp']) <= 300;
}

$after = listen(null)['next_cursor'];
echo "Waiting for webhooks. Press Ctrl-C to stop.\n";
while (true) {
    $heard = listen($after);
    foreach ($heard['messages'] as $message) {
        if (!isVerified($message['body'], $message['headers'], $heard['secret'])) {
            throw new RuntimeException('A webhook must not be trusted');
        }
        $event = json_decode($message['body'], true, 32, JSON_THROW_ON_ERROR);
        echo 'VERIFIED ', $event['type'], ' ', $event['data']['po_number'] ?? '', "\n";
    }
    $after = $heard['next_cursor'];
}
