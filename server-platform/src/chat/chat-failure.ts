import type { CollectedTurn } from '../agents/index.ts';
import { systemTextForAgentFailure } from '../agents/index.ts';
import { RestError } from '../rest/index.ts';

/** The answer to a call whose agent could not be run; its text is what a chat would have shown. Source: 3.4. */
export function chatFailure({
  code,
  stage,
  cause,
}: Extract<CollectedTurn, { readonly kind: 'failed' }>): RestError {
  const text = systemTextForAgentFailure(code, stage);
  return new RestError(500, 'CHAT_DRAFT_DEPLOYMENT_FAILED', text, { cause });
}
