import { createSchemaWriter } from '../openapi/index.ts';
import type { DeskRoute } from './desk-call.ts';

/** The OpenAPI document of the desk's calls, from the schemas that validate them. */
export function describeDesk(routes: readonly DeskRoute[]): object {
  const writer = createSchemaWriter();
  const json = (schema: NonNullable<DeskRoute['body']>) => ({
    content: { 'application/json': { schema: writer.write(schema) } },
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const { id, method, path, summary, role, isPublic, body, answer, isStream } of routes) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    }));
    const success = isStream
      ? { content: { 'text/event-stream': {} } }
      : answer === undefined
        ? {}
        : json(answer);
    const operation = {
      operationId: id,
      summary: role === undefined ? summary : `${summary} Needs the role ${role}.`,
      ...(parameters.length > 0 && { parameters }),
      ...(body !== undefined && { requestBody: { required: true, ...json(body) } }),
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
    info: { title: 'Natter desk', version: '1' },
    servers: [{ url: '/desk/api' }],
    paths,
    components: {
      schemas: Object.fromEntries(writer.components),
      securitySchemes: { signIn: { type: 'apiKey', in: 'cookie', name: '__Host-natter-desk' } },
    },
  };
}
