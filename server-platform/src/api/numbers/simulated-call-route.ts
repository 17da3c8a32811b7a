import type { Operation } from '@natter/sdk';
import { clientEnvironmentSchema } from '@natter/sdk';
import * as v from 'valibot';
import type { RestServices } from '../rest/index.ts';
import { projectRoute, REST_ERRORS, RestError, type RestRoute } from '../rest/index.ts';
import { acceptCall, E164 } from './number-pool.ts';
import { SimulatedCall } from './simulated-call.ts';

const phoneNumber = v.pipe(
  v.string('must be a phone number, E.164'),
  v.regex(E164, 'must be a phone number, E.164'),
);
const objectMessage = ({ path }: { readonly path?: readonly unknown[] | undefined }): string =>
  path === undefined ? 'must be a JSON object' : 'is required';

const turnSchema = v.object(
  {
    text: v.optional(
      v.pipe(v.string('must be a list of turns'), v.maxLength(10_000, 'holds too long a text')),
      '',
    ),
    dtmf: v.optional(
      v.pipe(v.string(), v.regex(/^[0-9A-D*#]{0,64}$/, 'holds keys other than 0-9, A-D, * and #')),
      '',
    ),
    barge_in: v.optional(v.boolean('must be a list of turns'), false),
  },
  'must be a list of turns',
);

/** Actions of a simulated caller. */
const bodySchema = v.object(
  {
    to: phoneNumber,
    from: v.optional(phoneNumber, '+15550100'),
    client_env: v.optional(clientEnvironmentSchema, 'live'),
    language: v.optional(v.string('must be a language tag'), 'en'),
    /** In order; a turn without text and keys is a silence. */
    turns: v.optional(
      v.pipe(v.array(turnSchema, 'must be a list of turns'), v.maxLength(100, 'must be at most 100 turns')),
      [],
    ),
  },
  objectMessage,
);

/** Not in the contract's OpenAPI document, because it exists in development only. */
const simulatedCallOperation: Operation = {
  id: 'simulatedCallMake',
  family: 'numbers',
  service: 'runtime',
  method: 'POST',
  path: '/internal/v1/simulated-calls',
  summary: 'Dial a number and talk to its agent, without a telephone.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'when-refused',
  pathParameters: {},
  body: { isRequired: true, schema: bodySchema },
  success: { status: 200, description: 'How the call went.' },
  errors: [400, 401, 403, 404, 500],
  errorShape: 'E',
};

/**
 * `POST /internal/v1/simulated-calls`: dials a number of the key's virtual agent, which ends the number's reservation,
 * and runs the agent turn by turn with the reserved attributes. The conversation is recorded as `VOICE-SIP`.
 */
export function createSimulatedCallRoute(services: RestServices): RestRoute {
  const { database, clock, findAgent } = services;
  return projectRoute(
    { operation: simulatedCallOperation, permissions: ['dni'], projectFrom: 'key', body: bodySchema },
    async ({ project, body, request }) => {
      const agent = project.agent === null ? null : findAgent(project.agent, project.id);
      if (agent === null) {
        const text = 'The draft you are attempting to chat with does not exist.';
        throw new RestError(400, 'CHAT_DRAFT_NOT_EXIST', text);
      }
      const incoming = await database.tx(async (sql) => {
        const call = await acceptCall(sql, body.to, clock.now());
        // Rolls back: a key cannot end a reservation of another project.
        if (call === null || call.projectId !== project.id) throw REST_ERRORS.notFound();
        return call;
      });
      const call = new SimulatedCall(services, {
        agent,
        projectId: project.id,
        attributes: incoming.attributes,
        environment: body.client_env,
        language: body.language,
        from: body.from,
        to: body.to,
        signal: request.signal,
      });
      return await call.run(body.turns);
    },
  );
}
