import type { ConversationChange, ConversationTurn } from '../../../src/realtime/event-log/index.ts';
import type { RestFixture } from '../../api/rest/rest-fixture.ts';

/** When the conversations of the tests begin, unless they say otherwise. */
export const NOON_MS: number = Date.UTC(2026, 2, 2, 12);

type Start = NonNullable<ConversationChange['start']>;

/** A conversation of the fixture's project for tests; `start` replaces single fields. */
export function recorded(
  { project, connector }: Pick<RestFixture, 'project' | 'connector'>,
  id: string,
  fields: Omit<ConversationChange, 'id' | 'start'> & { readonly start?: Partial<Start> } = {},
): ConversationChange {
  return {
    id,
    ...fields,
    start: {
      atMs: NOON_MS,
      projectId: project.id,
      connectorId: connector.id,
      variantId: '',
      variantName: '',
      environment: 'live',
      channel: 'WEBCHAT',
      language: 'en',
      fromNumber: '',
      toNumber: '',
      sharedId: null,
      ...fields.start,
    },
  };
}

/** A turn in which the user says something, and the agent answers a second later. */
export function said(
  userInput: string,
  agentResponse: string,
  fields: Partial<ConversationTurn> = {},
): ConversationTurn {
  const atMs = fields.userInputAtMs ?? NOON_MS + 1_000;
  return {
    kind: 'message',
    userInput,
    userInputAtMs: atMs,
    agentResponse,
    agentResponseAtMs: atMs + 1_000,
    latencyMs: 1_000,
    atMs: atMs + 1_000,
    ...fields,
  };
}
