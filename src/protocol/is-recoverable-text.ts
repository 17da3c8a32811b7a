/** True for an error text that a new join request may mend. Source: REC-1. */
export function isRecoverableText(text: string): boolean {
  return /conversation (id )?not found|unable to start a conversation/i.test(text);
}
