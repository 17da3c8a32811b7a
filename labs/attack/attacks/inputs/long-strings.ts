import type { Attack, AttackContext } from '../../attack.ts';
import { ask, type HostileRequest, outcomeOf } from '../../peers/hostile-http.ts';

// Just below the size limit of a request's headers.
const SIZE = 15_000;
const fill = (part: string): string => part.repeat(Math.floor(SIZE / part.length));

const STRINGS: readonly string[] = [
  fill('a'),
  fill('a.'),
  fill(','),
  fill(', '),
  fill(':'),
  fill('['),
  fill('::1,'),
  fill('-'),
  fill('xn--a.'),
  fill('%'),
  fill('%2525'),
  fill('a@'),
  fill('\\'),
  fill('a=b;'),
  fill('"'),
  `${fill(' ')}x`,
  `${fill('\t')}x`,
];

function requestsWith(context: AttackContext, text: string): readonly HostileRequest[] {
  const { account, attackerProject, attackerToken, chatKey, host } = context.stack;
  const query = encodeURI(text).slice(0, SIZE);
  const conversations = `/v3/${account}/${attackerProject}/conversations`;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
    target: 'platform',
    method: 'GET',
    path,
    headers,
  });
  const mint = (headers: Readonly<Record<string, string>>): HostileRequest => ({
    target: 'platform',
    path: '/api/v1/access-token',
    headers: { 'X-Token': attackerToken, 'X-Host': host, 'Content-Type': 'application/json', ...headers },
    body: '{}',
  });
  return [
    get(`/healthz?${query}`),
    get(`/${query.replaceAll('?', '')}`),
    get(`${conversations}?cursor=${query}`, { 'X-Api-Key': chatKey }),
    get(`${conversations}?${'limit=1&'.repeat(1_500)}`, { 'X-Api-Key': chatKey }),
    get(`/ws?${'session_id=a&'.repeat(1_000)}`),
    get('/healthz', { 'X-Forwarded-For': text }),
    get('/healthz', { Forwarded: text, 'X-Forwarded-Host': 'a', 'X-Correlation-Id': text.slice(0, 500) }),
    mint({ 'X-Host': text }),
    mint({ Origin: text }),
    mint({ 'Content-Type': text }),
    { target: 'platform', path: '/api/v1/sessions', headers: { Authorization: text }, body: '{}' },
    {
      target: 'platform',
      path: '/api/v1/sessions',
      headers: { Authorization: `Bearer ${text.replaceAll(/\s/g, '')}` },
      body: '{}',
    },
    { target: 'proxy', path: '/v1/session', headers: { Origin: text }, body: '{}' },
    { target: 'proxy', path: '/v1/resume', headers: { Origin: `https://${host}`, Cookie: text }, body: '{}' },
    { target: 'proxy', path: `/v1/session?${query}`, headers: { Origin: `https://${host}` }, body: '{' },
    { target: 'proxy', method: 'GET', path: `/natter/${query.replaceAll('?', '')}` },
  ];
}

/** Long strings of one character in every place where one is split, matched or parsed. */
export const longStrings: Attack = {
  name: 'long-strings',
  summary:
    'sends query strings, hosts, origins, cookies and forwarded headers of 15 kB that are slow to match',
  allowed: [/^HTTP (?:200|204|4\d\d)$/],
  required: ['HTTP 200', 'HTTP 401'],
  async run(context) {
    const requests = STRINGS.flatMap((text) => requestsWith(context, text));
    await context.repeat(8, { small: requests.length, full: 6_000 }, async (index) => {
      const request = requests[index % requests.length];
      if (request !== undefined) context.count(outcomeOf(await ask(context, request)));
    });
  },
};
