import { fieldNames } from '@natter/sdk';
import { createSchemaWriter } from '../../api/openapi/index.ts';
import type { PersonRouteInfo } from '../../staff/index.ts';

/** The OpenAPI document of calls of people who are signed in, from the schemas that validate them. */
export function describePersonApp(title: string, url: string, routes: readonly PersonRouteInfo[]): object {
  const writer = createSchemaWriter();
  const json = (schema: NonNullable<PersonRouteInfo['body']>) => ({
    content: { 'application/json': { schema: writer.write(schema) } },
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const {
    id,
    method,
    path,
    summary,
    role,
    isPublic,
    query,
    body,
    maxFileBytes,
    answer,
    streams,
  } of routes) {
    const parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true })),
      ...(query === undefined ? [] : fieldNames(query)).map((name) => ({ name, in: 'query' })),
    ].map((parameter) => ({ ...parameter, schema: { type: 'string' } }));
    const success = streams ? { content: { [streams]: {} } } : answer === undefined ? {} : json(answer);
    const operation = {
      operationId: id,
      summary: role === undefined ? summary : `${summary} Needs the role ${role}.`,
      ...(parameters.length > 0 && { parameters }),
      ...(body !== undefined && { requestBody: { required: true, ...json(body) } }),
      ...(maxFileBytes !== undefined && {
        requestBody: { required: true, content: { 'application/octet-stream': {} } },
      }),
      responses: {
        200: { description: 'Done.', ...success },
        default: { description: 'Refused: error_code, error_message with what to do, correlation_id.' },
      },
      security: isPublic ? [] : [{ signIn: [] }],
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url }],
    paths,
    components: {
      schemas: Object.fromEntries(writer.components),
      securitySchemes: { signIn: { type: 'apiKey', in: 'cookie', name: '__Host-natter-desk' } },
    },
  };
}
