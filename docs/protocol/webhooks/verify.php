<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * Whether a delivery comes from the platform and is fresh. The body is what arrived, before anything parses it:
 * file_get_contents('php://input').
 */
function is_genuine(string $secret, ?string $timestamp, ?string $signature, string $body, ?int $now = null): bool
{
    if ($timestamp === null || $signature === null) {
        return false;
    }
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    return hash_equals($expected, $signature);
}
