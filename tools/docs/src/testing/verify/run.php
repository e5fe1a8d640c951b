<?php
require $argv[1] . '/verify-webhook.php';
$accepts = function (array $case): bool {
    try {
        return verifyWebhook($case['body'], $case['headers'], $case['secret'], $case['now'])['type'] === 'parcel.weighed';
    } catch (RuntimeException $refusal) {
        return false;
    }
};
echo json_encode(array_map($accepts, json_decode(file_get_contents('php://stdin'), true)));
