import { findOptionProblems, type OptionProblem } from './check-options.ts';
import { ENVIRONMENT } from './environment-table.ts';
import { isRecord } from './is-record.ts';
import type { ChatAccess, Connector, TokenProxyOptions } from './options.ts';

/** What the Node entry was told to do. */
export interface Configuration {
  readonly proxy: TokenProxyOptions;
  readonly host: string;
  readonly port: number;
  readonly embedDir: string | null;
  readonly logLevel: string;
}

/** The configuration, or one message that names everything missing or wrong. */
export type ReadConfiguration =
  | { readonly status: 'ready'; readonly configuration: Configuration }
  | { readonly status: 'refused'; readonly message: string };

interface Problem {
  readonly variable: string;
  readonly problem: string;
}

/** Variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8_787;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

const VARIABLE_OF_OPTION: Readonly<Record<string, string>> = {
  upstreamUrl: 'NATTER_UPSTREAM_URL',
  allowHttpUpstream: 'NATTER_ALLOW_HTTP_UPSTREAM',
  websocketUrl: 'NATTER_WEBSOCKET_URL',
  'connectors.default.token': 'NATTER_CONNECTOR_TOKEN',
  'connectors.default.host': 'NATTER_CONNECTOR_HOST',
  'connectors.default.chat.baseUrl': 'NATTER_CHAT_URL',
  'connectors.default.chat.apiKey': 'NATTER_CHAT_API_KEY',
  'connectors.default.chat.accountId': 'NATTER_CHAT_ACCOUNT',
  'connectors.default.chat.projectId': 'NATTER_CHAT_PROJECT',
  ticketKeys: 'NATTER_TICKET_KEYS',
  allowedOrigins: 'NATTER_ALLOWED_ORIGINS',
  basePath: 'NATTER_BASE_PATH',
  ticketLifetimeSeconds: 'NATTER_TICKET_LIFETIME_SECONDS',
  'limits.sessionsPerClient': 'NATTER_SESSIONS_PER_CLIENT',
  'limits.resumesPerClient': 'NATTER_RESUMES_PER_CLIENT',
  'limits.turnsPerClient': 'NATTER_TURNS_PER_CLIENT',
  'limits.sessionsTotal': 'NATTER_SESSIONS_TOTAL',
  'limits.resumesTotal': 'NATTER_RESUMES_TOTAL',
  'limits.turnsTotal': 'NATTER_TURNS_TOTAL',
  trustedProxyHops: 'NATTER_TRUSTED_PROXY_HOPS',
  deadlineMs: 'NATTER_DEADLINE_MS',
  attemptTimeoutMs: 'NATTER_ATTEMPT_TIMEOUT_MS',
};

/** Reads single variables, and collects a problem for each one that is misspelt. */
class EnvironmentReader {
  readonly problems: Problem[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Empty when the variable is not set. */
  text(name: string): string {
    return this.#environment[name]?.trim() ?? '';
  }

  /** Undefined when the variable is not set, `NaN` for a text that is no number: the option check reports it. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  }

  /** False when the variable is not set. */
  switch(name: string): boolean {
    const text = this.text(name).toLowerCase();
    if (!['', 'true', 'false', '1', '0'].includes(text))
      this.problems.push({ variable: name, problem: 'must be true or false' });
    return text === 'true' || text === '1';
  }
}

function splitList(value: string): readonly string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Chat access from JSON or variables; undefined when nothing of it is there. What is missing is reported by the option check. */
function readChatAccess(fields: Readonly<Record<string, unknown>>): ChatAccess | undefined {
  const read = (name: keyof ChatAccess): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const access = {
    baseUrl: read('baseUrl'),
    apiKey: read('apiKey'),
    accountId: read('accountId'),
    projectId: read('projectId'),
  };
  return Object.values(access).some((value) => value !== '') ? access : undefined;
}

/** Reads the connectors; fields that are no strings come out as '' and are reported by the option check. */
function readConnectors(variables: EnvironmentReader, problems: Problem[]): Record<string, Connector> {
  const connectors: Record<string, Connector> = Object.create(null);
  const json = variables.text('NATTER_CONNECTORS');
  const token = variables.text('NATTER_CONNECTOR_TOKEN');
  const host = variables.text('NATTER_CONNECTOR_HOST');
  if (json !== '') {
    let parsed: unknown;
    try {
      parsed = JSON.parse(json);
    } catch {
      // The parser's message quotes the text, and the text holds tokens.
      parsed = null;
    }
    if (!isRecord(parsed) || Object.keys(parsed).length === 0) {
      problems.push({ variable: 'NATTER_CONNECTORS', problem: 'is not a JSON object of connectors by name' });
    } else {
      for (const [name, value] of Object.entries(parsed)) {
        const fields = isRecord(value) ? value : {};
        const chatFields = isRecord(fields['chat']) ? readChatAccess(fields['chat']) : undefined;
        connectors[name] = {
          token: typeof fields['token'] === 'string' ? fields['token'] : '',
          host: typeof fields['host'] === 'string' ? fields['host'] : '',
          ...(chatFields && { chat: chatFields }),
        };
      }
    }
    if ((token !== '' || host !== '') && Object.hasOwn(connectors, 'default')) {
      problems.push({
        variable: 'NATTER_CONNECTORS',
        problem:
          'has a connector called "default", and so do NATTER_CONNECTOR_TOKEN and NATTER_CONNECTOR_HOST: keep one',
      });
    }
  }
  const chat = readChatAccess({
    baseUrl: variables.text('NATTER_CHAT_URL'),
    apiKey: variables.text('NATTER_CHAT_API_KEY'),
    accountId: variables.text('NATTER_CHAT_ACCOUNT'),
    projectId: variables.text('NATTER_CHAT_PROJECT'),
  });
  if (json === '' || token !== '' || host !== '') {
    connectors['default'] = { token, host, ...(chat && { chat }) };
  } else if (chat !== undefined) {
    problems.push({
      variable: 'NATTER_CHAT_URL',
      problem: 'belongs to NATTER_CONNECTOR_TOKEN: with NATTER_CONNECTORS, put "chat" into the connector',
    });
  }
  return connectors;
}

function toVariable({ option, problem }: OptionProblem, hasJsonConnectors: boolean): Problem {
  if (option.startsWith('connectors') && hasJsonConnectors) {
    return { variable: 'NATTER_CONNECTORS', problem: `(${option.replace('connectors.', '')}) ${problem}` };
  }
  return { variable: VARIABLE_OF_OPTION[option] ?? option, problem };
}

function writeMessage(problems: readonly Problem[]): string {
  const lines = problems.map(({ variable, problem }) => {
    const example = ENVIRONMENT.find((entry) => entry.name === variable)?.example;
    return `  ${variable} ${problem}.${example === undefined ? '' : `\n    for instance: ${variable}=${example}`}`;
  });
  return `The token proxy cannot start. Set these environment variables and start it again:\n\n${lines.join('\n')}\n\nAll variables: natter-token-proxy --help\n`;
}

/** Reads the options of the proxy itself. What is wrong with the JSON of the connectors goes to `connectorProblems`. */
function readProxyOptions(variables: EnvironmentReader, connectorProblems: Problem[]): TokenProxyOptions {
  const limits = {
    sessionsPerClient: variables.number('NATTER_SESSIONS_PER_CLIENT'),
    resumesPerClient: variables.number('NATTER_RESUMES_PER_CLIENT'),
    turnsPerClient: variables.number('NATTER_TURNS_PER_CLIENT'),
    sessionsTotal: variables.number('NATTER_SESSIONS_TOTAL'),
    resumesTotal: variables.number('NATTER_RESUMES_TOTAL'),
    turnsTotal: variables.number('NATTER_TURNS_TOTAL'),
  };
  const numbers = {
    ticketLifetimeSeconds: variables.number('NATTER_TICKET_LIFETIME_SECONDS'),
    trustedProxyHops: variables.number('NATTER_TRUSTED_PROXY_HOPS'),
    deadlineMs: variables.number('NATTER_DEADLINE_MS'),
    attemptTimeoutMs: variables.number('NATTER_ATTEMPT_TIMEOUT_MS'),
  };
  const texts = {
    websocketUrl: variables.text('NATTER_WEBSOCKET_URL'),
    basePath: variables.text('NATTER_BASE_PATH'),
  };
  return {
    upstreamUrl: variables.text('NATTER_UPSTREAM_URL'),
    allowHttpUpstream: variables.switch('NATTER_ALLOW_HTTP_UPSTREAM'),
    connectors: readConnectors(variables, connectorProblems),
    ticketKeys: splitList(variables.text('NATTER_TICKET_KEYS')),
    allowedOrigins: splitList(variables.text('NATTER_ALLOWED_ORIGINS')),
    allowRequestsWithoutOrigin: variables.switch('NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN'),
    limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
  };
}

/**
 * Reads the Node entry's configuration, all of it before anything starts. Pure; the message quotes no secret. White space
 * around a value is dropped, and an empty value counts as not given: that is what an unset line of a compose file becomes.
 */
export function readEnvironment(environment: Environment): ReadConfiguration {
  const variables = new EnvironmentReader(environment);
  const connectorProblems: Problem[] = [];
  const proxy = readProxyOptions(variables, connectorProblems);
  const hasJsonConnectors = variables.text('NATTER_CONNECTORS') !== '';
  const optionProblems = findOptionProblems(proxy)
    // What is wrong with the JSON as a whole is said once, not again for every connector it should have held.
    .filter(({ option }) => !(option.startsWith('connectors') && connectorProblems.length > 0))
    .map((problem) => toVariable(problem, hasJsonConnectors));
  const port = variables.number('PORT') ?? DEFAULT_PORT;
  const logLevel = variables.text('NATTER_LOG_LEVEL') || 'info';
  const problems: readonly Problem[] = [
    ...optionProblems,
    ...connectorProblems,
    ...variables.problems,
    ...(port <= 65_535 ? [] : [{ variable: 'PORT', problem: 'must be a whole number from 0 to 65535' }]),
    ...(LOG_LEVELS.includes(logLevel)
      ? []
      : [{ variable: 'NATTER_LOG_LEVEL', problem: `must be one of ${LOG_LEVELS.join(', ')}` }]),
  ];
  if (problems.length > 0) return { status: 'refused', message: writeMessage(problems) };
  return {
    status: 'ready',
    configuration: {
      proxy,
      host: variables.text('HOST') || DEFAULT_HOST,
      port,
      embedDir: variables.text('NATTER_EMBED_DIR') || null,
      logLevel,
    },
  };
}
