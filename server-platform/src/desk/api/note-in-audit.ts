import { writeAudit } from '../../staff/index.ts';
import type { DeskCall } from './desk-call.ts';

/** Records in the audit log what the person of a call did. */
export async function noteInAudit(
  { server, person }: Pick<DeskCall<unknown>, 'server' | 'person'>,
  action: string,
  subject: string,
): Promise<void> {
  const entry = { accountId: person.accountId, actor: person.email, action, subject };
  await writeAudit(server.database, entry, server.clock.now());
}
