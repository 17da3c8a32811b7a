import { parseBody } from '@natter/sdk';
import { Hono } from 'hono';
import { SETUP_ERRORS } from 'natter/protocol';
import { LOSSY_NUMBER, type PlatformEnv, readBodyBytes, readJsonBody } from '../../kit/http/index.ts';
import type { PeopleServer, PersonRoute, PersonRouteInfo } from '../../staff/index.ts';
import { DEFAULT_COST, DeskError, isDeskError, REFUSALS, readSignInCookie } from '../../staff/index.ts';
import { findPersonOf, hasRole } from './rights.ts';

const MAX_BODY_BYTES = 65_536;
// Values that browsers send for calls of the desk's own page, and for typed addresses.
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Pages elsewhere cannot send it without a CORS permission, which the desk does not grant. */
const DESK_HEADER = 'X-Natter-Desk';

/**
 * Serves calls of signed-in people: checks the origin, the sign-in and the role, parses the body, and formats refusals.
 * Handlers refuse by throwing a `DeskError`.
 */
export function createPersonApp<Server extends PeopleServer>(
  server: Server,
  routes: readonly PersonRoute<Server>[],
): Hono<PlatformEnv> {
  const app = new Hono<PlatformEnv>();
  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const { correlationId, clientAddress: address } = context.var;
      try {
        const answer = await handle(server, route, context.req.raw, context.req.param(), {
          address,
          correlationId,
        });
        const response = answer instanceof Response ? answer : Response.json(answer);
        response.headers.set('Cache-Control', 'no-store');
        response.headers.set('X-Correlation-Id', correlationId);
        return response;
      } catch (error) {
        if (isDeskError(error)) return refuse(error, correlationId);
        server.onFailure(`answer ${route.id}`, error, correlationId);
        const message = `The platform failed; its log names the reason under ${correlationId}.`;
        return Response.json(
          { error_code: 'INTERNAL_ERROR', error_message: message, correlation_id: correlationId },
          { status: 500 },
        );
      }
    });
  }
  return app;
}

async function handle<Server extends PeopleServer>(
  server: Server,
  route: PersonRoute<Server>,
  request: Request,
  params: Readonly<Record<string, string>>,
  client: { readonly address: string; readonly correlationId: string },
): Promise<object | Response> {
  const { headers, signal } = request;
  if (route.isNavigation !== true) checkOrigin(request);
  const { role = 'agent', body: schema, maxFileBytes, cost = DEFAULT_COST } = route;
  const who = route.isPublic ? null : await requirePerson(server, headers, cost);
  if (who !== null && !hasRole(who.person, role)) throw REFUSALS.notAllowed(role);
  const body = schema === undefined ? undefined : await readBody(request, schema);
  const file = maxFileBytes === undefined ? NO_FILE : await readFile(request, maxFileBytes);
  const query = readQuery(request);
  // A public call has no person.
  const call = {
    server,
    params,
    query,
    headers,
    body,
    file,
    origin: readOrigin(request),
    signal,
    ...client,
    ...(who as NonNullable<typeof who>),
  };
  if (who === null) return await route.handle(call);
  return await server.personCalls.make(who.person, cost, () => route.handle(call));
}

/** Prevents a page of another origin from acting for a signed-in person. */
function checkOrigin({ method, headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isForeign = site === null ? origin !== null && !isOwnHost(origin, headers) : !OWN_SITES.has(site);
  if (isForeign)
    throw new DeskError(
      403,
      'FOREIGN_ORIGIN',
      'The desk is for its own page: this call comes from another one.',
    );
  if (method !== 'GET' && headers.get(DESK_HEADER) === null)
    throw new DeskError(
      403,
      'HEADER_MISSING',
      `Send the header ${DESK_HEADER}: 1 with every call that changes something.`,
    );
}

function isOwnHost(origin: string, headers: Headers): boolean {
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

async function requirePerson({ database, clock, personCalls }: PeopleServer, headers: Headers, cost: number) {
  const signIn = readSignInCookie(headers.get('cookie'));
  if (signIn !== null && cost > 0) personCalls.countBrowser(signIn);
  const person = signIn === null ? null : await findPersonOf(database, signIn, clock.now());
  if (signIn === null || person === null) throw REFUSALS.notSignedIn();
  return { person, signIn };
}

function readQuery({ url }: Request): URLSearchParams {
  const query = new URL(url).searchParams;
  // PostgreSQL text cannot contain it.
  for (const [name, value] of query)
    if (value.includes('\0'))
      throw new DeskError(400, 'INVALID', `${name} must not contain the character U+0000`);
  return query;
}

async function readBody(request: Request, schema: NonNullable<PersonRouteInfo['body']>): Promise<unknown> {
  const read = await readJsonBody(request, MAX_BODY_BYTES);
  if (read.kind === 'too_large')
    throw new DeskError(413, 'TOO_LARGE', `The body must have at most ${MAX_BODY_BYTES} bytes.`);
  if (read.kind === 'unknown_encoding')
    throw new DeskError(415, 'UNSUPPORTED_MEDIA_TYPE', SETUP_ERRORS.unknownEncoding.text);
  if (read.kind === 'malformed') throw new DeskError(400, 'NO_JSON', 'The body must be a JSON object.');
  const parsed = parseBody(schema, read.kind === 'object' ? read.fields : {});
  const lossyField = read.kind === 'object' ? read.lossyField : null;
  if (parsed.isOk && lossyField === null) return parsed.value;
  if (parsed.isOk) throw new DeskError(400, 'INVALID', `${lossyField} ${LOSSY_NUMBER}`);
  const [first] = parsed.errors;
  throw new DeskError(400, 'INVALID', [first?.field, first?.message].filter(Boolean).join(' '));
}

const NO_FILE = new Uint8Array();

async function readFile(request: Request, maxBytes: number): Promise<Uint8Array> {
  const bytes = await readBodyBytes(request, maxBytes);
  if (bytes === 'too_large')
    throw new DeskError(413, 'TOO_LARGE', `The file must have at most ${maxBytes} bytes.`);
  if (bytes === 'unknown_encoding')
    throw new DeskError(415, 'UNSUPPORTED_MEDIA_TYPE', SETUP_ERRORS.unknownEncoding.text);
  if (bytes === 'malformed' || bytes.length === 0)
    throw new DeskError(400, 'NO_FILE', 'Send the file as it is, as the body of the request.');
  return bytes;
}

// A proxy in front may have ended TLS, which the request's own address does not say.
function readOrigin({ url, headers }: Request): string {
  const origin = headers.get('origin') ?? '';
  return /^https?:/.test(origin) ? origin : new URL(url).origin;
}

function refuse({ status, code, message, retryAfterSeconds }: DeskError, correlationId: string): Response {
  return Response.json(
    { error_code: code, error_message: message, correlation_id: correlationId },
    {
      status,
      headers: {
        'Cache-Control': 'no-store',
        'X-Correlation-Id': correlationId,
        ...(retryAfterSeconds !== null && { 'Retry-After': String(retryAfterSeconds) }),
      },
    },
  );
}
