<?php
// PHP 8.0 or newer, no extension beyond the usual.

/**
 * Returns the event. Throws RuntimeException when it must not be trusted; respond with 401 then.
 * $body: file_get_contents('php://input'), not parsed.
 * $headers: names in lower case, such as array_change_key_case(getallheaders()).
 */
function verifyWebhook(string $body, array $headers, string $secret, ?int $now = null): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !preg_match('/^\d{1,12}$/D', $timestamp)) {
        throw new RuntimeException('a header is missing or malformed');
    }
    if (abs(($now ?? time()) - (int) $timestamp) > 300) {
        throw new RuntimeException('the timestamp is too far away');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || $key === '') {
        throw new InvalidArgumentException('the secret is not as the platform gave it');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation there are two signatures; one that fits is enough.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $candidate) {
        if (hash_equals($expected, $candidate)) {
            return json_decode($body, true, 32, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('no signature fits');
}
