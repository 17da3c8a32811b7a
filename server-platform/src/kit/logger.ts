import { type DestinationStream, type Logger, pino } from 'pino';

/** Log levels. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Components with separately configurable levels, and what each logs. Their lines contain the name as `component`. */
export const LOG_COMPONENTS = {
  messaging: 'sockets, sessions, turns',
  agents: 'agents and their articles',
  handoff: 'hand-off to people, the desk',
  webhooks: 'alert rules, deliveries',
  rest: 'the other REST families, the console',
  requests: 'the access log',
  database: 'the database and its clock',
  bus: 'how nodes reach each other',
  jobs: 'work in the background',
  commands: 'commands of the operator',
} as const;

/** One of {@link LOG_COMPONENTS}. */
export type LogComponent = keyof typeof LOG_COMPONENTS;

/** Levels of components that differ from the default. */
export type ComponentLevels = Readonly<Partial<Record<LogComponent, LogLevel>>>;

/** The default level, and levels of some components. */
export interface LogLevels {
  readonly level: LogLevel;
  readonly components: ComponentLevels;
}

/** Accepted values of the setting, for its help text. */
export const LOG_LEVEL_HELP: string = `${LOG_LEVELS.join(', ')}; for one component after a comma, such as info,messaging=debug; components: ${Object.keys(LOG_COMPONENTS).join(', ')}`;

/** Parses levels such as `info,messaging=debug`; returns an error text if invalid. The default level is `info`. */
export function parseLogLevels(text: string): LogLevels | string {
  let level: LogLevel | undefined;
  const components: Partial<Record<LogComponent, LogLevel>> = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    const at = part.indexOf('=');
    const name = part.slice(at + 1).trim();
    const found = LOG_LEVELS.find((each) => each === name);
    if (found === undefined) return `must be one of ${LOG_LEVEL_HELP}; unknown level "${name}"`;
    if (at === -1) {
      if (level !== undefined) return `must name one level for everything; it names ${level} and ${found}`;
      level = found;
      continue;
    }
    const component = part.slice(0, at).trim();
    if (!isComponent(component))
      return `must name existing components: ${Object.keys(LOG_COMPONENTS).join(', ')}; unknown component "${component}"`;
    if (components[component] !== undefined)
      return `must name each component once; duplicate component "${component}"`;
    components[component] = found;
  }
  return { level: level ?? 'info', components };
}

function isComponent(name: string): name is LogComponent {
  return Object.hasOwn(LOG_COMPONENTS, name);
}

// Fields that must never be logged, even if passed by mistake: secrets (TOK-8) and chat texts.
const SECRET_KEYS = [
  'access_token',
  'accessToken',
  'token',
  'authorization',
  'Authorization',
  'x-token',
  'X-Token',
  'cookie',
  'text',
  'payload',
  'url',
  'databaseUrl',
];

/**
 * Makes the platform's logger: JSON lines, with secrets and message text removed on the first two levels of nesting.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const paths = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]);
  const options = { level, redact: { paths, censor: '[removed]' } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Returns a component's logger: its lines name the component, and its level is configurable. */
export type LogOf = (component: LogComponent) => Logger;

/** Makes component loggers under the platform's logger. */
export function createComponentLoggers(logger: Logger, levels: ComponentLevels): LogOf {
  return (component) => {
    const level = levels[component];
    return logger.child({ component }, level === undefined ? {} : { level });
  };
}
