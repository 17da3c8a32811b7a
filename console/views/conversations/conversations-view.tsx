import type { VNode } from 'preact';
import type { ViewProps } from '../../views.ts';
import { ConversationList } from './conversation-list.tsx';
import { ConversationPage } from './conversation-page.tsx';
import './conversations.css';

/** Conversations on record: the list, and one of them. */
export function ConversationsView({ rest }: ViewProps): VNode {
  return rest === '' ? <ConversationList /> : <ConversationPage key={rest} id={rest} />;
}
