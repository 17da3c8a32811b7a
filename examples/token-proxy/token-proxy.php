<?php
// The three calls of the token proxy without a framework: session, resume, logout. Needs the extension curl.
declare(strict_types=1);

final class Refusal extends Exception
{
    public function __construct(public int $status, public string $name, string $message, public bool $retryable = false)
    {
        parent::__construct($message);
    }
}

const TICKET_SECONDS = 600;
const MAX_BODY_BYTES = 16384;

function setting(string $name): string
{
    $value = getenv($name);
    if ($value === false || $value === '') throw new RuntimeException("Set $name.");
    return $value;
}

/** The file of a session: readable by this user alone, outside the web root, shared by all processes. */
function session_file(string $ticket): string
{
    return setting('NATTER_TICKET_DIR') . '/' . hash('sha256', $ticket) . '.json';
}

function call_upstream(string $path, array $headers, array $body, string $correlationId): array
{
    $curl = curl_init(rtrim(setting('NATTER_UPSTREAM_URL'), '/') . $path);
    curl_setopt_array($curl, [
        CURLOPT_POSTFIELDS => json_encode((object) $body, JSON_THROW_ON_ERROR),
        CURLOPT_HTTPHEADER => ['Content-Type: application/json', "X-Correlation-Id: $correlationId", ...$headers],
        CURLOPT_RETURNTRANSFER => true,
        // A redirect would carry the connector token to a host that nobody has configured.
        CURLOPT_FOLLOWLOCATION => false,
        CURLOPT_TIMEOUT => 6,
    ]);
    $answer = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($answer === false) throw new Refusal(503, 'UPSTREAM_UNAVAILABLE', 'The chat service cannot be reached.', true);
    if ($status === 429) throw new Refusal(429, 'UPSTREAM_RATE_LIMITED', 'The chat service is busy.', true);
    if ($status >= 500) throw new Refusal(503, 'UPSTREAM_UNAVAILABLE', 'The chat service fails.', true);
    if ($status >= 300) throw new Refusal(502, 'CONNECTOR_REJECTED', "Check the connector's token and registered host.");
    return json_decode($answer, true) ?? throw new Refusal(502, 'UPSTREAM_INVALID_RESPONSE', 'Check NATTER_UPSTREAM_URL.');
}

function answer_session(array $session): array
{
    // Each answer gives the ticket its full time again.
    $session['ticket_ends'] = time() + TICKET_SECONDS;
    $file = session_file($session['ticket']);
    umask(0077);
    file_put_contents("$file.new", json_encode($session, JSON_THROW_ON_ERROR));
    rename("$file.new", $file);
    return [
        'session_id' => $session['id'],
        'access_token' => $session['access_token'],
        'expires_at' => gmdate('Y-m-d\TH:i:s\Z', $session['token_ends']),
        'expires_in_seconds' => max(0, $session['token_ends'] - time()),
        'websocket_url' => getenv('NATTER_WEBSOCKET_URL')
            ?: preg_replace('/^http/', 'ws', rtrim(setting('NATTER_UPSTREAM_URL'), '/')) . '/ws',
        'resume_by' => 'ticket',
        'resume_ticket' => $session['ticket'],
        'offers' => [],
    ];
}

function start_session(array $body, string $origin, string $correlationId): array
{
    $keys = ['X-Token: ' . setting('NATTER_CONNECTOR_TOKEN'), 'X-Host: ' . setting('NATTER_CONNECTOR_HOST')];
    $granted = call_upstream('/api/v1/access-token', $keys, [], $correlationId);
    $accessToken = $granted['access_token'] ?? '';
    $wanted = ['platform' => $body['platform'] ?? 'web', 'streaming_enabled' => $body['streaming'] ?? true];
    if (isset($body['device_type'])) $wanted['device_type'] = $body['device_type'];
    $created = call_upstream('/api/v1/sessions', ["Authorization: Bearer $accessToken"], $wanted, $correlationId);
    if ($accessToken === '' || !isset($created['session_id'])) {
        throw new Refusal(502, 'UPSTREAM_INVALID_RESPONSE', 'Check NATTER_UPSTREAM_URL.');
    }
    foreach (glob(setting('NATTER_TICKET_DIR') . '/*.json') ?: [] as $file) {
        if (filemtime($file) < time() - TICKET_SECONDS) @unlink($file);
    }
    return answer_session([
        'id' => $created['session_id'],
        'access_token' => $accessToken,
        'token_ends' => time() + (int) ($granted['expires_in'] ?? 3600),
        'origin' => $origin,
        'ticket' => bin2hex(random_bytes(32)),
    ]);
}

function open_ticket(array $body, string $origin): array
{
    $ticket = $body['resume_ticket'] ?? null;
    $file = is_string($ticket) ? session_file($ticket) : '';
    $session = is_file($file) ? json_decode((string) file_get_contents($file), true) : null;
    if ($session === null || $session['origin'] !== $origin || min($session['ticket_ends'], $session['token_ends']) < time()) {
        throw new Refusal(410, 'RESUME_TICKET_INVALID', 'Drop this ticket and start a new session.');
    }
    return $session;
}

function log_out(array $body, string $origin): array
{
    unlink(session_file(open_ticket($body, $origin)['ticket']));
    return ['status' => 'logged_out'];
}

function read_body(): array
{
    if (!str_starts_with($_SERVER['CONTENT_TYPE'] ?? '', 'application/json')) {
        throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
    }
    $text = (string) file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($text) > MAX_BODY_BYTES) throw new Refusal(413, 'PAYLOAD_TOO_LARGE', 'Send at most 16384 bytes.');
    $body = json_decode($text);
    if (!$body instanceof stdClass) throw new Refusal(400, 'INVALID_REQUEST', 'The body has to be a JSON object.');
    return (array) $body;
}

function route(string $method, string $path, string $origin, string $correlationId): array
{
    if ($method === 'GET' && $path === '/v1/health') return ['status' => 'ok'];
    if (!in_array($origin, explode(',', setting('NATTER_ALLOWED_ORIGINS')), true)) {
        throw new Refusal(403, 'ORIGIN_NOT_ALLOWED', 'This page may not use the chat.');
    }
    header("Access-Control-Allow-Origin: $origin");
    header('Access-Control-Allow-Credentials: true');
    if ($method === 'OPTIONS') {
        header('Access-Control-Allow-Methods: POST');
        header('Access-Control-Allow-Headers: Content-Type, X-Correlation-Id');
        header('Access-Control-Max-Age: 600');
        return [];
    }
    if ($method !== 'POST') throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Send POST.');
    return match ($path) {
        '/v1/session' => start_session(read_body(), $origin, $correlationId),
        '/v1/resume' => answer_session(open_ticket(read_body(), $origin)),
        '/v1/logout' => log_out(read_body(), $origin),
        // Asked when a socket is refused: a widget that was connected before starts another session.
        '/v1/probe' => ['handshake' => 'unknown'],
        default => throw new Refusal(404, 'NOT_FOUND', 'No such path.'),
    };
}

ini_set('display_errors', '0');
$correlationId = bin2hex(random_bytes(16));
header('Content-Type: application/json; charset=utf-8');
header('Cache-Control: no-store');
header('Vary: Origin');
header('X-Content-Type-Options: nosniff');
header("X-Correlation-Id: $correlationId");
try {
    $path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    $answer = route($_SERVER['REQUEST_METHOD'], $path, $_SERVER['HTTP_ORIGIN'] ?? '', $correlationId);
} catch (Refusal $refusal) {
    http_response_code($refusal->status);
    $answer = [
        'code' => $refusal->name,
        'message' => $refusal->getMessage(),
        'retryable' => $refusal->retryable,
        'correlation_id' => $correlationId,
    ];
}
echo json_encode($answer, JSON_THROW_ON_ERROR);
