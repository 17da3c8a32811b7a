import type { Schema } from '@natter/sdk';
import type { Bus } from '../bus/index.ts';
import type { Clock } from '../clock.ts';
import type { Database, EventLog } from '../db/index.ts';
import type { SignInAttempt } from './check-sign-in.ts';
import type { Desk } from './desk.ts';
import type { DeskStream } from './desk-stream.ts';
import type { OidcSignIn } from './oidc-sign-in.ts';
import type { Person, Role } from './people.ts';

/** What the calls of desks work with. */
export interface DeskServer {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly desk: Desk;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
  /** The open streams, for the shutdown. */
  readonly streams: Set<DeskStream>;
  /** Checks a sign-in; throws a `DeskError` when there were too many. */
  readonly checkSignIn: (attempt: SignInAttempt) => Promise<Person>;
  /** Null: people sign in with passwords alone. */
  readonly oidc: OidcSignIn | null;
  /** Throws a `DeskError` when an address has been to the OpenID provider too often. */
  readonly limitOidc: (address: string) => void;
}

/** A call of a desk: its body has been read, and its person is signed in. */
export interface DeskCall<Body = undefined> {
  readonly server: DeskServer;
  readonly person: Person;
  readonly signIn: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The client's, under which attempts are counted. */
  readonly address: string;
  readonly body: Body;
}

/** What is said of a call besides its handler. */
export interface DeskRouteInfo {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/desk/api`, as OpenAPI writes it. */
  readonly path: string;
  readonly summary: string;
  /** The role that is needed at least. Default: agent. */
  readonly role?: Role;
  readonly isPublic?: boolean;
  /** An address that browsers open, also coming from other pages; it changes nothing by itself. */
  readonly isNavigation?: boolean;
  readonly body?: Schema<unknown>;
  /** Of the answer; left out: an empty object. */
  readonly answer?: Schema<unknown>;
  readonly isStream?: boolean;
}

/** A call that a desk can make. */
export interface DeskRoute extends DeskRouteInfo {
  readonly handle: (call: DeskCall<unknown>) => Promise<object | Response>;
}

/** A call of a person who is signed in. */
export function deskRoute<Body = undefined>(
  info: Omit<DeskRouteInfo, 'body'> & { readonly body?: Schema<Body> },
  handle: (call: DeskCall<Body>) => Promise<object | Response>,
): DeskRoute {
  // The application has read the body with this very schema; the types cannot follow that.
  return { ...info, handle: (call) => handle(call as DeskCall<Body>) };
}
