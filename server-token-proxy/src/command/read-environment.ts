import { isIPv6 } from 'node:net';
import * as v from 'valibot';
import { isRecord } from '../kit/is-record.ts';
import type { StartOptions } from '../node.ts';
import { CONNECTOR_SETTINGS, findOptionProblems, OPTION_SETTINGS } from '../options-schema.ts';
import {
  type Environment,
  type EnvironmentVariable,
  findProblems,
  findVariable,
  fromVariable,
  listVariables,
  numberSetting,
  readNumber,
  readSettings,
  type SettingProblem,
  wholeNumber,
} from '../settings.ts';

/** The options, or one message that names everything missing or wrong. */
export type ReadConfiguration =
  | { readonly status: 'ready'; readonly options: StartOptions }
  | { readonly status: 'refused'; readonly message: string };

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];
const DEFAULT_PORT = '8787';

/** Settings of the command besides the proxy's options. */
const COMMAND_SETTINGS = {
  host: fromVariable(
    v.optional(
      v.pipe(
        v.string(),
        v.check(
          (host) => isIPv6(host) || !/[:/\s[\]]/.test(host),
          'must be an address or a name without a port, such as 0.0.0.0 or ::1',
        ),
      ),
    ),
    {
      name: 'HOST',
      purpose: 'Address to listen on; 0.0.0.0 in a container.',
      fallback: '127.0.0.1',
      example: '0.0.0.0',
    },
    // IPv6 may be in brackets, as in URLs.
    (text) => text.replace(/^\[([^\]:]*:[^\]]*)\]$/, '$1') || undefined,
  ),
  port: fromVariable(
    wholeNumber(0, 65_535),
    {
      name: 'PORT',
      purpose: 'Port to listen on; 0 takes a free one.',
      fallback: DEFAULT_PORT,
      example: '8080',
    },
    (text) => readNumber(text || DEFAULT_PORT),
  ),
  embedDir: fromVariable(v.optional(v.string()), {
    name: 'NATTER_EMBED_DIR',
    purpose: 'Directory with natter.js and natter/, to be served beside the API.',
    fallback: 'the files of the installed package natter',
    example: './node_modules/natter/dist/embed',
  }),
  keepAliveMs: numberSetting(1, 3_600_000, {
    name: 'NATTER_KEEP_ALIVE_MS',
    purpose: "How long a connection stays open for the next request; must exceed the load balancer's limit.",
    fallback: '75000',
    example: '130000',
  }),
  maxHeaderBytes: numberSetting(1_024, 1_048_576, {
    name: 'NATTER_MAX_HEADER_BYTES',
    purpose: "Size limit of a request's headers, including cookies.",
    fallback: '65536',
    example: '131072',
  }),
  logLevel: fromVariable(v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)), {
    name: 'NATTER_LOG_LEVEL',
    purpose: 'Least important lines to log: debug, info, warn, error or silent.',
    fallback: 'info',
    example: 'warn',
  }),
} satisfies { readonly [Name in keyof StartOptions]?: v.GenericSchema<unknown, StartOptions[Name]> };

/** Every variable of the command, in the order of `--help`. */
export const ENVIRONMENT: readonly EnvironmentVariable[] = [
  ...Object.entries(OPTION_SETTINGS).flatMap(([name, schema]) => [
    ...(name === 'connectors' ? listVariables(CONNECTOR_SETTINGS) : []),
    ...listVariables({ [name]: schema }),
  ]),
  ...listVariables(COMMAND_SETTINGS),
  // Read by the SDK of OpenTelemetry.
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    purpose: 'Collector of OpenTelemetry traces, over http.',
    fallback: 'no traces',
    example: 'http://127.0.0.1:4318',
  },
];

/**
 * Reads all options of the command before anything starts. Pure; the message quotes no secret. White space around a
 * value is dropped, and an empty value counts as absent, like an unset line of a compose file.
 */
export function readEnvironment(environment: Environment): ReadConfiguration {
  const { connectors, problem, isJson } = readConnectors(environment);
  const values: Readonly<Record<string, unknown>> = {
    ...readSettings(OPTION_SETTINGS, environment),
    connectors,
    ...readSettings(COMMAND_SETTINGS, environment),
  };
  const problems = [...findOptionProblems(values), ...findProblems(COMMAND_SETTINGS, values)]
    // Reports a fault of the whole JSON once instead of per connector.
    .filter(({ path }) => problem === null || path[0] !== 'connectors')
    .map((each) => nameVariable(each, isJson));
  if (problem !== null) problems.push(problem);
  return problems.length > 0
    ? { status: 'refused', message: writeMessage(problems) }
    : // They have just been checked.
      { status: 'ready', options: values as unknown as StartOptions };
}

interface VariableProblem {
  readonly variable: string;
  readonly problem: string;
}

/** Reads the connectors: those in JSON, and "default" from the other variables. */
function readConnectors(environment: Environment): {
  readonly connectors: Readonly<Record<string, unknown>>;
  readonly problem: VariableProblem | null;
  readonly isJson: boolean;
} {
  const json = environment['NATTER_CONNECTORS']?.trim() ?? '';
  const single = readSettings(CONNECTOR_SETTINGS, environment);
  const hasSingle = single['token'] !== undefined || single['host'] !== undefined;
  if (json === '') return { connectors: { default: single }, problem: null, isJson: false };
  const parsed = parseJson(json);
  const isParsed = isRecord(parsed) && Object.keys(parsed).length > 0;
  const find = (): VariableProblem | null => {
    if (!isParsed)
      return { variable: 'NATTER_CONNECTORS', problem: 'is not a JSON object of connectors by name' };
    if (hasSingle && Object.hasOwn(parsed, 'default')) {
      const problem =
        'has a connector called "default", and so do NATTER_CONNECTOR_TOKEN and NATTER_CONNECTOR_HOST: keep one';
      return { variable: 'NATTER_CONNECTORS', problem };
    }
    if (hasSingle || single['chat'] === undefined) return null;
    const problem =
      'belongs to NATTER_CONNECTOR_TOKEN: with NATTER_CONNECTORS, put "chat" into the connector';
    return { variable: 'NATTER_CHAT_URL', problem };
  };
  const named = isParsed ? Object.entries(parsed) : [];
  const connectors = Object.fromEntries(hasSingle ? [...named, ['default', single]] : named);
  return { connectors, problem: find(), isJson: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which contains tokens.
    return null;
  }
}

/** Names the variable of the faulty value. */
function nameVariable({ path, problem }: SettingProblem, isJson: boolean): VariableProblem {
  const [first, , ...inConnector] = path;
  if (first !== 'connectors') {
    const { name } = findVariable({ ...OPTION_SETTINGS, ...COMMAND_SETTINGS }, path) ?? {};
    return { variable: name ?? path.join('.'), problem };
  }
  if (isJson) return { variable: 'NATTER_CONNECTORS', problem: `(${path.slice(1).join('.')}) ${problem}` };
  const { name = 'NATTER_CONNECTORS' } = findVariable(CONNECTOR_SETTINGS, inConnector) ?? {};
  return { variable: name, problem };
}

function writeMessage(problems: readonly VariableProblem[]): string {
  const lines = problems.map(({ variable, problem }) => {
    const example = ENVIRONMENT.find((entry) => entry.name === variable)?.example;
    return `  ${variable} ${problem}.${example === undefined ? '' : `\n    for instance: ${variable}=${example}`}`;
  });
  return `The token proxy cannot start. Set these environment variables and start it again:\n\n${lines.join('\n')}\n\nAll variables: natter-token-proxy --help\n`;
}
