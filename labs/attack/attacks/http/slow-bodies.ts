import type { Attack, AttackContext, Target } from '../../attack.ts';
import { writeSlowly } from '../../peers/hostile-http.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';

const BODY = `{"slow":"${'x'.repeat(2_000)}"}`;

/** The head of a request for every route that reads a body. */
export function bodyHeads(
  { stack }: AttackContext,
  length: number,
): readonly { readonly target: Target; readonly head: string }[] {
  const { attackerToken, eventsKey, chatKey, account, attackerProject, host } = stack;
  const project = `account_id=${account}&project_id=${attackerProject}`;
  const event = `/v1/external-events/webhook?event_id_location=payload&event_id_path=id&${project}`;
  const head = (path: string, ...fields: readonly string[]): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...fields,
      '',
      '',
    ].join('\r\n');
  const upload = head('/v1/upload', 'Authorization: Bearer x').replace('json', 'octet-stream');
  return [
    {
      target: 'platform',
      head: head('/api/v1/access-token', `X-Token: ${attackerToken}`, `X-Host: ${host}`),
    },
    { target: 'platform', head: head('/api/v1/sessions', 'Authorization: Bearer a.b.c') },
    { target: 'platform', head: head(event, `X-Api-Key: ${eventsKey}`) },
    {
      target: 'platform',
      head: head(
        `/v1/${account}/${attackerProject}/chat/create`,
        `X-Api-Key: ${chatKey}`,
        `X-Token: ${attackerToken}`,
      ),
    },
    { target: 'proxy', head: head('/v1/session', `Origin: https://${host}`) },
    { target: 'proxy', head: head('/v1/contact') },
    { target: 'proxy', head: head('/v1/data') },
    { target: 'proxy', head: head('/v1/erase') },
    { target: 'proxy', head: upload },
    { target: 'platform', head: head('/desk/api/sign-in', 'X-Natter-Desk: 1') },
  ];
}

/** Requests whose bodies never end. */
export const slowBodies: Attack = {
  name: 'slow-bodies',
  summary: 'sends the body of a request byte by byte, without an end, to every route that reads one',
  seconds: 38,
  allowed: [/^HTTP 4\d\d$/, 'dropped'],
  required: [],
  async run(context) {
    const heads = bodyHeads(context, BODY.length * 2);
    const peers = context.pick({ small: 20, full: 300 });
    await context.repeat(peers, { small: peers, full: peers }, async (index) => {
      const route = heads[index % heads.length];
      if (route === undefined) return;
      const socket = await HostileSocket.open(context, route.target);
      if (socket === null) return context.count('refused connection');
      await socket.write(route.head);
      await writeSlowly(context, socket, BODY);
    });
  },
};
