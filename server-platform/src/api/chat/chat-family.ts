import {
  chatCloseBodySchema,
  chatCloseOperation,
  chatCreateBodySchema,
  chatCreateOperation,
  chatRespondBodySchema,
  chatRespondOperation,
} from '@natter/sdk';
import type { RestFamily, RestServices } from '../rest/index.ts';
import { connectorRoute, RestError, refuseNulCharacters } from '../rest/index.ts';
import { ChatService } from './chat-service.ts';

// A record ends at most this long after its conversation has timed out.
const SWEEP_MS = 30_000;
const LANGUAGES = ['asr_lang_code', 'tts_lang_code'] as const;

/** Chat: create, respond, close. Source: section 3. */
export function startChatFamily(services: RestServices): RestFamily {
  const chats = new ChatService(services);
  const shared = { permissions: ['chat'], check: checkContentType } as const;
  const sweep = services.scheduler.every({
    what: 'end idle chats',
    everyMs: SWEEP_MS,
    onOneNode: true,
    run: () => chats.sweep(),
  });
  return {
    routes: [
      connectorRoute(
        { ...shared, operation: chatCreateOperation, body: chatCreateBodySchema },
        async (call) => {
          refuseNulCharacters(call.body, LANGUAGES);
          return await chats.create(call, call.body);
        },
      ),
      connectorRoute(
        { ...shared, operation: chatRespondOperation, body: chatRespondBodySchema },
        async (call) => {
          refuseNulCharacters(call.body, LANGUAGES);
          return await chats.respond(call, call.body);
        },
      ),
      connectorRoute(
        { ...shared, operation: chatCloseOperation, body: chatCloseBodySchema },
        async (call) => {
          await chats.close(call, call.body.conversation_id);
          return { success: true };
        },
      ),
    ],
    async close() {
      chats.stop();
      await sweep.stop();
    },
  };
}

/** Source: CH-1. */
function checkContentType(request: Request): void {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() === 'application/json') return;
  throw new RestError(400, 'SCHEMA_VALIDATION_FAILED', 'Content-Type must be application/json');
}
