import type { ConnectionStatus } from '../client/index.ts';

/** One thing that was looked at. */
export interface DoctorFinding {
  readonly check:
    | 'secure context'
    | 'token proxy'
    | 'origin'
    | 'platform'
    | 'clock'
    | 'socket'
    | 'storage'
    | 'policy'
    | 'viewport'
    | 'duplicates'
    | 'texts';
  readonly status: 'ok' | 'warning' | 'fault';
  /** What was found, and what to do where that is not well. */
  readonly message: string;
}

/** What `doctor()` found. Holds no token, no ticket and nothing of the conversation, so it may be sent to anybody. */
export interface DoctorReport {
  readonly findings: readonly DoctorFinding[];
  /** The same in words, a line for each finding. */
  readonly text: string;
}

/** A clock that is further off than this is told of. The widget itself does not mind. */
const MAX_SKEW_MS = 30_000;
const ANSWER_WITHIN_MS = 10_000;

type Verdict = Omit<DoctorFinding, 'check'>;

const ok = (message: string): Verdict => ({ status: 'ok', message });
const warn = (message: string): Verdict => ({ status: 'warning', message });
const fault = (message: string): Verdict => ({ status: 'fault', message });

/** What the proxy's health says of the proxy, of this page's origin and of the platform behind it. */
interface Health {
  /** 0 when there was no answer that this page may read. */
  readonly status: number;
  readonly code: string;
  /** By the proxy's clock; null when it does not say. */
  readonly dateMs: number | null;
}

async function askHealth(endpoint: string): Promise<Health> {
  try {
    const response = await fetch(`${endpoint}/v1/health`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
    const dateMs = Date.parse(response.headers.get('Date') ?? '');
    return { status: response.status, code, dateMs: Number.isNaN(dateMs) ? null : dateMs };
  } catch {
    // No network, no such host, a policy, an answer that this page may not read: to a page they are all the same.
    return { status: 0, code: '', dateMs: null };
  }
}

function judgeProxy({ status }: Health, endpoint: string): Verdict {
  return status > 0
    ? ok(`${endpoint} answers.`)
    : fault(
        `${endpoint} does not answer. Check the address, that the proxy runs, and that connect-src allows it.`,
      );
}

function judgeOrigin({ status, code }: Health): Verdict {
  if (status === 0) return warn('Unknown while the proxy does not answer.');
  return code === 'ORIGIN_NOT_ALLOWED'
    ? fault(`The proxy does not let ${location.origin} in. Add it to the proxy's allowed origins.`)
    : ok(`The proxy lets ${location.origin} in.`);
}

function judgePlatform({ status, code }: Health): Verdict {
  if (status >= 200 && status < 300) return ok('The platform answers the proxy.');
  return code === 'UPSTREAM_UNAVAILABLE'
    ? fault('The platform does not answer the proxy. Check the proxy’s upstream address and the platform.')
    : warn('Unknown while the proxy does not let this page ask.');
}

function judgeClock({ dateMs }: Health): Verdict {
  if (dateMs === null) return warn('The proxy did not say its time.');
  const skewMs = Math.abs(Date.now() - dateMs);
  return skewMs > MAX_SKEW_MS
    ? warn(
        `This device's clock is ${Math.round(skewMs / 1000)} seconds off. Times in the chat are wrong by that.`,
      )
    : ok('This device and the proxy agree on the time.');
}

function judgeSocket(connection: ConnectionStatus): Verdict {
  switch (connection.status) {
    case 'open':
      return connection.isTurnBased
        ? warn(
            'No socket gets through, so the chat goes on in turns. Allow the platform’s wss: address in connect-src and in the network.',
          )
        : ok('The socket is open.');
    case 'failed':
      return fault(`The client has given up: ${connection.reason}.`);
    case 'idle':
    case 'closed':
      return ok('Not connected. Open the chat and ask again to see more.');
    default:
      return warn(`The client is ${connection.status}.`);
  }
}

async function judgeStorage(): Promise<Verdict> {
  try {
    await indexedDB.databases();
    return ok('The conversation can be kept for a reload.');
  } catch {
    return warn(
      'Storage is blocked: a reload begins a new conversation, unless the proxy’s cookie keeps it.',
    );
  }
}

function judgePolicy(violations: readonly string[]): Verdict {
  const refused = [...new Set(violations)];
  return refused.length === 0
    ? ok('The page’s policy refused nothing meanwhile.')
    : fault(`The page's Content-Security-Policy refused ${refused.join(', ')}.`);
}

function judgeViewport(): Verdict {
  const content = document.querySelector<HTMLMetaElement>('meta[name=viewport]')?.content ?? '';
  return content.includes('width=device-width')
    ? ok('The page has a viewport for phones.')
    : warn(
        'Add <meta name="viewport" content="width=device-width, initial-scale=1">, or phones show it tiny.',
      );
}

function judgeDuplicates(): Verdict {
  const scripts = [...document.scripts].filter(({ src }) => /\/natter\.js(?:\?|$)/.test(src)).length;
  const widgets = document.querySelectorAll('natter-chat').length;
  return scripts > 1 || widgets > 1
    ? warn(`The page has ${widgets} widgets and ${scripts} script tags of natter.js. One of each is meant.`)
    : ok('One widget is on the page.');
}

function judgeTexts(problems: readonly string[]): Verdict {
  return problems.length === 0
    ? ok('Disclaimer, names and policy links are shown as they were given.')
    : warn(problems.join(' '));
}

const SIGNS: Readonly<Record<DoctorFinding['status'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  fault: 'FAULT  ',
};

/** Looks at everything that a widget needs of its page, its network and its servers. Changes nothing. */
export async function examine(
  endpoint: string,
  connection: ConnectionStatus,
  textProblems: readonly string[] = [],
): Promise<DoctorReport> {
  const violations: string[] = [];
  const onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    violations.push(
      `${effectiveDirective} ${URL.canParse(blockedURI) ? new URL(blockedURI).origin : blockedURI}`,
    );
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  const health = await askHealth(endpoint);
  const storage = await judgeStorage();
  document.removeEventListener('securitypolicyviolation', onViolation);
  const verdicts: Readonly<Record<DoctorFinding['check'], Verdict>> = {
    'secure context': isSecureContext
      ? ok('The page is served safely.')
      : fault('The page is not served over https. Browsers keep back what the widget needs.'),
    'token proxy': judgeProxy(health, endpoint),
    origin: judgeOrigin(health),
    platform: judgePlatform(health),
    clock: judgeClock(health),
    socket: judgeSocket(connection),
    storage,
    policy: judgePolicy(violations),
    viewport: judgeViewport(),
    duplicates: judgeDuplicates(),
    texts: judgeTexts(textProblems),
  };
  const findings = Object.entries(verdicts).map(([check, verdict]) => ({
    // The keys of a record of all checks.
    check: check as DoctorFinding['check'],
    ...verdict,
  }));
  const text = findings
    .map(({ check, status, message }) => `${SIGNS[status]}  ${check}: ${message}`)
    .join('\n');
  return { findings, text };
}
