/** One environment variable of the Node entry. */
export interface EnvironmentVariable {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly purpose: string;
  /** What happens without it: a value, or words. */
  readonly fallback: string;
  /** Something that could stand there. Never a real secret. */
  readonly example: string;
}

/** Every variable the Node entry reads, in the order of `--help`. The README's table is compared with this one by a test. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  {
    name: 'NATTER_UPSTREAM_URL',
    purpose: 'Messaging host; https, or http on a loopback host.',
    fallback: 'required',
    example: 'https://messaging.example.com',
  },
  {
    name: 'NATTER_ALLOW_HTTP_UPSTREAM',
    purpose:
      'Let NATTER_UPSTREAM_URL and NATTER_CHAT_URL be http on any host: for private networks only, such as between containers. Needs NATTER_WEBSOCKET_URL then.',
    fallback: 'false',
    example: 'true',
  },
  {
    name: 'NATTER_CONNECTOR_TOKEN',
    purpose: 'Secret token of the connector called "default".',
    fallback: 'required unless NATTER_CONNECTORS is set',
    example: '<the token shown when the connector was made>',
  },
  {
    name: 'NATTER_CONNECTOR_HOST',
    purpose: 'Host or app namespace registered for that connector, exactly as registered.',
    fallback: 'required unless NATTER_CONNECTORS is set',
    example: 'www.example.com',
  },
  {
    name: 'NATTER_CONNECTORS',
    purpose: 'Several connectors by name, as JSON.',
    fallback: 'none',
    example:
      '{"default":{"token":"<token>","host":"www.example.com"},"sales":{"token":"<token>","host":"shop.example.com"}}',
  },
  {
    name: 'NATTER_CHAT_URL',
    purpose: 'Runtime service with the turn-based chat, for visitors whose network lets no socket through.',
    fallback: 'no chat without a socket',
    example: 'https://api.example.com',
  },
  {
    name: 'NATTER_CHAT_API_KEY',
    purpose: 'Secret API key of that service, permitted for chat.',
    fallback: 'needed with NATTER_CHAT_URL',
    example: '<the key shown when it was made>',
  },
  {
    name: 'NATTER_CHAT_ACCOUNT',
    purpose: 'Account whose chat it is, slug or id.',
    fallback: 'needed with NATTER_CHAT_URL',
    example: 'kittiwake',
  },
  {
    name: 'NATTER_CHAT_PROJECT',
    purpose: 'Project whose chat it is, slug or id.',
    fallback: 'needed with NATTER_CHAT_URL',
    example: 'web',
  },
  {
    name: 'NATTER_TICKET_KEYS',
    purpose: 'Keys that seal resume tickets, separated by commas; the first seals, all open.',
    fallback: 'required',
    example: '<printed by: natter-token-proxy key>',
  },
  {
    name: 'NATTER_ALLOWED_ORIGINS',
    purpose: 'Exact origins of the pages that may use the proxy, separated by commas.',
    fallback: 'required unless NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN is true',
    example: 'https://www.example.com,https://shop.example.com',
  },
  {
    name: 'NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN',
    purpose: 'Also serve callers that are no browsers.',
    fallback: 'false',
    example: 'true',
  },
  {
    name: 'NATTER_WEBSOCKET_URL',
    purpose: 'Where browsers open the socket, without parameters.',
    fallback: 'NATTER_UPSTREAM_URL with wss and /ws',
    example: 'wss://messaging.example.com/ws',
  },
  {
    name: 'HOST',
    purpose: 'Address to listen on; 0.0.0.0 in a container.',
    fallback: '127.0.0.1',
    example: '0.0.0.0',
  },
  { name: 'PORT', purpose: 'Port to listen on; 0 takes a free one.', fallback: '8787', example: '8080' },
  {
    name: 'NATTER_BASE_PATH',
    purpose: 'Path under which the proxy is mounted.',
    fallback: 'the root',
    example: '/api/chat',
  },
  {
    name: 'NATTER_EMBED_DIR',
    purpose: 'Directory with natter.js and natter/, to be served beside the API.',
    fallback: 'those of the installed package natter',
    example: './node_modules/natter/dist/embed',
  },
  {
    name: 'NATTER_TRUSTED_PROXY_HOPS',
    purpose: 'How many of your own proxies append to X-Forwarded-For.',
    fallback: '0',
    example: '1',
  },
  {
    name: 'NATTER_SESSIONS_PER_CLIENT',
    purpose: 'Sessions a minute per client address; 0 turns the limit off.',
    fallback: '10',
    example: '30',
  },
  {
    name: 'NATTER_RESUMES_PER_CLIENT',
    purpose: 'Resumes a minute per client address; 0 turns the limit off.',
    fallback: '60',
    example: '120',
  },
  {
    name: 'NATTER_TURNS_PER_CLIENT',
    purpose: 'Turns a minute of a chat without a socket per client address; 0 turns the limit off.',
    fallback: '30',
    example: '60',
  },
  {
    name: 'NATTER_SESSIONS_TOTAL',
    purpose: 'Sessions a minute in all; 0 turns the limit off.',
    fallback: '600',
    example: '2000',
  },
  {
    name: 'NATTER_RESUMES_TOTAL',
    purpose: 'Resumes a minute in all; 0 turns the limit off.',
    fallback: '6000',
    example: '20000',
  },
  {
    name: 'NATTER_TURNS_TOTAL',
    purpose: 'Turns a minute of chats without a socket in all; 0 turns the limit off.',
    fallback: '3000',
    example: '10000',
  },
  {
    name: 'NATTER_TICKET_LIFETIME_SECONDS',
    purpose: 'How long a resume ticket lives; each resume renews it.',
    fallback: '600',
    example: '600',
  },
  {
    name: 'NATTER_DEADLINE_MS',
    purpose: 'Longest time one request may take, retries included.',
    fallback: '20000',
    example: '15000',
  },
  {
    name: 'NATTER_ATTEMPT_TIMEOUT_MS',
    purpose: 'Longest time one call to the messaging host may take before it is tried again.',
    fallback: '6000',
    example: '4000',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    purpose: 'Collector of OpenTelemetry traces, over http.',
    fallback: 'no traces',
    example: 'http://127.0.0.1:4318',
  },
  {
    name: 'NATTER_LOG_LEVEL',
    purpose: 'Least important lines to log: debug, info, warn, error or silent.',
    fallback: 'info',
    example: 'warn',
  },
];
