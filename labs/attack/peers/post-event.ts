import type { AttackContext } from '../attack.ts';
import { ask, type HostileAnswer } from './hostile-http.ts';

/** Posts an external event with the attackers' own key. Source: rest.md section 6. */
export async function postEvent(
  context: AttackContext,
  contentType: string,
  body: string,
  path = 'id',
): Promise<HostileAnswer> {
  const { account, attackerProject, eventsKey } = context.stack;
  const query = new URLSearchParams({
    event_id_location: 'payload',
    event_id_path: path,
    account_id: account,
    project_id: attackerProject,
  });
  return await ask(context, {
    target: 'platform',
    path: `/v1/external-events/webhook?${query}`,
    headers: { 'X-Api-Key': eventsKey, 'Content-Type': contentType },
    body,
  });
}
