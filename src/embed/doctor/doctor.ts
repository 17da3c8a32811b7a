import { type ChatDiagnosis, type ChatState, isUrlAllowed } from '../../client/index.ts';
import { pageDocument, toImageUrl, type WidgetOptions } from '../../widget/index.ts';
import { EVENT_NAMES } from '../event-names.ts';
import { judgeAgent, judgeHost, judgeSocket } from './judge-socket.ts';
import { fault, ok, type Verdict, warn } from './verdict.ts';
import { describeViolation, watchPolicy } from './watch-policy.ts';

/** One finding of the diagnosis. */
export interface DoctorFinding {
  readonly check:
    | 'secure context'
    | 'token proxy'
    | 'origin'
    | 'platform'
    | 'clock'
    | 'socket'
    | 'host'
    | 'agent'
    | 'storage'
    | 'policy'
    | 'pictures'
    | 'viewport'
    | 'duplicates'
    | 'presence'
    | 'texts'
    | 'handlers';
  readonly status: 'ok' | 'warning' | 'fault';
  /** The finding, and the remedy for a warning or a fault. */
  readonly message: string;
}

/** The report of `doctor()`. It contains no token, no ticket and no message, so that it can be shared. */
export interface DoctorReport {
  readonly findings: readonly DoctorFinding[];
  /** The findings as text, one per line. */
  readonly text: string;
}

/** A larger clock skew is reported. The widget itself tolerates it. */
const MAX_SKEW_MS = 30_000;
const TIMEOUT_MS = 10_000;

/** State of the proxy, of this page's origin and of the platform, from the proxy's health endpoint. */
interface Health {
  /** 0 without a response that this page may read. */
  readonly status: number;
  /** True for a response of a token proxy, also for an error; false for that of another server. */
  readonly isProxy: boolean;
  readonly code: string;
  /** Time of the proxy's clock; `null` if the response has none. */
  readonly dateMs: number | null;
}

async function fetchHealth(endpoint: string): Promise<Health> {
  try {
    // `fetch` would resolve it as a path of this page.
    if (!isUrlAllowed(endpoint, true)) throw new TypeError(describeBadEndpoint(endpoint));
    const response = await fetch(`${endpoint}/v1/health`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    const fields = typeof body === 'object' && body !== null ? body : {};
    const code = 'code' in fields && 'retryable' in fields ? String(fields.code) : '';
    const isWell = 'status' in fields && fields.status === 'ok' && 'version' in fields;
    const dateMs = new Date(response.headers.get('Date') ?? '').getTime();
    return {
      status: response.status,
      isProxy: isWell || code !== '',
      code,
      dateMs: Number.isNaN(dateMs) ? null : dateMs,
    };
  } catch {
    // No network, an unknown host, a policy, a response that this page may not read: pages cannot distinguish them.
    return { status: 0, isProxy: false, code: '', dateMs: null };
  }
}

/** Describes an invalid endpoint, without the user name, password and query that it may contain. Source: H-3. */
export function describeBadEndpoint(endpoint: string): string {
  const shown = `${endpoint}`.replace(/(?<![^/])[^/]*@|[?#].*/g, '');
  return `The endpoint "${shown}" is not an https address. Set data-endpoint or endpoint to the full address of your token proxy, such as https://chat.example.com. Only localhost may use http.`;
}

function judgeProxy({ status, isProxy }: Health, endpoint: string): Verdict {
  if (!isUrlAllowed(endpoint, true)) return fault(describeBadEndpoint(endpoint));
  const { origin, pathname } = new URL(endpoint);
  // Without the user name and the password that an address may contain.
  const address = `${origin}${pathname.replace(/\/$/, '')}`;
  if (isProxy) return ok(`${address} responds.`);
  return status > 0
    ? fault(
        `The server at ${address} responds with status ${status} but is not a token proxy. Check the address and the path where the proxy is mounted.`,
      )
    : fault(
        `${address} does not respond. Check the address, that the proxy is running, and that connect-src allows it.`,
      );
}

function judgeOrigin({ isProxy, code }: Health): Verdict {
  if (!isProxy && self.origin === 'null')
    return fault(
      'The page has no origin, because it is in a sandboxed frame or a local file, so the proxy rejects it. Add allow-same-origin to the frame, or serve the page from a host.',
    );
  if (!isProxy) return warn('Unknown until the proxy responds.');
  return code === 'ORIGIN_NOT_ALLOWED'
    ? fault(`The proxy rejects ${self.origin}. Add it to the proxy's allowed origins.`)
    : ok(`The proxy allows ${self.origin}.`);
}

function judgePlatform({ isProxy, code }: Health): Verdict {
  if (isProxy && code === '') return ok('The platform responds to the proxy.');
  return code === 'UPSTREAM_UNAVAILABLE'
    ? fault(
        'The platform does not respond to the proxy. Check the proxy’s upstream address and the platform.',
      )
    : warn('Unknown until the proxy allows this page.');
}

function judgeClock({ dateMs }: Health): Verdict {
  if (dateMs === null) return warn('The proxy sent no time.');
  const skewMs = Math.abs(Date.now() - dateMs);
  return skewMs > MAX_SKEW_MS
    ? warn(
        `This device's clock is ${Math.round(skewMs / 1000)} seconds off. Times in the chat are off by the same amount.`,
      )
    : ok('This device and the proxy agree on the time.');
}

async function judgeStorage(): Promise<Verdict> {
  try {
    // In a page without an origin, Chromium would report an error of the page as well.
    if (origin === 'null') throw new DOMException('No origin', 'SecurityError');
    await indexedDB.databases();
    return ok('The conversation can be stored for a reload.');
  } catch {
    return warn(
      'Storage is blocked: a reload starts a new conversation unless the proxy keeps it in a cookie.',
    );
  }
}

function judgePolicy(violations: ReadonlySet<string>): Verdict {
  return violations.size === 0
    ? ok('No policy violations found. The browser’s console may show more.')
    : fault(
        `The page's Content-Security-Policy refused ${[...violations].join(', ')}. Allow it in the policy, or use the header from contentSecurityPolicy of @natter/token-proxy.`,
      );
}

/** Returns the entries of `imageHosts` that are neither a host, nor an address of one, nor `*`. */
const findBadHosts = (imageHosts: WidgetOptions['imageHosts'] = ''): readonly string[] =>
  `${imageHosts}`
    .split(/[\s,]+/)
    .filter(
      (entry) => entry !== '' && !/^(?:https?:\/\/)?(?:\*|(?:\*\.)?[a-z\d.-]+(?::\d+)?)(?:\/|$)/i.test(entry),
    );

function judgePictures(options: WidgetOptions, { messages }: Pick<ChatState, 'messages'>): Verdict {
  const bad = findBadHosts(options.imageHosts);
  if (bad.length > 0)
    return warn(
      `imageHosts has ${bad.join(', ')}, which is not a host. Write cdn.example.com or *.example.com, in ASCII letters.`,
    );
  const pictureSets = messages.peek().flatMap((message) => {
    const item = message.peek();
    if (item.kind !== 'agent') return [];
    const pictures = item.attachments.map(({ kind, contentUrl, previewImageUrl }) =>
      kind === 'image' ? [previewImageUrl, contentUrl] : [previewImageUrl],
    );
    return [[item.speaker.avatarUrl], ...pictures].map((urls) => urls.filter((url) => url !== null));
  });
  const refused = new Set(
    pictureSets
      .filter((urls) => urls.length > 0 && urls.every((url) => toImageUrl(url, options) === null))
      .map(String),
  );
  return refused.size === 0
    ? ok('No picture was blocked because of its host.')
    : warn(
        `${refused.size} of the agent's pictures are not loaded because their hosts are not in data-image-hosts. Add the hosts you trust with your visitors’ IP addresses.`,
      );
}

function judgeViewport(): Verdict {
  const content = pageDocument.querySelector<HTMLMetaElement>('meta[name=viewport i]')?.content ?? '';
  return /width\s*=\s*device-width/i.test(content)
    ? ok('The page has a viewport tag for phones.')
    : warn(
        'Add <meta name="viewport" content="width=device-width, initial-scale=1">, or phones shrink the page.',
      );
}

/** Returns the boxes of all visible launchers. */
const findLaunchers = (): readonly DOMRect[] =>
  [...pageDocument.querySelectorAll('natter-chat')].flatMap((host) => {
    const launcher = host.shadowRoot?.querySelector('[part~=launcher]');
    return launcher?.checkVisibility() ? [launcher.getBoundingClientRect()] : [];
  });

function judgeDuplicates(): Verdict {
  const isElementMissing =
    !customElements.get('natter-chat') &&
    [...pageDocument.querySelectorAll('natter-chat[endpoint]')].some((element) => !element.shadowRoot);
  if (isElementMissing)
    return warn(
      'The page has a <natter-chat> element, but natter.js does not define it. Load natter/element from the npm package, or use an element with the id natter-chat instead.',
    );
  const scripts = [...pageDocument.scripts].filter(({ src }) => /\/natter\.js(?:\?|$)/.test(src)).length;
  if (scripts > 1)
    return warn(
      `The page has ${scripts} script tags of natter.js. Only the first one works; remove the others.`,
    );
  const launchers = findLaunchers();
  const isCovered = launchers.some((one, index) =>
    launchers
      .slice(index + 1)
      .some(
        (other) =>
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      ),
  );
  return isCovered
    ? warn('The launchers of two widgets overlap. If you need both, move or hide one of them.')
    : ok('The script is embedded once, and no launchers overlap.');
}

/** Returns the place in a script from which the widget was removed, the call below the widget's own in the stack. */
function findRemover(stack: string): string {
  const [, place] = stack.match(/[a-z-]+:\/\/[^\s()]+:\d+:\d+/g) ?? [];
  return place ?? 'an unknown script';
}

function judgePresence(removals: readonly string[]): Verdict {
  const places = [...new Set(removals.map(findRemover))].join(', ');
  return removals.length < 2
    ? ok('The widget stays in the page.')
    : warn(
        `The widget was removed from the page ${removals.length} times and put itself back. Removed by ${places}. Keep <natter-chat> there, or remove the widget with destroy().`,
      );
}

function judgeTexts(problems: readonly string[]): Verdict {
  return problems.length === 0
    ? ok('Disclaimer, names and policy links are shown unchanged.')
    : warn(problems.join(' '));
}

function judgeHandlers(names: Iterable<string>): Verdict {
  const unknown = [...names].filter((name) => !(EVENT_NAMES as readonly string[]).includes(name));
  return unknown.length === 0
    ? ok('All events the page listens to exist.')
    : warn(
        `The page listens to ${unknown.join(', ')}, which does not exist. Events: ${EVENT_NAMES.join(', ')}.`,
      );
}

const SIGNS: Readonly<Record<DoctorFinding['status'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  fault: 'FAULT  ',
};

/** The widget to diagnose. */
export interface DiagnosticsTarget {
  readonly options: WidgetOptions;
  readonly chat: Pick<ChatState, 'connection' | 'messages'> & {
    /** Missing without a client. */
    diagnose?(): Promise<ChatDiagnosis>;
  };
  /** Problems of the site's own texts. */
  readonly textProblems?: readonly string[] | undefined;
  /** Names of events that the page has handlers for. */
  readonly eventNames?: Iterable<string>;
  /** Stack of each call that removed the widget from the page. */
  readonly removals?: readonly string[] | undefined;
}

const UNDIAGNOSED: ChatDiagnosis = { missingAgent: null, socket: null };

/** Resolves with the diagnosis by client and proxy, or with an empty one after a time limit. */
const within = (diagnosis: Promise<ChatDiagnosis> | undefined): Promise<ChatDiagnosis> =>
  Promise.race([
    diagnosis ?? UNDIAGNOSED,
    new Promise<ChatDiagnosis>((resolve) => setTimeout(resolve, TIMEOUT_MS, UNDIAGNOSED)),
  ]);

/** Checks the page, the network and the servers of a widget. Changes nothing. */
export async function diagnose({
  options,
  chat,
  textProblems = [],
  eventNames = [],
  removals = [],
}: DiagnosticsTarget): Promise<DoctorReport> {
  // A script may pass a value of any type.
  const endpoint = `${options.endpoint}`.replace(/(?<!\/)\/+$/, '');
  const policy = watchPolicy();
  const health = await fetchHealth(endpoint);
  const storage = await judgeStorage();
  const diagnosis = await within(chat.diagnose?.());
  const connection = chat.connection.peek();
  const violations = new Set(
    policy.stop().flatMap((violation) => describeViolation(violation, options, connection) ?? []),
  );
  const verdicts: Readonly<Record<DoctorFinding['check'], Verdict>> = {
    'secure context': isSecureContext
      ? ok('The page is served over a secure connection.')
      : fault('The page is not served over https. Browsers disable features the widget needs.'),
    'token proxy': judgeProxy(health, endpoint),
    origin: judgeOrigin(health),
    platform: judgePlatform(health),
    clock: judgeClock(health),
    socket: judgeSocket(connection, diagnosis.socket),
    host: judgeHost(connection, diagnosis.socket, options.connector),
    agent: judgeAgent(diagnosis.missingAgent),
    storage,
    policy: judgePolicy(violations),
    pictures: judgePictures(options, chat),
    viewport: judgeViewport(),
    duplicates: judgeDuplicates(),
    presence: judgePresence(removals),
    texts: judgeTexts(textProblems),
    handlers: judgeHandlers(eventNames),
  };
  const findings = Object.entries(verdicts).map(([check, verdict]) => ({
    // The keys of the record of all checks.
    check: check as DoctorFinding['check'],
    ...verdict,
  }));
  const text = findings
    .map(({ check, status, message }) => `${SIGNS[status]}  ${check}: ${message}`)
    .join('\n');
  return { findings, text };
}
