/** Every option of the command line with its help text. */
export const COMMAND_LINE_OPTIONS = {
  config: { type: 'string', short: 'c', help: 'configuration file (JSON)' },
  host: { type: 'string', help: 'address to listen on' },
  port: { type: 'string', short: 'p', help: 'port to listen on; 0 takes any free one' },
  data: { type: 'string', short: 'd', help: 'folder of the embedded database' },
  dev: {
    type: 'boolean',
    help: 'adds a development account to an embedded database without accounts, and prints its keys once',
  },
  console: { type: 'boolean', help: "serves the console for the account's team at /console/" },
  name: { type: 'string', help: 'display name' },
  agent: { type: 'string', help: 'agent that answers; one from the configuration file' },
  domain: { type: 'string', multiple: true, help: 'website that may use the connector, with its subdomains' },
  app: { type: 'string', multiple: true, help: 'namespace of an app that may use the connector' },
  environment: { type: 'string', help: 'environment that conversations belong to; lists show live' },
  project: { type: 'string', help: 'the key covers this project only' },
  permission: { type: 'string', multiple: true, help: 'permission of the key; may be given several times' },
  legacy: { type: 'boolean', help: 'the key reads conversations v1 and v2 of the whole account' },
  region: { type: 'string', help: 'the key works in this region only' },
  expires: { type: 'string', help: 'day on which the key expires, such as 2027-01-31' },
  role: { type: 'string', help: 'role of the person: agent, supervisor, admin' },
  queue: { type: 'string', multiple: true, help: 'queue of the person; default: all queues' },
  skill: { type: 'string', multiple: true, help: 'what a person knows, or a queue needs' },
  language: { type: 'string', multiple: true, help: 'what a person speaks, or a queue serves; default: all' },
  capacity: { type: 'string', help: 'conversations that a person handles at once; default 3' },
  hours: { type: 'string', help: 'when a queue is open, such as "Mo-Fr 09:00-17:00"' },
  timezone: { type: 'string', help: 'time zone of the hours, such as Europe/London' },
  'closed-text': { type: 'string', help: 'text for visitors outside the hours; default: the hours' },
  overlap: { type: 'string', help: 'how long the old key stays valid, such as 24h; default: not at all' },
  'url-file': {
    type: 'string',
    help: 'file with the address of the database to copy to; /dev/stdin reads it',
  },
  texts: { type: 'boolean', help: 'shows messages; without it texts are hidden' },
  after: {
    type: 'string',
    help: 'sequence after which the log of a session is shown; default: the whole log',
  },
  yes: {
    type: 'boolean',
    help: 'removes the data permanently; without it, the command lists what it would remove',
  },
  json: {
    type: 'boolean',
    help: 'prints the result as JSON; for every command except serve',
  },
  help: { type: 'boolean', short: 'h', help: 'prints the help' },
} as const;

/** Options of every command; a command's own options are in its usage. */
export const COMMON_OPTIONS: readonly string[] = ['config', 'host', 'port', 'data', 'help'];

/** Options of every command other than `serve`. */
export const COMMAND_OPTIONS: readonly string[] = [...COMMON_OPTIONS, 'json'];

/** Usage text of `serve`. */
export const SERVE_USAGE =
  '[--config FILE] [--host ADDRESS] [--port NUMBER] [--data FOLDER] [--dev] [--console]';
