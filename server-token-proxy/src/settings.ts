import * as v from 'valibot';
import { isRecord } from './kit/is-record.ts';

/** An environment variable of the command. */
export interface EnvironmentVariable {
  readonly name: string;
  /** Its purpose, in one sentence. */
  readonly purpose: string;
  /** Its effect when absent: a default value, or a description. */
  readonly fallback: string;
  /** An example value. Never a real secret. */
  readonly example: string;
}

/** Variables by name, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings by name, with the variable that sets each in its metadata. */
export type Settings = Readonly<Record<string, v.GenericSchema>>;

/**
 * A problem of one setting. `problem` completes a sentence that begins with the setting's name; it quotes no secret.
 */
export interface SettingProblem {
  /** Names from the outermost setting to this one. */
  readonly path: readonly string[];
  readonly problem: string;
}

interface Variable extends EnvironmentVariable {
  /** Parses the trimmed text; empty means absent. Invalid text becomes a value that the schema refuses. */
  readonly read: (text: string) => unknown;
}

const readText: Variable['read'] = (text) => text || undefined;

/** A setting with an environment variable. */
export const fromVariable = <Schema extends v.GenericSchema>(
  schema: Schema,
  about: EnvironmentVariable,
  read: Variable['read'] = readText,
) => v.pipe(schema, v.metadata({ variable: { ...about, read } }));

/** An optional whole number. */
export function wholeNumber(min: number, max: number) {
  const problem = `must be a whole number from ${min} to ${max}`;
  return v.optional(
    v.pipe(v.number(problem), v.integer(problem), v.minValue(min, problem), v.maxValue(max, problem)),
  );
}

/** Parses a number. */
export const readNumber: Variable['read'] = (text) =>
  text === '' ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;

/** A whole number with an environment variable. */
export const numberSetting = (min: number, max: number, about: EnvironmentVariable) =>
  fromVariable(wholeNumber(min, max), about, readNumber);

/** A switch with an environment variable. */
export const switchSetting = (about: EnvironmentVariable) =>
  fromVariable(v.optional(v.boolean('must be true or false')), about, (text) => {
    const word = text.toLowerCase();
    if (word === '') return undefined;
    return word === 'true' || word === '1' || (word === 'false' || word === '0' ? false : text);
  });

/** Parses a comma-separated list. */
export const readList: Variable['read'] = (text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The error text for a missing required setting. */
export const MISSING = 'is missing';

/** A required text. */
export const text = v.pipe(v.string(MISSING), v.nonEmpty(MISSING));

/** A list with a minimum number of entries. */
export const list = (problem: string, minLength = 1) =>
  v.custom<readonly string[]>((value) => Array.isArray(value) && value.length >= minLength, problem);
/** Checks each entry of a list. */
export const checkEach = (findProblem: (entry: unknown, index: number) => string | null) =>
  v.rawCheck<readonly string[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [index, entry] of dataset.value.entries()) {
      const problem = findProblem(entry, index);
      if (problem !== null) addIssue({ message: problem });
    }
  });
/** An optional function of the site. */
export const hook = <Hook>() =>
  v.optional(v.custom<Hook>((value) => typeof value === 'function', 'is not a function'));
/** An optional object with functions. */
export const service = <Service>() =>
  v.optional(v.custom<Service>((value) => typeof value === 'object' && value !== null, 'is not an object'));

const variableOf = (schema: v.GenericSchema): Variable | undefined => {
  const { variable } = v.getMetadata(schema) as { readonly variable?: Variable };
  return variable;
};

/** The settings within an object; none for other settings. */
function settingsWithin(schema: v.GenericSchema): Settings {
  const object = 'wrapped' in schema ? schema.wrapped : schema;
  return isRecord(object) && isRecord(object['entries']) ? (object['entries'] as Settings) : {};
}

/** The variables of settings, in their order. */
export const listVariables = (settings: Settings): readonly EnvironmentVariable[] =>
  Object.values(settings).flatMap((schema) => variableOf(schema) ?? listVariables(settingsWithin(schema)));

/** The variable that sets the setting at a path; undefined for none. */
export function findVariable(
  settings: Settings,
  [name = '', ...rest]: readonly string[],
): EnvironmentVariable | undefined {
  const schema = settings[name];
  if (schema === undefined) return undefined;
  return findVariable(settingsWithin(schema), rest) ?? variableOf(schema);
}

/** Reads settings from variables, without those that are not set. */
export function readSettings(settings: Settings, environment: Environment): Record<string, unknown> {
  const read = Object.entries(settings).map(([name, schema]): [string, unknown] => {
    const variable = variableOf(schema);
    if (variable !== undefined) return [name, variable.read(environment[variable.name]?.trim() ?? '')];
    const within = readSettings(settingsWithin(schema), environment);
    return [name, Object.keys(within).length > 0 ? within : undefined];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Finds all problems of values, in the order of their settings. */
export const findProblems = (
  settings: Settings,
  values: Readonly<Record<string, unknown>>,
  at: readonly string[] = [],
): readonly SettingProblem[] =>
  Object.entries(settings).flatMap(([name, schema]) => {
    // The first problem of a value, and of each entry of a list.
    const { issues = [] } = v.safeParse(schema, values[name], { abortPipeEarly: true });
    return issues.map(({ path = [], message }) => ({
      path: [...at, name, ...path.map(({ key }) => String(key))],
      problem: message,
    }));
  });
