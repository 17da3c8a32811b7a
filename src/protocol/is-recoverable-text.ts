/** Returns true for an error after which a new join request may succeed. Source: REC-1. */
export function isRecoverableText(text: string): boolean {
  return /conversation (id )?not found|unable to start a conversation/i.test(text);
}
