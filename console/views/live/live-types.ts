export type { LiveConversation, LiveList } from '../../../server-platform/src/console-api/index.ts';
