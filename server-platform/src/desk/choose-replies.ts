import { speaks } from './plan-offers.ts';

/** Language and name of a canned reply. */
interface Named {
  readonly name: string;
  /** Null: every language. */
  readonly language: string | null;
}

/**
 * The canned replies for a conversation in a language: replies in other languages are left out, and a reply in
 * this language replaces the reply of the same name for all languages. Without a language: all.
 */
export function chooseReplies<Reply extends Named>(
  replies: readonly Reply[],
  language: string | null,
): readonly Reply[] {
  if (language === null) return replies;
  const fitting = replies.filter((reply) => reply.language === null || speaks([reply.language], language));
  const translated = new Set(fitting.flatMap((reply) => (reply.language === null ? [] : reply.name)));
  return fitting.filter((reply) => reply.language !== null || !translated.has(reply.name));
}
