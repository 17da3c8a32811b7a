import { KEY_PERMISSIONS } from '../../server-platform/src/accounts/key-permissions.ts';
import { REST_CONFIG_HELP, type SettingHelp } from '../../server-platform/src/app/config/rest-config.ts';
import { LOG_LEVEL_HELP } from '../../server-platform/src/kit/logger.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../../server-platform/src/realtime/messaging-limits.ts';
import { AGENT_SECTIONS } from './agent-sections.ts';
import { LIMIT_HELP } from './limit-help.ts';

/** The settings of one object of the configuration file, as the reference describes them. */
export interface SettingSection {
  readonly title: string;
  /** The path of the object in the file. `[]` is an entry of a list, `*` one of an object, `(name)` its kind. */
  readonly at: readonly string[];
  /** Markdown above the table. */
  readonly intro?: string;
  /** Description of each setting, by its path within the object. If the schema has no default, it says what applies instead. */
  readonly settings: Readonly<Record<string, string | SettingHelp>>;
}

const PROJECT = 'accounts[].projects[]';
const CONNECTOR = `${PROJECT}.connectors[]`;

const fallback = (help: string, without: string): SettingHelp => ({ help, fallback: without });

/** Every object of the configuration file. A setting that is missing here fails the test of the reference. */
export const SECTIONS: readonly SettingSection[] = [
  {
    title: 'The file',
    at: [''],
    settings: {
      $schema: fallback('for editors; the platform does not read it', 'none'),
      server: 'address and port of the platform',
      database: 'storage of the platform',
      metrics: 'where `GET /metrics` is served',
      bus: 'how several nodes reach each other',
      keys: 'secrets of the platform',
      accessLog: fallback(
        'whether a line is logged for each request, at level `info`: method, route, status, time, bytes and id; never a path, a query, a header or a body',
        '`false`',
      ),
      logLevel: fallback(`how much is logged: ${LOG_LEVEL_HELP}`, '`info`'),
      accounts:
        'accounts to add or update at every start; accounts that the file does not name stay as they are',
      agents: 'agents by name',
      handoffProviders: 'ways to reach people, by name; `client` and `scripted` are always there',
      oidc: 'an OpenID provider with which the team can sign in as well; `null`: with passwords only',
      limits: 'limits and timeouts',
      rest: 'settings of the REST families',
    },
  },
  {
    title: '`server`',
    at: ['server'],
    settings: {
      host: fallback('address to listen on', '`127.0.0.1`'),
      port: fallback('port to listen on; 0 takes any free one', '`8080`'),
      trustedProxyHops: fallback(
        'number of your own proxies in front that append to `X-Forwarded-For`; too high a number lets callers choose the address that limits count them by',
        '`0`',
      ),
      tokenProxyUrl: fallback(
        'address of the token proxy as browsers reach it, such as `https://chat.example.com`; the view *Install* of the [console](console.md) writes it into the tag for sites',
        'not known: *Install* asks for it',
      ),
    },
  },
  {
    title: '`oidc`',
    at: ['oidc'],
    intro:
      'People sign in with the authorization code, PKCE, state and nonce, and are identified by the email address that the provider has verified. See [the desk](desk.md#sign-in-with-openid-connect).',
    settings: {
      issuer: 'address of the provider, below which `/.well-known/openid-configuration` is',
      clientId: 'id that the provider has given the platform',
      clientSecret: 'secret that the provider has given the platform',
      redirectUri: "the platform's own `/desk/api/oidc/callback`, as it is registered with the provider",
      name: 'what the sign-in page calls the provider',
    },
  },
  {
    title: '`database`',
    at: ['database'],
    settings: {
      url: fallback(
        'PostgreSQL server, `postgres://user:password@host:port/database`; needs a token secret',
        'the embedded database',
      ),
      dataDir: fallback(
        'folder of the embedded database, the token secret that the first start makes, and stored audio; `memory` keeps nothing',
        '`.natter/platform`',
      ),
      durable: fallback(
        'embedded database: whether a write waits until the disk has stored it; with `false`, a failure of the machine may lose the last writes',
        '`true`',
      ),
      maxConnections: fallback('PostgreSQL: most connections that a node holds open', '`10`'),
    },
  },
  {
    title: '`metrics`',
    at: ['metrics'],
    settings: {
      port: fallback(
        'port of a listener that serves `GET /metrics` and nothing else; 0 takes any free one',
        'no such listener',
      ),
      host: fallback('address of that listener', '`127.0.0.1`'),
      token: fallback(
        'bearer token that `GET /metrics` asks for; with it the page is also on `server.port`',
        'no token',
      ),
    },
  },
  {
    title: '`bus`',
    at: ['bus'],
    settings: {
      url: fallback(
        'how several nodes reach each other: `nats://`, `tls://` (NATS with TLS), or `postgres://` past a connection pooler; several NATS servers are separated by commas, and the first names user and password, or a token (`nats://TOKEN@host`)',
        'over `database.url`',
      ),
      credentialsFile: fallback('credentials file (`.creds`) or nkey seed for NATS', 'none is read'),
      caFile: fallback(
        'certificate authorities, PEM, for the TLS certificates of NATS',
        'those that Node trusts',
      ),
      certificateFile: fallback(
        'certificate of this node, PEM, where NATS asks for one; with `keyFile`',
        'none is sent',
      ),
      keyFile: fallback('its key, PEM', 'none is sent'),
    },
  },
  {
    title: '`keys`',
    at: ['keys'],
    settings: {
      tokenSecrets: fallback(
        'token secrets, the same on every node: keys derived from the first secret sign and seal; keys derived from any of them are accepted. To replace a secret, put the new one in front, and remove the old one when its access tokens have expired and webhook secrets have been rotated',
        'made on the first start and kept in the data folder; required with `database.url`',
      ),
    },
  },
  {
    title: '`accounts[]`',
    at: ['accounts[]'],
    settings: {
      slug: 'name in addresses and commands',
      id: fallback(
        'id to use instead of a new one, `ACCOUNT-…`; for moves',
        'made when the account is added',
      ),
      name: fallback('display name', 'the slug'),
      projects: 'its projects',
      keys: 'API keys that cover the whole account',
      desk: fallback('queues and people of its [desk](desk.md)', 'those that commands add'),
    },
  },
  {
    title: '`accounts[].desk`',
    at: ['accounts[].desk'],
    settings: {
      queues: fallback('queues to add or change', 'none'),
      people: fallback('people to add; existing people stay as they are', 'none'),
      replies: fallback('canned replies to add or change', 'none'),
    },
  },
  {
    title: '`accounts[].desk.replies[]`',
    at: ['accounts[].desk.replies[]'],
    settings: {
      name: 'name, by which people choose it',
      text: 'the reply, with [placeholders](desk.md#calls)',
    },
  },
  {
    title: '`accounts[].desk.queues[]`',
    at: ['accounts[].desk.queues[]'],
    settings: {
      name: 'name, which visitors see',
      skills: fallback('requirements for people who take its conversations', 'none'),
      languages: fallback('languages that it serves', 'all'),
      hours: fallback(
        'when it is open, such as `Mo-Fr 09:00-17:00; Sa 10:00-14:00` ([how hours are written](embedding.md#business-hours))',
        'always',
      ),
      timezone: 'time zone of the hours, such as `Europe/London`',
      closedText: fallback('text for visitors outside the hours', 'the hours'),
    },
  },
  {
    title: '`accounts[].desk.people[]`',
    at: ['accounts[].desk.people[]'],
    settings: {
      email: 'email address for sign-in',
      name: 'name, which visitors see',
      password: 'first password; changing it here changes nothing',
      role: 'rights of the person',
      queues: fallback('queues of the person', 'all of the account'),
      skills: fallback('skills of the person', 'none'),
      languages: fallback('languages of the person', 'all'),
      capacity: 'conversations at the same time',
    },
  },
  {
    title: `\`${PROJECT}\``,
    at: [PROJECT],
    settings: {
      slug: 'name in addresses and commands',
      id: fallback(
        'id to use instead of a new one, `PROJECT-…`; for moves',
        'made when the project is added',
      ),
      name: fallback('display name', 'the slug'),
      agent: fallback('name of the agent that answers, one of `agents`', 'no agent'),
      contextKeys:
        'keys of verified context: an object of key id to the secret that your backend signs context tokens with; without any the feature is off',
      conversations: fallback('access of the REST families to the conversations', 'the defaults below'),
      connectors: 'websites and apps that have access',
      variants: 'variants of the agent, which conversations may be started in',
      handoff: fallback('name of the hand-off provider, one of `handoffProviders`', 'no hand-off'),
      translation: fallback('translates records of conversations; an OpenAI-compatible endpoint', 'off'),
      retention_days: fallback(
        'days after their end for which data is kept: one number for everything, or an object of kinds; `null` keeps it indefinitely',
        'indefinitely',
      ),
      'retention_days.events': fallback(
        'the log of sessions: events, verified context, what agents remember',
        'indefinitely',
      ),
      'retention_days.turns': fallback(
        'contents of conversations: transcripts, vectors, chats',
        'indefinitely',
      ),
      'retention_days.conversations': fallback('whole conversations, with all their data', 'indefinitely'),
      'retention_days.audio': fallback('stored audio', 'on the disk for an hour, in the bucket indefinitely'),
      numbers: fallback(
        'phone numbers (E.164) that are reserved for visitors; a number that is removed here leaves the pool',
        'the pool stays as it is',
      ),
      keys: 'API keys that cover this project',
    },
  },
  {
    title: `\`${PROJECT}.conversations\``,
    at: [`${PROJECT}.conversations`],
    settings: {
      show_transcripts:
        'off: no interface returns or finds messages; counts, numbers and ratings stay ([CV-13](protocol/rest.md#cv-13))',
      streaming: 'v2 and v3 send lists in chunks while they are read; v2 has a cursor then',
      enable_whitelist: 'v1 shows only the fields of `whitelist`',
      whitelist: 'those fields',
      response_metrics: fallback('names of the metrics that are shown; an empty list shows none', 'all'),
    },
  },
  {
    title: `\`${PROJECT}.translation\``,
    at: [`${PROJECT}.translation`],
    settings: {
      endpoint: 'address of an OpenAI-compatible endpoint; texts of conversations are sent there',
      model: 'name of the model',
      apiKey: fallback('key of the endpoint', 'none'),
      language: 'language tag of the agent; what visitors write is translated into it',
    },
  },
  {
    title: `\`${PROJECT}.variants[]\``,
    at: [`${PROJECT}.variants[]`],
    settings: {
      id: 'id that a request names',
      name: 'display name, in the record of the conversation',
      agent: fallback('name of the agent that answers in this variant', "the connector's or the project's"),
      weight: fallback(
        "share of the widget's sessions that name no variant, compared with the other variants' weights",
        'none of them',
      ),
    },
  },
  {
    title: `\`${CONNECTOR}\``,
    at: [CONNECTOR],
    settings: {
      name: 'unique among the connectors of the project',
      token: fallback(
        'token that the token proxy sends. It is readable in the file, so protect the file like a secret',
        'made when the connector is added, and printed once',
      ),
      hosts:
        'where the connector may be used: a domain such as `"example.com"`, which includes its subdomains, or an object',
      'hosts[].kind': 'a website or an app',
      'hosts[].value': 'the domain, or the namespace of the app, such as `com.example.app`',
      settings: 'how its conversations behave',
      environment: 'environment that its conversations belong to; lists show `live` unless they name another',
    },
  },
  {
    title: `\`${CONNECTOR}.settings\``,
    at: [`${CONNECTOR}.settings`],
    settings: {
      event_vocabulary:
        'names of the events on the socket: `auto` follows the names that the client uses, `neutral` and `poly` force one set',
      enforce_origin:
        'refuses browsers whose `Origin` is not one of `hosts`; switch it off only for clients that send another origin, such as web views',
      on_handoff_failure:
        'after a failed hand-off the agent comes back (`rejoin`), the conversation stays without one until the visitor writes again (`stay`), or it ends (`end`)',
      handoff_timeout_seconds: 'a hand-off fails when no person has joined after this time',
      handoff: fallback('name of the hand-off provider', "the project's"),
      handoff_route: fallback('sent to pages that manage the hand-off themselves', 'none'),
      language: 'language tag that conversations start in',
      idle_warning: 'warns the visitor a minute before a silent session expires',
      csat: 'asks the visitor for a rating from 1 to 5 at the end',
      csat_scale: 'symbols of the rating',
      receipts: 'accepts notices that a message was received or read: the desk shows _Seen_',
      agent: fallback('name of the agent that answers', "the project's"),
    },
  },
  {
    title: '`keys[]` of accounts and projects',
    at: ['accounts[].keys[]', `${PROJECT}.keys[]`],
    settings: {
      name: 'unique among the keys of the account',
      key: fallback('the key itself', 'made when it is added, and printed once'),
      permissions: `what the key opens: ${KEY_PERMISSIONS.map((name) => `\`${name}\``).join(', ')} ([which go together](platform.md#commands))`,
      legacy: 'the key covers a whole account and opens conversations v1 and v2',
      region: fallback('the key works in this region only', 'any'),
      expires: fallback('day on which the key stops working, such as `2027-01-31`', 'never'),
    },
  },
  ...AGENT_SECTIONS,
  {
    title: '`handoffProviders.*`, kind `client`',
    at: ['handoffProviders.*(client)'],
    intro: 'The page connects to people itself; it gets `CLIENT_HANDOFF_REQUIRED`.',
    settings: { kind: '`client`' },
  },
  {
    title: '`handoffProviders.*`, kind `desk`',
    at: ['handoffProviders.*(desk)'],
    intro: "People of the account answer at the platform's own [desk](desk.md).",
    settings: {
      kind: '`desk`',
      offerMs: 'how long a person may take to accept, before the next one is asked',
      returnMs:
        'how long a conversation is kept for a person whose desk is not connected, before it goes back to the queue',
    },
  },
  {
    title: '`handoffProviders.*`, kind `http`',
    at: ['handoffProviders.*(http)'],
    intro: 'Another system connects to people ([its calls](platform.md#hand-off-to-people)).',
    settings: {
      kind: '`http`',
      url: 'address that events are posted to',
      secret: 'signs the requests',
      timeoutMs: 'how long an answer may take',
    },
  },
  {
    title: '`handoffProviders.*`, kind `scripted`',
    at: ['handoffProviders.*(scripted)'],
    intro: 'A script plays the queue and the person, for development.',
    settings: {
      kind: '`scripted`',
      outcome: 'how the hand-off goes',
      queueName: 'name of the queue',
      positions: 'visitors ahead in the queue at first',
      stepMs: 'time until the queue moves on by one',
      agentName: 'name of the person',
      agentAvatarUrl: fallback('address of a picture of the person', 'none'),
      typingMs: 'how long the person types',
      greeting: 'first words of the person',
      answers: fallback('what the person answers, in turn', 'three texts'),
      goodbye: 'last words of the person',
      leavesAfter: 'messages of the visitor after which the person leaves',
      losesMessages: 'messages to the person get lost, to test the text that visitors see',
    },
  },
  {
    title: '`limits`',
    at: ['limits'],
    settings: Object.fromEntries(
      Object.entries(DEFAULT_MESSAGING_LIMITS)
        .filter(([name]) => LIMIT_HELP[name] !== undefined)
        .map(([name, value]) => [name, fallback(LIMIT_HELP[name] ?? '', `\`${value}\``)]),
    ),
  },
  {
    title: '`rest`',
    at: ['rest'],
    settings: {
      ...REST_CONFIG_HELP,
      ...Object.fromEntries(
        [
          'chat',
          'conversations',
          'concurrency',
          'externalEvents',
          'numbers',
          'voice',
          'alertRules',
          'alerts',
          'webhookEndpoints',
          'handoff',
          'erasure',
        ].map((family) => [
          `vendor_names.${family}`,
          fallback("the vendor's names in this family", '`false`'),
        ]),
      ),
      'voice_endpoints.*.url': 'address of the speech endpoint',
      'voice_endpoints.*.api_key': fallback('key of the endpoint', 'none'),
      'voice_endpoints.*.model': 'name of the model',
      'voice_endpoints.*.voice': 'voice that speaks when a request names none',
      'object_storage.endpoint': 'address of the S3-compatible server',
      'object_storage.region': 'region of the bucket',
      'object_storage.bucket': 'name of the bucket',
      'object_storage.access_key_id': 'id of the key',
      'object_storage.secret_access_key': 'the key',
      'object_storage.prefix': 'prepended to the names of stored files',
      'embeddings.url': 'address of the endpoint',
      'embeddings.model': 'name of the model',
      'embeddings.api_key': fallback('key of the endpoint', 'none'),
    },
  },
];
