import { expectTypeOf, it } from 'vitest';
import type { ConversationsQuery } from './conversations-query.ts';
import type { ListConversationsV3 } from './list-conversations.ts';

it('the client takes every parameter of the list of conversations that the platform reads', () => {
  expectTypeOf<keyof ListConversationsV3>().toEqualTypeOf<keyof ConversationsQuery>();
});
