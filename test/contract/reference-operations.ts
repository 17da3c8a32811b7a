import { readFileSync } from 'node:fs';
import { asList, asObject, type JsonSchema, type OpenApiFile, resolve } from './json-schema.ts';

/** A parameter of an operation. */
export interface ReferenceParameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/** One operation of the reference's description files. */
export interface ReferenceOperation {
  /** `POST /v1/alert-rules`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly file: OpenApiFile;
  readonly parameters: readonly ReferenceParameter[];
  /** Schema of a JSON body; `null` for none. */
  readonly body: JsonSchema | null;
  /** Schema of each status's JSON body; `null` for none. */
  readonly answers: Readonly<Record<string, JsonSchema | null>>;
}

const FILES = [
  'agents-generate-audio',
  'alerts',
  'chat',
  'concurrent-calls',
  'conversations-v1',
  'conversations-v3',
  'dni',
  'external-events',
  'handoff',
  'webhooks',
] as const;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Returns every operation of the reference's description files. */
export function readReferenceOperations(): readonly ReferenceOperation[] {
  return FILES.flatMap((name) => {
    const url = new URL(`../openapi/${name}.json`, import.meta.url);
    return operationsOf(JSON.parse(readFileSync(url, 'utf8')));
  });
}

/** Returns every operation of a description. */
export function operationsOf(file: OpenApiFile): readonly ReferenceOperation[] {
  return Object.entries(asObject(file['paths'])).flatMap(([path, item]) => {
    const shared = asObject(item);
    return METHODS.filter((method) => method in shared).map((method) => {
      const operation = asObject(shared[method]);
      const parameters = [...asList(shared['parameters']), ...asList(operation['parameters'])];
      return {
        id: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        file,
        parameters: parameters.map((each) => readParameter(file, each)),
        body: jsonSchemaOf(file, operation['requestBody']),
        answers: Object.fromEntries(
          Object.entries(asObject(operation['responses'])).map(([status, answer]) => [
            status,
            jsonSchemaOf(file, answer),
          ]),
        ),
      };
    });
  });
}

function readParameter(file: OpenApiFile, given: unknown): ReferenceParameter {
  const parameter = resolve(file, given);
  return {
    name: String(parameter['name']),
    in: String(parameter['in']),
    isRequired: parameter['required'] === true,
    schema: resolve(file, parameter['schema']),
  };
}

function jsonSchemaOf(file: OpenApiFile, given: unknown): JsonSchema | null {
  const content = asObject(resolve(file, given)['content']);
  const json = asObject(content['application/json']);
  return 'schema' in json ? resolve(file, json['schema']) : null;
}
